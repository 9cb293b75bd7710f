/*
 * fuzz_bind.c - what is parsed is bound: every answer names what is there,
 * every problem has words and a place. The printed text binds in the same way.
 * A query has the same clauses as itself; with its own values plugged in, or
 * with its tables in another order, it can still be read.
 */
#include "evaluators/set_match.h"
#include "fuzz.h"
#include "relation/clauses.h"
#include "relation/plug.h"
#include "relation/row_order.h"
#include "schema/bind.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "sql/print.h"

static const char ddl[] =
    "CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, age INT);"
    "CREATE TABLE concert(id INT, theme TEXT, singer_id INT, name TEXT);"
    "CREATE TABLE t(a INT, b TEXT, c REAL, x, y);"
    "CREATE VIEW v AS SELECT a AS x, b FROM t;"
    "CREATE VIEW w AS SELECT * FROM v JOIN w;";

typedef struct walk {
    const binding *b;
    ptrdiff_t size;
} walk;

static bool check_node(void *context, const ast *n)
{
    const walk *w = context;
    const bound_ref *ref = bind_ref(w->b, n);
    const bound_query *q = bind_query_at(w->b, n);
    fuzz_must(n->id > 0 && n->id < w->b->n_nodes);
    if (ref && (ref->kind == REF_COLUMN || ref->kind == REF_ROWID)) {
        fuzz_must(ref->source);
        fuzz_must(ref->column < ref->source->n_columns);
        fuzz_must(ref->depth >= 0);
    }
    if (q && q->block) {
        for (ptrdiff_t i = 0; i < q->block->n_outputs; i++) {
            const bound_column *c = &q->block->outputs[i];
            fuzz_must(!c->source || c->column < c->source->n_columns);
        }
        fuzz_must(q->n_outputs <= BIND_COLUMNS_MAX);
    }
    return true;
}

static void check_self(arena a, const binding *b, arena scratch)
{
    clauses x = clauses_of(&a, b, (clause_options){0}, NULL, scratch);
    clauses y = clauses_of(&a, b, (clause_options){0}, &x, scratch);
    clause_diff d = clauses_compare(&a, &x, &y);
    fuzz_must(x.is_cut == y.is_cut);
    fuzz_must(x.is_cut || (d.is_same && d.words.len == 0));
    fuzz_must(set_tree_hardness(b->query->node).len > 0);
}

// What is made of a query that can be read can be read, too.
static void check_texts(arena a, const binding *b, arena scratch)
{
    str text = row_order_changed(&a, b, ROW_ORDER_REVERSED, scratch);
    if (text.len > 0) {
        fuzz_must(parse_sql(&a, text, b->dialect, scratch).errors.len == 0);
    }
    plug p = plug_of(&a, b, b, 4, scratch);
    while (plug_next(&p, &a, &text, scratch)) {
        fuzz_must(parse_sql(&a, text, b->dialect, scratch).errors.len == 0);
    }
}

static void check_query(arena a,
                        ast *n,
                        const schema *s,
                        dialect d,
                        str sql,
                        bool is_whole,
                        arena scratch)
{
    binding *b = bind_query(&a, n, s, d, scratch);
    walk w = {b, sql.len};
    ast_walk(n, check_node, &w);
    for (ptrdiff_t i = 0; i < b->problems.len; i++) {
        const bind_problem *p = &b->problems.ptr[i];
        fuzz_must(p->text.len > 0);
        fuzz_must(p->pos >= 0 && (ptrdiff_t)p->pos + p->len <= sql.len);
    }
    buf text = buf_new(&a);
    print_sql(&text, n, d, PRINT_ONE_LINE, scratch);
    str printed = arena_str(&a, buf_str(&text));
    parse_result r = parse_sql(&a, printed, d, scratch);
    if (is_whole && r.errors.len == 0 && r.statements) {
        binding *again = bind_query(&a, r.statements, s, d, scratch);
        fuzz_must(again->problems.len == b->problems.len);
        fuzz_must(again->query->n_outputs == b->query->n_outputs);
    }
    check_self(a, b, scratch);
    if (is_whole) {
        check_texts(a, b, scratch);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    enum {
        SIZE_MAX_TRIED = 4096
    };
    if (size == 0 || size > SIZE_MAX_TRIED) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str sql = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    dialect d = (dialect)(bytes[0] % DIALECT_COUNT);
    diag messages = diag_new(&a);
    schema s;
    fuzz_must(schema_from_ddl(&s, &a, S("ddl"), str_from(ddl), DIALECT_SQLITE,
                              DIALECT_SQLITE, &messages, scratch));
    parse_result r = parse_sql(&a, sql, d, scratch);
    for (ast *n = r.statements; n; n = n->next) {
        if (ast_is_query(n)) {
            check_query(a, n, &s, d, sql, r.errors.len == 0, scratch);
        }
    }
    return 0;
}
