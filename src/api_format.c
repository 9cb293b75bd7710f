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
    arena_store trees;
    arena_store text;
    arena_store scratch;
    str sql;
    dialect dialect;
    assay_layout layout;
    assay_formatted *out;  // NULL: no memory
} format_call;

// One block: the answer, its mistakes, their texts, the text.
static assay_formatted *formatted_new(str sql, const parse_result *r, str text)
{
    ptrdiff_t bytes = text.len;
    for (ptrdiff_t i = 0; i < r->errors.len; i++) {
        bytes += r->errors.ptr[i].text.len;
    }
    size_t n = (size_t)r->errors.len;
    assay_formatted *f =
        calloc(1, sizeof *f + n * sizeof *f->mistakes + (size_t)bytes);
    if (!f) {
        return NULL;
    }
    char *end = (char *)(f->mistakes + n);
    f->text = api_keep(&end, text);
    for (; f->n_mistakes < n; f->n_mistakes++) {
        const parse_error *e = &r->errors.ptr[f->n_mistakes];
        f->mistakes[f->n_mistakes] =
            api_mistake(&end, sql, e->pos, e->len, e->text);
    }
    return f;
}

static void format(void *context)
{
    format_call *call = context;
    arena a = arena_store_clear(&call->trees);
    arena room = arena_store_clear(&call->text);
    arena scratch = arena_store_clear(&call->scratch);
    buf text = buf_new(&room);
    parse_result r = parse_file(&a, call->sql, call->dialect, scratch);
    if (call->layout == ASSAY_LAYOUT_TREE) {
        print_trees(&text, &r, scratch);
    } else if (r.errors.len == 0) {
        print_layout layout = call->layout == ASSAY_LAYOUT_ONE_LINE
                                  ? PRINT_ONE_LINE
                                  : PRINT_PRETTY;
        print_script(&text, call->sql, &r, call->dialect, layout, scratch);
    }
    call->out = formatted_new(call->sql, &r, buf_str(&text));
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
    ptrdiff_t bytes = LEAST_BYTES + TIMES_SQL * call.sql.len;
    bool ok = arena_store_open(&call.trees, bytes)
              && arena_store_open(&call.text, bytes)
              && arena_store_open(&call.scratch, bytes)
              && api_call(format, &call);
    arena_store_close(&call.trees);
    arena_store_close(&call.text);
    arena_store_close(&call.scratch);
    *out = call.out;
    return ok && call.out ? ASSAY_OK
                          : api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
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
