/*
 * bind_query.c - queries, blocks and expressions.
 *
 * Method      The clauses of a block are bound in the order in which names come
 *             to mean something, not in that of the text: WITH, FROM, the
 *             select list (its aliases count in later clauses), the conditions
 *             of FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT.
 *
 *             An aggregate belongs to the innermost block whose columns its
 *             arguments use; call_level and call_deepest carry that up.
 *
 * Invariants  (1) Of block, left and right, body exactly one is set in a query
 *                 that was bound.
 *             (2) height bounds the recursion: views add theirs to the query's.
 *
 * Cost        Linear in the tree, times what a name costs (bind_name.c).
 */
#include "schema/bind_internal.h"
#include "sql/semantics.h"

#include <assert.h>

enum {
    HEIGHT_MAX = 2 * AST_MAX_HEIGHT,  // views add theirs to the query's
};

static bound_query *new_query(binder *b, const ast *node)
{
    assert(node->id > 0 && node->id < b->b->n_nodes);
    bound_query *q = arena_new(b->a, bound_query, 1);
    q->node = node;
    b->b->queries[node->id] = q;
    return q;
}

static bind_scope *new_scope(binder *b, const ast *node, bind_place place)
{
    bind_scope *s = arena_new(b->a, bind_scope, 1);
    s->block.node = node;
    s->block.outer = place.outer ? &place.outer->block : NULL;
    s->outer = place.outer;
    s->around = place.around;
    s->with = place.with;
    s->level = place.outer ? place.outer->level + 1 : 0;
    return s;
}

static void bind_subquery(binder *b, bind_scope *s, const ast *query)
{
    bind_form(b, query, (bind_place){.outer = s, .around = s, .with = s->with});
}

// The block that an aggregate belongs to: where its arguments come from.
static void note_aggregate(bind_scope *s, int32_t deepest)
{
    assert(s);
    while (deepest >= 0 && s->outer && s->level > deepest) {
        s = s->outer;
    }
    bool counts = s->clause == CLAUSE_ITEMS || s->clause == CLAUSE_HAVING
                  || s->clause == CLAUSE_ORDER;
    s->block.is_grouped |= counts;
}

static void bind_call(binder *b, bind_scope *s, const ast *n)
{
    bool is_aggregate = dialect_aggregates(b->b->dialect, n);
    int32_t level = b->call_level;
    int32_t deepest = b->call_deepest;
    bool was_in_call = b->in_call;
    b->in_call = true;
    if (is_aggregate) {
        b->call_level = s->level;
        b->call_deepest = -1;
    }
    bind_exprs(b, s, n->kid[CALL_ARGS]);
    bind_exprs(b, s, n->kid[CALL_ORDER]);
    bind_exprs(b, s, n->kid[CALL_WITHIN]);
    bind_expr(b, s, n->kid[CALL_FILTER]);
    b->in_call = was_in_call;
    const ast *over = n->kid[CALL_OVER];
    if (over && over->kind == AST_WINDOW) {
        bind_expr(b, s, over);
    }
    if (is_aggregate) {
        note_aggregate(s, b->call_deepest);
        bool counts = b->call_deepest <= level && b->call_deepest > deepest;
        b->call_level = level;
        b->call_deepest = counts ? b->call_deepest : deepest;
    }
}

static void bind_kids(binder *b, bind_scope *s, const ast *n)
{
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids; i++) {
        bind_exprs(b, s, n->kid[i]);
    }
}

// x IN t: all rows of a table of one column.
static void bind_in(binder *b, bind_scope *s, const ast *n)
{
    bool was_grouped = s->block.is_grouped;
    const ast *source = n->kid[IN_SOURCE];
    bind_expr(b, s, n->kid[IN_EXPR]);
    bind_exprs(b, s, n->kid[IN_LIST]);
    // SQLite takes `x IN ()` for a truth, and does not look at x.
    if (!source && !n->kid[IN_LIST] && b->b->dialect == DIALECT_SQLITE) {
        s->block.is_grouped = was_grouped;
    }
    bool is_table =
        source
        && (source->kind == AST_TABLE
            || (source->kind == AST_COLUMN && b->b->dialect == DIALECT_SQLITE));
    if (is_table) {
        bind_source(b, s, source, NULL, false);
    } else {
        bind_expr(b, s, source);
    }
}

void bind_expr(binder *b, bind_scope *s, const ast *n)
{
    if (!n || ++b->height > HEIGHT_MAX) {
        b->height -= n != NULL;
        return;
    }
    switch ((int)n->kind) {
    case AST_COLUMN:
    case AST_DOUBT: bind_column(b, s, n); break;
    case AST_CALL: bind_call(b, s, n); break;
    case AST_IN: bind_in(b, s, n); break;
    case AST_SELECT:
    case AST_SETOP:
    case AST_VALUES:
    case AST_NESTED: bind_subquery(b, s, n); break;
    case AST_BINARY:
        if (n->form != OPERATOR_NAMED) {
            bind_expr(b, s, n->kid[BINARY_LEFT]);
        }
        bind_expr(b, s, n->kid[BINARY_RIGHT]);
        bind_expr(b, s, n->kid[BINARY_ESCAPE]);
        break;
    case AST_COLLATE: bind_expr(b, s, n->kid[COLLATE_EXPR]); break;
    case AST_CAST:
        bind_expr(b, s, n->kid[CAST_EXPR]);
        bind_expr(b, s, n->kid[CAST_FORMAT]);
        break;
    case AST_STAR:
    case AST_NAME:
    case AST_TYPE:
    case AST_WORDS:
    case AST_ERROR: break;
    default: bind_kids(b, s, n); break;
    }
    b->height--;
}

void bind_exprs(binder *b, bind_scope *s, const ast *list)
{
    for (; list; list = list->next) {
        bind_expr(b, s, list);
    }
}

static void bind_clause_of(binder *b,
                           bind_scope *s,
                           const ast *list,
                           bind_clause clause)
{
    s->clause = clause;
    bind_exprs(b, s, list);
}

static void bind_waiting(binder *b, bind_scope *s)
{
    bool sees_all = b->b->dialect == DIALECT_SQLITE;
    for (ptrdiff_t i = 0; i < s->later.len; i++) {
        bind_later l = s->later.ptr[i];
        s->clause = CLAUSE_FROM;
        s->from = sees_all ? 0 : l.from;
        s->to = sees_all ? s->sources.len : l.to;
        s->on = l.expr;
        bind_expr(b, s, l.expr);
    }
    s->on = NULL;
    s->from = 0;
    s->to = s->sources.len;
}

static void bind_limit(binder *b, bind_scope *s, const ast *limit)
{
    if (limit) {
        bind_clause_of(b, s, limit, CLAUSE_LIMIT);
    }
}

static void bind_select(binder *b, bind_scope *s, const ast *n)
{
    bind_from(b, s, n->kid[SELECT_FROM]);
    // MySQL asks HAVING of each row where nothing is grouped.
    s->block.is_grouped =
        n->kid[SELECT_GROUP]
        || (n->kid[SELECT_HAVING] && b->b->dialect != DIALECT_MYSQL);
    bind_items(b, s, n->kid[SELECT_ITEMS]);
    bind_keys(b, s, n->kid[SELECT_ON], CLAUSE_ORDER);
    bind_waiting(b, s);
    bind_clause_of(b, s, n->kid[SELECT_WHERE], CLAUSE_WHERE);
    bind_keys(b, s, n->kid[SELECT_GROUP], CLAUSE_GROUP);
    bind_clause_of(b, s, n->kid[SELECT_HAVING], CLAUSE_HAVING);
    bind_clause_of(b, s, n->kid[SELECT_WINDOWS], CLAUSE_HAVING);
    bind_clause_of(b, s, n->kid[SELECT_QUALIFY], CLAUSE_HAVING);
    bind_keys(b, s, n->kid[SELECT_ORDER], CLAUSE_ORDER);
    bind_limit(b, s, n->kid[SELECT_TOP]);
    bind_limit(b, s, n->kid[SELECT_LIMIT]);
}

static void bind_values(binder *b, bind_scope *s, const ast *n)
{
    bind_clause_of(b, s, n->kid[VALUES_ROWS], CLAUSE_ITEMS);
    const ast *row = n->kid[VALUES_ROWS];
    const ast *item = row ? row->kid[ROW_ITEMS] : NULL;
    ptrdiff_t all = ast_list_len(item);
    ptrdiff_t count = all < BIND_COLUMNS_MAX ? all : BIND_COLUMNS_MAX;
    bound_column *outputs = arena_new(b->a, bound_column, count);
    for (ptrdiff_t i = 0; i < count; i++, item = item->next) {
        outputs[i] = bind_type(b->b, item);
        outputs[i].name = arena_printf(b->a, "column%td", i + 1);
    }
    s->block.outputs = outputs;
    s->block.n_outputs = count;
    s->is_alias = NULL;
}

static bound_query *bind_block(binder *b, const ast *n, bind_place place)
{
    assert(n->kind == AST_SELECT || n->kind == AST_VALUES);
    bound_query *q = new_query(b, n);
    bind_scope *s = new_scope(b, n, place);
    q->block = &s->block;
    if (n->kind == AST_SELECT) {
        bind_select(b, s, n);
    } else {
        bind_values(b, s, n);
        bind_limit(b, s, n->kid[VALUES_LIMIT]);
    }
    q->outputs = s->block.outputs;
    q->n_outputs = s->block.n_outputs;
    q->is_open = s->is_open;
    if (place.cte) {
        bind_anchor(b, place.cte, q);
    }
    if (n->kind == AST_VALUES) {
        bind_set_order(b, q, n->kid[VALUES_ORDER]);
    }
    return q;
}

static const char *set_word(const ast *n)
{
    return n->form == SETOP_FORM_UNION       ? "UNION"
           : n->form == SETOP_FORM_INTERSECT ? "INTERSECT"
           : n->form == SETOP_FORM_EXCEPT    ? "EXCEPT"
                                             : "MINUS";
}

// LIMIT of a set operation: no name means anything there.
static void bind_outer_limit(binder *b, const ast *limit, bind_place place)
{
    if (limit) {
        bind_limit(b, new_scope(b, limit, place), limit);
    }
}

// The columns of a set operation: those of its left, with values of the right.
static const bound_column *united(binder *b,
                                  const bound_query *left,
                                  const bound_query *right)
{
    bound_column *columns = arena_new(b->a, bound_column, left->n_outputs);
    for (ptrdiff_t i = 0; i < left->n_outputs; i++) {
        columns[i] = left->outputs[i];
        if (i < right->n_outputs) {
            bind_unite(&columns[i], &right->outputs[i]);
        }
    }
    return columns;
}

static bound_query *bind_setop(binder *b, const ast *n, bind_place place)
{
    bound_query *q = new_query(b, n);
    bind_place right = place;
    right.cte = NULL;
    q->left = bind_form(b, n->kid[SETOP_LEFT], place);
    q->right = bind_form(b, n->kid[SETOP_RIGHT], right);
    q->outputs = united(b, q->left, q->right);
    q->n_outputs = q->left->n_outputs;
    q->is_open = q->left->is_open;
    if (q->left->n_outputs != q->right->n_outputs && !q->left->is_open
        && !q->right->is_open) {
        bind_problem_add(b, BIND_COLUMN_COUNT, n,
                         "the sides of %s have %td and %td columns",
                         set_word(n), q->left->n_outputs, q->right->n_outputs);
    }
    bind_set_order(b, q, n->kid[SETOP_ORDER]);
    bind_outer_limit(b, n->kid[SETOP_LIMIT], place);
    return q;
}

static bound_query *bind_nested(binder *b, const ast *n, bind_place place)
{
    bound_query *q = new_query(b, n);
    q->body = bind_form(b, n->kid[NESTED_BODY], place);
    q->outputs = q->body->outputs;
    q->n_outputs = q->body->n_outputs;
    q->is_open = q->body->is_open;
    bind_set_order(b, q, n->kid[NESTED_ORDER]);
    bind_outer_limit(b, n->kid[NESTED_LIMIT], place);
    return q;
}

bound_query *bind_form(binder *b, const ast *n, bind_place place)
{
    if (!n || !ast_is_query(n) || b->height > HEIGHT_MAX) {
        static const ast nothing = {.kind = AST_ERROR};
        bound_query *q = arena_new(b->a, bound_query, 1);
        q->node = n ? n : &nothing;
        q->is_open = true;
        return q;
    }
    b->height++;
    const ast *with = ast_query_has(n, QUERY_WITH);
    place.with = bind_with_of(b, with, place);
    bound_query *q = n->kind == AST_SETOP    ? bind_setop(b, n, place)
                     : n->kind == AST_NESTED ? bind_nested(b, n, place)
                                             : bind_block(b, n, place);
    assert((q->block != NULL) + (q->left && q->right) + (q->body != NULL) == 1);
    if (with) {
        bind_unused(b, place.with);
    }
    b->height--;
    assert(b->height >= 0);
    return q;
}
