/*
 * row_order.c - a query whose tables are read in another order of rows.
 *
 * Method      A copy of the tree in which each table of the schema that stands
 *             in FROM is replaced by `(SELECT * FROM t ORDER BY k LIMIT -1) AS
 *             t`, where k is the row id downwards, or a fixed permutation of
 *             it. LIMIT -1 takes all rows; its purpose is that SQLite may not
 *             flatten a subquery with a LIMIT into a join, which would drop the
 *             order. The replacement is made as text and parsed: the parser
 *             then owns the shape of the tree.
 *
 * Invariants  (1) The name by which the rest of the query knows the table
 *                 stays, as the alias of the subquery.
 *             (2) There is no text for a query that reads row numbers (rowid,
 *                 or a column that answers to that name): a subquery has none.
 *             (3) A table with INDEXED BY or NOT INDEXED, or without rowid,
 *                 stays as it is.
 *
 * Cost        one copy, and one small parse for each table. Scratch is cut in
 *             halves, for the copy and for the parser and the printer.
 */
#include "intent/row_order.h"

#include "sql/parse.h"
#include "sql/print.h"

#include <assert.h>

typedef struct rewrite {
    arena *a;
    arena scratch;
    const binding *b;
    row_order order;
    ptrdiff_t n;       // tables that were changed
    bool is_hopeless;  // it reads row numbers
} rewrite;

static void add_name(buf *b, str name)
{
    buf_char(b, '"');
    for (ptrdiff_t i = 0; i < name.len; i++) {
        buf_add(b, name.ptr[i] == '"' ? S("\"\"") : str_sub(name, i, i + 1));
    }
    buf_char(b, '"');
}

// (SELECT * FROM "t" ORDER BY ... LIMIT -1) AS "t"
static ast *ordered_table(rewrite *w, str table, str name)
{
    assert(w->order >= 0 && w->order < ROW_ORDERS);
    static const char *const keys[] = {
        [ROW_ORDER_REVERSED] = "rowid DESC",
        [ROW_ORDER_MIXED] = "rowid * 7919 % 8191, rowid",
    };
    buf text = buf_new(w->a);
    buf_add(&text, S("SELECT 1 FROM (SELECT * FROM "));
    add_name(&text, table);
    buf_printf(&text, " ORDER BY %s LIMIT -1) AS ", keys[w->order]);
    add_name(&text, name);
    parse_result r =
        parse_sql(w->a, buf_str(&text), DIALECT_SQLITE, w->scratch);
    return r.errors.len == 0 && r.statements ? r.statements->kid[SELECT_FROM]
                                             : NULL;
}

static ast *change(rewrite *w, const ast *n);

static ast *change_list(rewrite *w, const ast *list)
{
    ast *first = NULL;
    ast **last = &first;
    for (; list; list = list->next) {
        *last = change(w, list);
        last = &(*last)->next;
    }
    return first;
}

// The tree with its tables changed. A hint on a table keeps it as it is.
static ast *change(rewrite *w, const ast *n)
{
    const bound_source *s =
        n->kind == AST_TABLE ? bind_source_at(w->b, n) : NULL;
    const bound_ref *ref = bind_ref(w->b, n);
    bool is_column = ref && ref->kind == REF_COLUMN && ref->column >= 0;
    w->is_hopeless |= (ref && ref->kind == REF_ROWID)
                      || (is_column && n->kind == AST_COLUMN
                          && !str_equal_fold(
                              ref->source->columns[ref->column].name, n->text));
    bool changes = s && s->kind == SOURCE_TABLE && s->block
                   && !n->kid[TABLE_HINT]
                   && w->b->schema->tables[s->table].has_rowid;
    if (changes) {
        ast *table =
            ordered_table(w, w->b->schema->tables[s->table].name, s->name);
        w->n += table != NULL;
        return table ? table : ast_copy(w->a, n);
    }
    ast *copy = ast_new(w->a, (ast_kind)n->kind);
    copy->form = n->form;
    copy->flags = n->flags;
    copy->text = n->text;
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids; i++) {
        copy->kid[i] = change_list(w, n->kid[i]);
    }
    // An alias needs no second one below it.
    ast *below = n->kind == AST_ALIAS ? copy->kid[ALIAS_EXPR] : NULL;
    if (below && below->kind == AST_ALIAS
        && n->kid[ALIAS_EXPR]->kind == AST_TABLE) {
        copy->kid[ALIAS_EXPR] = below->kid[ALIAS_EXPR];
    }
    return copy;
}

str row_order_changed(arena *a,
                      const binding *b,
                      row_order order,
                      arena scratch)
{
    assert(b && b->query);
    arena work = arena_half(&scratch);
    rewrite w = {.a = &work, .scratch = scratch, .b = b, .order = order};
    ast *tree = b->dialect == DIALECT_SQLITE && b->problems.len == 0
                    ? change(&w, b->query->node)
                    : NULL;
    if (!tree || w.n == 0 || w.is_hopeless) {
        return (str){0};
    }
    buf text = buf_new(a);
    print_sql(&text, tree, b->dialect, PRINT_ONE_LINE, scratch);
    return buf_str(&text);
}
