/*
 * row_order.c - a query whose tables are read in another order of rows, or of
 * whose tables a few rows are read.
 *
 * Method      A copy of the tree in which each table of the schema that stands
 *             in FROM is replaced by `(SELECT * FROM t ORDER BY k LIMIT n) AS
 *             t`. For another order k is the row id downwards, or a fixed
 *             permutation of it, and n is -1, which takes all rows: SQLite may
 *             not flatten a subquery with a LIMIT into a join, which would drop
 *             the order. For the first rows k is the primary key. The
 *             replacement is made as text and parsed: the parser then owns the
 *             shape of the tree.
 *
 * Invariants  (1) The name by which the rest of the query knows the table
 *                 stays, as the alias of the subquery.
 *             (2) There is no text for a query that reads row numbers (rowid,
 *                 or a column that answers to that name): a subquery has none.
 *             (3) A table with INDEXED BY or NOT INDEXED, or (another order)
 *                 without rowid, stays as it is; of what stays so by its form,
 *                 as a view does, no first rows can be read.
 *
 * Cost        one copy, and one small parse for each table. Scratch is cut in
 *             halves, for the copy and for the parser and the printer.
 */
#include "relation/row_order.h"

#include "sql/ast_rewrite.h"
#include "sql/name.h"
#include "sql/parse.h"
#include "sql/print.h"

#include <assert.h>

typedef struct rewrite {
    arena *a;
    arena scratch;
    const binding *b;
    row_order order;    // ROW_ORDERS: the first rows are read
    const bool *whole;  // then: tables of which all rows are
    int n_rows;
    ptrdiff_t n;       // tables that were changed
    bool is_hopeless;  // it reads row numbers, or what cannot be replaced
} rewrite;

static void add_keys(rewrite *w, buf *text, const schema_table *t)
{
    static const char *const keys[] = {
        [ROW_ORDER_REVERSED] = " ORDER BY rowid DESC",
        [ROW_ORDER_MIXED] = " ORDER BY rowid * 7919 % 8191, rowid",
    };
    assert(w->order >= 0 && w->order <= ROW_ORDERS);
    if (w->order < ROW_ORDERS) {
        buf_printf(text, "%s LIMIT -1", keys[w->order]);
        return;
    }
    const schema_unique *key = schema_primary(t);
    for (ptrdiff_t i = 0; key && i < key->n; i++) {
        buf_add(text, i == 0 ? S(" ORDER BY ") : S(", "));
        name_add_quoted(text, t->columns[key->columns[i]].name, w->b->dialect);
    }
    buf_printf(text, " LIMIT %d", w->n_rows);
}

// (SELECT * FROM "t" ORDER BY ... LIMIT ...) AS "t"
static ast *replaced_table(rewrite *w, const ast *table, const bound_source *s)
{
    dialect d = w->b->dialect;
    buf text = buf_new(w->a);
    buf_add(&text, S("SELECT 1 FROM (SELECT * FROM "));
    print_sql(&text, table, d, PRINT_ONE_LINE, w->scratch);
    add_keys(w, &text, &w->b->schema->tables[s->table]);
    buf_add(&text, S(") AS "));
    name_add_quoted(&text, s->name, d);
    parse_result r = parse_sql(w->a, buf_str(&text), d, w->scratch);
    return r.errors.len == 0 && r.statements ? r.statements->kid[SELECT_FROM]
                                             : NULL;
}

// Can the table be read otherwise, and is it to be?
static bool is_replaced(rewrite *w, const ast *n)
{
    const bound_source *s = bind_source_at(w->b, n);
    const schema *known = w->b->schema;
    if (!s || n->kind != AST_TABLE) {
        // t('x') of a virtual table reads t.
        w->is_hopeless |= s && n->kind == AST_CALL && w->order == ROW_ORDERS
                          && schema_find_table(known, n->text) >= 0;
        return false;
    }
    bool is_table = s->kind == SOURCE_TABLE && s->block && !n->kid[TABLE_HINT];
    if (w->order < ROW_ORDERS) {
        return is_table && known->tables[s->table].has_rowid;
    }
    // A use of a WITH name is none: what it reads is replaced where it stands.
    int32_t named = schema_find_table(known, n->text);
    w->is_hopeless |= s->kind == SOURCE_QUERY
                          ? named >= 0 && known->tables[named].view
                          : !is_table || known->tables[s->table].view;
    return is_table && !w->whole[s->table];
}

// The table that stands in this one's place; NULL: it stays.
static ast *changed_table(rewrite *w, const ast *n)
{
    if (!is_replaced(w, n)) {
        return NULL;
    }
    ast *table = replaced_table(w, n, bind_source_at(w->b, n));
    w->n += table != NULL;
    w->is_hopeless |= !table && w->order == ROW_ORDERS;
    return table;
}

// A hint on a table keeps it as it is.
static ast *change(void *context, const ast *n)
{
    rewrite *w = context;
    const bound_ref *ref = bind_ref(w->b, n);
    bool is_column = ref && ref->kind == REF_COLUMN && ref->column >= 0;
    w->is_hopeless |= (ref && ref->kind == REF_ROWID)
                      || (is_column && n->kind == AST_COLUMN
                          && !str_equal_fold(
                              ref->source->columns[ref->column].name, n->text));
    const ast *below = n->kind == AST_ALIAS ? n->kid[ALIAS_EXPR] : NULL;
    if (!below || below->kind != AST_TABLE) {
        return changed_table(w, n);
    }
    ast *table = changed_table(w, below);
    ast *copy = table ? ast_copy(w->a, n) : NULL;
    if (copy) {  // an alias needs no second one below it
        copy->kid[ALIAS_EXPR] = table->kid[ALIAS_EXPR];
    }
    return copy;
}

static str rewritten(arena *a, rewrite w, arena scratch)
{
    assert(w.b && w.b->query);
    arena work = arena_half(&scratch);
    w.a = &work;
    w.scratch = scratch;
    ast *tree = w.b->problems.len == 0
                    ? ast_rewrite(w.a, w.b->query->node, change, &w)
                    : NULL;
    if (!tree || w.n == 0 || w.is_hopeless) {
        return (str){0};
    }
    return print_line(a, tree, w.b->dialect, scratch);
}

str row_order_changed(arena *a,
                      const binding *b,
                      row_order order,
                      arena scratch)
{
    rewrite w = {.b = b, .order = order};
    return b->dialect == DIALECT_SQLITE ? rewritten(a, w, scratch) : (str){0};
}

str row_order_first(arena *a,
                    const binding *b,
                    const bool *whole,
                    int n,
                    arena scratch)
{
    rewrite w = {.b = b, .order = ROW_ORDERS, .whole = whole, .n_rows = n};
    return b->dialect == DIALECT_TSQL ? (str){0} : rewritten(a, w, scratch);
}

// How often each table of the schema stands in a FROM of the query.
static int *count_uses(arena *a, const binding *b)
{
    int *uses = arena_new(a, int, b->schema->n_tables);
    for (int32_t id = 1; id < b->n_nodes; id++) {
        const bound_source *s = b->sources[id];
        if (s && s->kind == SOURCE_TABLE) {
            uses[s->table]++;
        }
    }
    return uses;
}

bool *row_order_parents(arena *a, const binding *one, const binding *other)
{
    const schema *s = one->schema;
    assert(s == other->schema);
    const int *uses[] = {count_uses(a, one), count_uses(a, other)};
    bool *whole = arena_new(a, bool, s->n_tables);
    for (ptrdiff_t i = 0; i < s->n_keys; i++) {
        const schema_key *k = &s->keys[i];
        int least = k->child == k->parent;  // a use of its own is no child
        if (k->parent >= 0
            && (uses[0][k->child] > least || uses[1][k->child] > least)) {
            whole[k->parent] = true;
        }
    }
    return whole;
}
