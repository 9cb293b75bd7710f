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

// What the answer will say.
typedef struct found {
    const reading *reads;  // NULL: nothing
    vec_of(mistake) mistakes;
} found;

typedef struct bind_call {
    arena_store trees;
    arena_store scratch;
    str ddl;
    str query;
    dialect dialect;
    assay_error *err;
    assay_status status;
    assay_binding *out;  // NULL: no memory, or an error
} bind_call;

static void add_mistake(found *f, arena *a, ptrdiff_t at, ptrdiff_t n, str text)
{
    mistake *m = vec_push(a, &f->mistakes);
    *m = (mistake){at, n, text};
}

static void read_query(const bind_call *call,
                       found *f,
                       const schema *s,
                       arena *a,
                       arena scratch)
{
    query_text t = query_text_of(a, call->query, call->dialect, scratch);
    if (!t.tree) {
        add_mistake(f, a, t.error.pos, t.error.len, t.error.text);
    }
    for (ptrdiff_t i = 1; i < t.parsed.errors.len; i++) {
        const parse_error *e = &t.parsed.errors.ptr[i];
        add_mistake(f, a, e->pos, e->len, e->text);
    }
    if (t.tree) {
        binding *b = bind_query(a, t.tree, s, call->dialect, scratch);
        for (ptrdiff_t i = 0; i < b->problems.len; i++) {
            const bind_problem *p = &b->problems.ptr[i];
            add_mistake(f, a, p->pos, p->len, p->text);
        }
        reading *reads = arena_new(a, reading, 1);
        *reads = reading_new(a, s);
        reading_add(reads, b);
        f->reads = reads;
    }
}

// Calls `add` for each entry of the list in its order.
typedef void add_read(void *context, str table, str column);

static void each_read(const reading *r, add_read *add, void *context)
{
    for (ptrdiff_t t = 0; r && t < r->schema->n_tables; t++) {
        const schema_table *table = &r->schema->tables[t];
        if (!r->tables[t]) {
            continue;
        }
        add(context, table->name, (str){0});
        for (ptrdiff_t c = 0; c < table->n_columns; c++) {
            if (r->columns[t][c]) {
                add(context, table->name, table->columns[c].name);
            }
        }
    }
}

typedef struct read_size {
    size_t n;
    ptrdiff_t bytes;
} read_size;

static void count_read(void *context, str table, str column)
{
    read_size *size = context;
    size->n++;
    size->bytes += table.len + column.len;
}

typedef struct read_keeper {
    assay_read *next;
    char *end;
} read_keeper;

static void keep_read(void *context, str table, str column)
{
    read_keeper *k = context;
    k->next->table = api_keep(&k->end, table);
    k->next->column = api_keep(&k->end, column);
    k->next++;
}

// One block: the answer, what is read, the mistakes, the texts of all.
static assay_binding *binding_new(const found *f, str query)
{
    read_size size = {0};
    each_read(f->reads, count_read, &size);
    size_t n = (size_t)f->mistakes.len;
    for (ptrdiff_t i = 0; i < f->mistakes.len; i++) {
        size.bytes += f->mistakes.ptr[i].text.len;
    }
    assay_binding *b =
        calloc(1, sizeof *b + size.n * sizeof *b->reads
                      + n * sizeof *b->mistakes + (size_t)size.bytes);
    if (!b) {
        return NULL;
    }
    b->mistakes = (assay_mistake *)(b + 1);
    b->reads = (assay_read *)(b->mistakes + n);
    b->n_reads = size.n;
    read_keeper k = {.next = b->reads, .end = (char *)(b->reads + size.n)};
    each_read(f->reads, keep_read, &k);
    for (; b->n_mistakes < n; b->n_mistakes++) {
        const mistake *m = &f->mistakes.ptr[b->n_mistakes];
        b->mistakes[b->n_mistakes] =
            api_mistake(&k.end, query, m->pos, m->len, m->text);
    }
    return b;
}

static void bind(void *context)
{
    bind_call *call = context;
    arena a = arena_store_clear(&call->trees);
    arena scratch = arena_store_clear(&call->scratch);
    diag d = diag_new(&a);
    schema s;
    found f = {0};
    if (!schema_from_given(&s, &a, S("ddl"), call->ddl, call->dialect, &d,
                           scratch)) {
        call->status = api_fail_diag(call->err, ASSAY_ERR_ENGINE, &d);
        return;
    }
    read_query(call, &f, &s, &a, scratch);
    call->out = binding_new(&f, call->query);
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
                      .dialect = api_dialect(d),
                      .err = err};
    if (call.dialect == DIALECT_COUNT) {
        return api_fail(err, ASSAY_ERR_USAGE, S("no such dialect"));
    }
    if (ddl.len > MOST_TEXT || query.len > MOST_TEXT) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("the SQL is longer than 256 MiB"));
    }
    ptrdiff_t bytes =
        LEAST_BYTES + TIMES_TEXT * (call.ddl.len + call.query.len);
    bool ok = arena_store_open(&call.trees, bytes)
              && arena_store_open(&call.scratch, bytes)
              && api_call(bind, &call);
    arena_store_close(&call.trees);
    arena_store_close(&call.scratch);
    *out = call.out;
    if (call.status != ASSAY_OK) {
        return call.status;
    }
    return ok && call.out ? ASSAY_OK
                          : api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
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
