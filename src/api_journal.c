/*
 * api_journal.c - assay_journal_open() and what belongs to it:
 * include/assay/assay.h on top of src/report, as `assay show` reads a journal.
 */
#include "api_call.h"
#include "base/arena.h"
#include "base/file.h"
#include "report/case_line.h"

#include <stdlib.h>

// Address space, of which little is used.
static const ptrdiff_t OPEN_BYTES = (ptrdiff_t)1 << 20;
static const ptrdiff_t LEAST_BYTES = (ptrdiff_t)64 << 20;
enum {
    TIMES_LINE = 4,
};

struct assay_journal {
    arena_store store;  // of the file
    arena_store lines;  // of one line
    file_map file;
    str rest;      // what is not read yet
    int64_t line;  // that was read last
    str head;      // empty: none
};

// The members that case_line_read() reads, by name.
enum {
    N_TEXTS = 10,
};

typedef struct case_text {
    str name;
    str text;
} case_text;

struct assay_case {
    assay_str json;
    assay_str texts[N_TEXTS];
    size_t n;
    struct case_verdict {
        assay_str key;
        assay_answer answer;
        assay_str reason;
        assay_str detail;
        double score;
    } verdicts[];
};

// In the order of assay_case.texts; of NULL the names alone.
static void list_texts(const case_line *c, case_text out[N_TEXTS])
{
    static const case_line none;
    const case_line *from = c ? c : &none;
    const case_text all[N_TEXTS] = {
        {S("run"), from->run},
        {S("id"), from->id},
        {S("db"), from->db},
        {S("category"), from->category},
        {S("hardness"), from->hardness},
        {S("question"), from->question},
        {S("gold"), from->gold},
        {S("pred"), from->pred},
        {S("gold_status"), from->gold_status},
        {S("pred_status"), from->pred_status},
    };
    for (int i = 0; i < N_TEXTS; i++) {
        out[i] = all[i];
    }
}

static assay_answer answer_from(answer v)
{
    return v == ANSWER_YES  ? ASSAY_YES
           : v == ANSWER_NO ? ASSAY_NO
                            : ASSAY_UNKNOWN;
}

typedef struct case_read {
    const case_line *c;
    str line;
} case_read;

// One block: the case, its verdicts, the texts of both, the line.
static void fill(void *to, api_texts *t, const void *from)
{
    const case_read *read = from;
    assay_case *out = to;
    case_text texts[N_TEXTS];
    list_texts(read->c, texts);
    out->json = api_keep(t, read->line);
    for (int i = 0; i < N_TEXTS; i++) {
        out->texts[i] = api_keep(t, texts[i].text);
    }
    out->n = (size_t)read->c->verdicts.len;
    for (size_t i = 0; i < out->n; i++) {
        const line_verdict *v = &read->c->verdicts.ptr[i];
        out->verdicts[i] = (struct case_verdict){
            .key = api_keep(t, v->key),
            .answer = answer_from(v->v),
            .reason = api_keep(t, v->reason),
            .detail = api_keep(t, v->detail),
            .score = v->has_score ? v->score : v->v == ANSWER_YES,
        };
    }
}

static assay_case *case_new(const case_line *c, str line)
{
    case_read read = {c, line};
    size_t n = (size_t)c->verdicts.len;
    return api_answer(sizeof(assay_case) + n * sizeof(struct case_verdict),
                      fill, &read);
}

/* The file. */

typedef struct journal_call {
    assay_journal *j;
    const char *path;
    assay_error *err;
    assay_status status;
    assay_case *out;
} journal_call;

// The message with the number of its line.
static void refuse(journal_call *call, const diag *d, arena *a)
{
    const diag_message *m = &d->messages.ptr[0];
    str text = m->place.line > 0
                   ? arena_printf(a, "line %lld: %.*s",
                                  (long long)m->place.line, STR_ARG(m->text))
                   : m->text;
    call->status = api_fail(call->err, ASSAY_ERR_ENGINE, text);
}

// The next line that is not empty; false at the end.
static bool next_line(assay_journal *j, str *line)
{
    *line = (str){0};
    while (j->rest.len > 0 && line->len == 0) {
        *line = str_trim(str_cut(&j->rest, '\n'));
        j->line++;
    }
    return line->len > 0;
}

static void open_journal(void *context)
{
    journal_call *call = context;
    assay_journal *j = call->j;
    arena a = arena_store_clear(&j->store);
    diag d = diag_new(&a);
    if (!file_open(&j->file, &a, str_from(call->path), &d)) {
        refuse(call, &d, &a);
        return;
    }
    j->rest = j->file.bytes;
    ptrdiff_t bytes = LEAST_BYTES + TIMES_LINE * j->rest.len;
    if (!arena_store_open(&j->lines, bytes)) {
        call->status = api_fail(call->err, ASSAY_ERR_LIMIT, S("out of memory"));
        return;
    }
    assay_journal first = *j;
    str line;
    if (!next_line(&first, &line)) {
        return;
    }
    arena room = arena_store_clear(&j->lines);
    case_line c;
    case_line_kind kind = case_line_read(&c, &room, line);
    if (kind == CASE_LINE_BROKEN) {
        case_line_refuse((diag_place){.line = first.line}, &d);
        refuse(call, &d, &a);
    } else if (kind == CASE_LINE_OTHER) {
        j->rest = first.rest;
        j->line = first.line;
        j->head = line;
    }
}

assay_status assay_journal_open(assay_journal **out,
                                const char *path,
                                assay_error *err)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !path) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("out and path must not be NULL"));
    }
    assay_journal *j = calloc(1, sizeof *j);
    journal_call call = {.j = j, .path = path, .err = err};
    if (!j || !arena_store_open(&j->store, OPEN_BYTES)
        || !api_call(open_journal, &call)) {
        call.status = api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    if (call.status != ASSAY_OK) {
        assay_journal_close(j);
        return call.status;
    }
    *out = j;
    return ASSAY_OK;
}

void assay_journal_close(assay_journal *j)
{
    if (j) {
        file_close(&j->file);
        arena_store_close(&j->store);
        arena_store_close(&j->lines);
        free(j);
    }
}

assay_str assay_journal_head(const assay_journal *j)
{
    return (assay_str){j->head.ptr, (size_t)j->head.len};
}

static void read_case(void *context)
{
    journal_call *call = context;
    assay_journal *j = call->j;
    str line;
    while (next_line(j, &line)) {
        arena a = arena_store_clear(&j->lines);
        diag d = diag_new(&a);
        diag_place place = {.line = j->line};
        case_line c;
        case_line_kind kind = case_line_read(&c, &a, line);
        if (kind == CASE_LINE_CASE) {
            call->out = case_new(&c, line);
            call->status = call->out ? ASSAY_OK
                                     : api_fail(call->err, ASSAY_ERR_LIMIT,
                                                S("out of memory"));
            return;
        }
        if (kind == CASE_LINE_BROKEN
                ? !case_line_refuse(place, &d)
                : !case_line_is_of_one_journal(line, place, &d)) {
            refuse(call, &d, &a);
            return;
        }
    }
}

assay_status assay_journal_next(assay_journal *j,
                                assay_case **out,
                                assay_error *err)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !j) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out and j must not be NULL"));
    }
    journal_call call = {.j = j, .err = err};
    if (!api_call(read_case, &call)) {
        return api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    *out = call.out;
    return call.status;
}

/* A case. */

void assay_case_free(assay_case *c)
{
    free(c);
}

static bool is_word(str s, const char *word)
{
    return str_equal(s, str_from(word));
}

assay_str assay_case_text(const assay_case *c, const char *name)
{
    case_text texts[N_TEXTS];
    list_texts(NULL, texts);
    for (int i = 0; i < N_TEXTS; i++) {
        if (is_word(texts[i].name, name)) {
            return c->texts[i];
        }
    }
    return (assay_str){0};
}

static const struct case_verdict *verdict_of(const assay_case *c,
                                             const char *key)
{
    static const struct case_verdict none;
    for (size_t i = 0; i < c->n; i++) {
        if (is_word(api_str(c->verdicts[i].key), key)) {
            return &c->verdicts[i];
        }
    }
    return &none;
}

assay_answer assay_case_answer(const assay_case *c, const char *key)
{
    return verdict_of(c, key)->answer;
}

assay_str assay_case_reason(const assay_case *c, const char *key)
{
    return verdict_of(c, key)->reason;
}

assay_str assay_case_detail(const assay_case *c, const char *key)
{
    return verdict_of(c, key)->detail;
}

double assay_case_score(const assay_case *c, const char *key)
{
    return verdict_of(c, key)->score;
}

assay_str assay_case_json(const assay_case *c)
{
    return c->json;
}
