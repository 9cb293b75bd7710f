/*
 * api_bind.c - assay_bind() and what belongs to it: include/assay/assay.h on
 * top of src/schema.
 */
#include "api_call.h"
#include "schema/reading.h"
#include "schema/schema_ddl.h"
#include "sql/query_text.h"

#include <stdlib.h>

// Address space, of which little is used.
static const ptrdiff_t LEAST_BYTES = (ptrdiff_t)256 << 20;
enum {
    TIMES_TEXT = 256,
};
static const size_t MOST_TEXT = (size_t)1 << 28;

struct assay_binding {
    assay_read *reads;
    size_t n_reads;
    assay_mistake *mistakes;
    size_t n_mistakes;
};

// Something wrong, where it is in the query.
typedef struct mistake {
    ptrdiff_t pos;
    ptrdiff_t len;
    str text;
} mistake;

typedef struct name_read {
    str table;
    str column;  // empty: the table
} name_read;

typedef struct bind_call {
    str ddl;
    str query;
    dialect dialect;
    vec_of(name_read) reads;  // in the order of the schema
    vec_of(mistake) mistakes;
} bind_call;

static void add_mistake(bind_call *c,
                        arena *a,
                        ptrdiff_t at,
                        ptrdiff_t n,
                        str text)
{
    *vec_push(a, &c->mistakes) = (mistake){at, n, text};
}

static void list_reads(bind_call *call, arena *a, const reading *r)
{
    for (ptrdiff_t t = 0; t < r->schema->n_tables; t++) {
        const schema_table *table = &r->schema->tables[t];
        if (r->tables[t]) {
            *vec_push(a, &call->reads) = (name_read){.table = table->name};
        }
        for (ptrdiff_t c = 0; r->tables[t] && c < table->n_columns; c++) {
            if (r->columns[t][c]) {
                *vec_push(a, &call->reads) =
                    (name_read){table->name, table->columns[c].name};
            }
        }
    }
}

static void read_query(bind_call *call,
                       const schema *s,
                       arena *a,
                       arena scratch)
{
    query_text t = query_text_of(a, call->query, call->dialect, scratch);
    if (!t.tree) {
        add_mistake(call, a, t.error.pos, t.error.len, t.error.text);
    }
    for (ptrdiff_t i = 1; i < t.parsed.errors.len; i++) {
        const parse_error *e = &t.parsed.errors.ptr[i];
        add_mistake(call, a, e->pos, e->len, e->text);
    }
    if (t.tree) {
        binding *b = bind_query(a, t.tree, s, call->dialect, scratch);
        for (ptrdiff_t i = 0; i < b->problems.len; i++) {
            const bind_problem *p = &b->problems.ptr[i];
            add_mistake(call, a, p->pos, p->len, p->text);
        }
        reading reads = reading_new(a, s);
        reading_add(&reads, b);
        list_reads(call, a, &reads);
    }
}

// One block: the answer, the mistakes, what is read, the texts of all.
static void fill(void *answer, api_texts *t, const void *from)
{
    const bind_call *call = from;
    assay_binding *b = answer;
    b->n_mistakes = (size_t)call->mistakes.len;
    b->n_reads = (size_t)call->reads.len;
    b->mistakes = (assay_mistake *)(b + 1);
    b->reads = (assay_read *)(b->mistakes + b->n_mistakes);
    for (size_t i = 0; i < b->n_reads; i++) {
        const name_read *r = &call->reads.ptr[i];
        b->reads[i] =
            (assay_read){api_keep(t, r->table), api_keep(t, r->column)};
    }
    for (size_t i = 0; i < b->n_mistakes; i++) {
        const mistake *m = &call->mistakes.ptr[i];
        b->mistakes[i] = api_mistake(t, call->query, m->pos, m->len, m->text);
    }
}

static void *bind(api_work *w)
{
    bind_call call = *(const bind_call *)w->asked;
    arena *a = &w->memory[0];
    diag d = diag_new(a);
    schema s;
    if (!schema_from_given(&s, a, S("ddl"), call.ddl, call.dialect,
                           DIALECT_SQLITE, &d, w->memory[1])) {
        w->status = api_fail_diag(w->err, ASSAY_ERR_ENGINE, &d);
        return NULL;
    }
    read_query(&call, &s, a, w->memory[1]);
    return api_answer(sizeof(assay_binding)
                          + (size_t)call.reads.len * sizeof(assay_read)
                          + (size_t)call.mistakes.len * sizeof(assay_mistake),
                      fill, &call);
}

assay_status assay_bind(assay_binding **out,
                        assay_str ddl,
                        assay_str query,
                        assay_dialect d,
                        assay_error *err)
{
    if (!out) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out must not be NULL"));
    }
    *out = NULL;
    bind_call call = {.ddl = api_str(ddl),
                      .query = api_str(query),
                      .dialect = api_dialect(d)};
    if (call.dialect == DIALECT_COUNT) {
        return api_fail(err, ASSAY_ERR_USAGE, S("no such dialect"));
    }
    if (ddl.len > MOST_TEXT || query.len > MOST_TEXT) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("the SQL is longer than 256 MiB"));
    }
    ptrdiff_t bytes =
        LEAST_BYTES + TIMES_TEXT * (call.ddl.len + call.query.len);
    api_work w = {.asked = &call, .err = err};
    *out = api_once(&w, bind, bytes);
    return w.status;
}

void assay_binding_free(assay_binding *b)
{
    free(b);
}

const assay_read *assay_binding_reads(const assay_binding *b, size_t *n)
{
    *n = b->n_reads;
    return b->reads;
}

const assay_mistake *assay_binding_mistakes(const assay_binding *b, size_t *n)
{
    *n = b->n_mistakes;
    return b->mistakes;
}
