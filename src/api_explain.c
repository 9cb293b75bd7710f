/*
 * api_explain.c - assay_explain() and what belongs to it: include/assay/assay.h
 * on top of src/report.
 */
#include "api_call.h"
#include "base/arena.h"
#include "report/case_line.h"
#include "report/report_show.h"

#include <stdlib.h>

// Address space, of which little is used.
static const ptrdiff_t LEAST_BYTES = (ptrdiff_t)1 << 30;
enum {
    TIMES_LINE = 64,
    WIDTH_DEFAULT = 100,
};
static const size_t MOST_TEXT = (size_t)1 << 28;

struct assay_explanation {
    assay_str text;
};

typedef struct explain_call {
    str line;
    const assay_explain_options *options;
    report_look look;
    dialect dialect;
} explain_call;

// A text that the line has not.
static void add_text(json *line, arena *a, str key, assay_str text)
{
    if (text.len > 0 && !json_get(line, key)) {
        json *j = arena_new(a, json, 1);
        *j = (json){.kind = JSON_KIND_STRING,
                    .key = key,
                    .text = api_str(text),
                    .next = line->child};
        line->child = j;
        line->n++;
    }
}

static void add_request(json *line, arena *a, const assay_request *r)
{
    add_text(line, a, S("db"), r->db);
    add_text(line, a, S("gold"), r->gold);
    add_text(line, a, S("pred"), r->pred);
    add_text(line, a, S("question"), r->question);
    add_text(line, a, S("category"), r->category);
}

// The key of the verdict that comes first.
static str first_key(const explain_call *call, const case_line *c)
{
    str metric = api_str(call->options->metric);
    const line_verdict *v =
        metric.len > 0 ? case_line_verdict(c, metric) : case_line_main(c);
    return v ? v->key : (str){0};
}

static void fill(void *to, api_texts *t, const void *from)
{
    ((assay_explanation *)to)->text = api_keep(t, *(const str *)from);
}

static void *explain(api_work *w)
{
    const explain_call *call = w->asked;
    const assay_explain_options *o = call->options;
    arena *a = &w->memory[0];
    buf text = buf_new(&w->memory[1]);
    case_line c;
    bool is_case = case_line_read(&c, a, call->line) == CASE_LINE_CASE;
    json *line = is_case ? json_parse(a, call->line, NULL) : NULL;
    if (!line) {
        w->status =
            api_fail(w->err, ASSAY_ERR_USAGE,
                     S("the line is no case of a journal and no reply"));
        return NULL;
    }
    if (o->request) {
        add_request(line, a, o->request);
    }
    const json *head = json_parse(a, api_str(o->head), NULL);
    doc d = doc_new(a, call->look);
    report_show(&d, line, head, call->dialect, first_key(call, &c));
    doc_write(&d, &text);
    str all = buf_str(&text);
    return api_answer(sizeof(assay_explanation), fill, &all);
}

assay_status assay_explain(assay_explanation **out,
                           assay_str line,
                           const assay_explain_options *options,
                           assay_error *err)
{
    if (!out) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out must not be NULL"));
    }
    *out = NULL;
    assay_explain_options none = {0};
    const assay_explain_options *o = options ? options : &none;
    explain_call call = {
        .line = api_str(line),
        .options = o,
        .look = {.width = o->width > 0 ? (ptrdiff_t)o->width : WIDTH_DEFAULT},
        .dialect = api_dialect(o->dialect)};
    if (call.dialect == DIALECT_COUNT) {
        return api_fail(err, ASSAY_ERR_USAGE, S("no such dialect"));
    }
    if (line.len > MOST_TEXT || o->head.len > MOST_TEXT) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("the line is longer than 256 MiB"));
    }
    ptrdiff_t bytes =
        LEAST_BYTES + TIMES_LINE * (call.line.len + (ptrdiff_t)o->head.len);
    api_work w = {.asked = &call, .err = err};
    *out = api_once(&w, explain, bytes);
    return w.status;
}

void assay_explanation_free(assay_explanation *e)
{
    free(e);
}

assay_str assay_explanation_text(const assay_explanation *e)
{
    return e->text;
}
