/*
 * api_format.c - assay_format() and what belongs to it: include/assay/assay.h
 * on top of src/sql.
 */
#include "api_call.h"
#include "base/arena.h"
#include "sql/print.h"

#include <stdlib.h>

// Address space, of which little is used.
static const ptrdiff_t LEAST_BYTES = (ptrdiff_t)256 << 20;
enum {
    TIMES_SQL = 256,
};
static const size_t MOST_SQL = (size_t)1 << 28;

struct assay_formatted {
    assay_str text;
    size_t n_mistakes;
    assay_mistake mistakes[];
};

typedef struct format_call {
    str sql;
    dialect dialect;
    assay_layout layout;
    parse_result parsed;
    str text;
} format_call;

static void fill(void *answer, api_texts *t, const void *from)
{
    const format_call *call = from;
    assay_formatted *f = answer;
    f->text = api_keep(t, call->text);
    f->n_mistakes = (size_t)call->parsed.errors.len;
    for (size_t i = 0; i < f->n_mistakes; i++) {
        const parse_error *e = &call->parsed.errors.ptr[i];
        f->mistakes[i] = api_mistake(t, call->sql, e->pos, e->len, e->text);
    }
}

static void *format(api_work *w)
{
    format_call call = *(const format_call *)w->asked;
    arena scratch = w->memory[2];
    buf text = buf_new(&w->memory[1]);
    call.parsed = parse_file(&w->memory[0], call.sql, call.dialect, scratch);
    if (call.layout == ASSAY_LAYOUT_TREE) {
        print_trees(&text, &call.parsed, scratch);
    } else if (call.parsed.errors.len == 0) {
        print_layout layout = call.layout == ASSAY_LAYOUT_ONE_LINE
                                  ? PRINT_ONE_LINE
                                  : PRINT_PRETTY;
        print_script(&text, call.sql, &call.parsed, call.dialect, layout,
                     scratch);
    }
    call.text = buf_str(&text);
    size_t n = (size_t)call.parsed.errors.len;
    return api_answer(sizeof(assay_formatted) + n * sizeof(assay_mistake), fill,
                      &call);
}

assay_status assay_format(assay_formatted **out,
                          assay_str sql,
                          const assay_format_options *options,
                          assay_error *err)
{
    if (!out) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out must not be NULL"));
    }
    *out = NULL;
    assay_format_options none = {0};
    const assay_format_options *o = options ? options : &none;
    format_call call = {.sql = api_str(sql),
                        .dialect = api_dialect(o->dialect),
                        .layout = o->layout};
    if (call.dialect == DIALECT_COUNT
        || (unsigned)o->layout > ASSAY_LAYOUT_TREE) {
        return api_fail(err, ASSAY_ERR_USAGE, S("no such dialect or layout"));
    }
    if (sql.len > MOST_SQL) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("the SQL is longer than 256 MiB"));
    }
    api_work w = {.asked = &call, .err = err};
    *out = api_once(&w, format, LEAST_BYTES + TIMES_SQL * call.sql.len);
    return w.status;
}

void assay_formatted_free(assay_formatted *f)
{
    free(f);
}

assay_str assay_formatted_text(const assay_formatted *f)
{
    return f->text;
}

const assay_mistake *assay_formatted_mistakes(const assay_formatted *f,
                                              size_t *n)
{
    *n = f->n_mistakes;
    return f->mistakes;
}
