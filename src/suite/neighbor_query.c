/*
 * neighbor_query.c - neighbors of queries: clauses and their members dropped,
 * added, moved, exchanged.
 *
 * Method      Each clause alone, then the spans that models forget together
 *             (WHERE up to GROUP BY, GROUP BY with HAVING, ORDER BY with
 *             LIMIT). Conditions of a WHERE move between a subquery and the
 *             query around it. Changes that cannot matter are not made:
 *             DISTINCT of one row, the order of a subquery without LIMIT, a
 *             column to group by that the groups determine.
 *
 * Invariants  (1) Each function leaves the tree as it found it (neighbor.c).
 *             (2) A conjunct's slot points to the AND above it, so that taking
 *                 it out is one assignment, and one is out at a time.
 *
 * Cost        constant in the columns: at most MORE_COLUMNS and MORE_GROUPS are
 *             tried, spread over all tables.
 */
#include "suite/neighbor_change.h"

#include <assert.h>

static void swap_first_two(changer *c, ast **list)
{
    ast *first = *list;
    ast *second = first ? first->next : NULL;
    if (second) {
        changer_set(c, &first->next, second->next);
        changer_set(c, &second->next, first);
        changer_child(c, NEIGHBOR_ORDER_KEY, list, second);
    }
}

// Below another query the order matters only where a LIMIT uses it.
static bool order_matters(const changer *c, ast *query)
{
    return query == c->root || *ast_query_part(query, QUERY_LIMIT);
}

// One row at most: DISTINCT says nothing.
static bool has_one_row(const changer *c, const ast *n)
{
    const bound_block *block = bind_block_at(c->binding, n);
    return changer_is_first(n->kid[SELECT_LIMIT])
           || (!n->kid[SELECT_GROUP] && block && block->is_grouped);
}

// The second in place of the first.
static void skip_first(changer *c, ast *limit)
{
    if (limit->kid[LIMIT_COUNT] && !limit->kid[LIMIT_OFFSET]) {
        changer_child(c, NEIGHBOR_LIMIT, &limit->kid[LIMIT_OFFSET],
                      changer_number(c, S("1")));
    }
}

void change_order(changer *c, const site *s, ast *query)
{
    ast **order = ast_query_part(query, QUERY_ORDER);
    ast **limit = ast_query_part(query, QUERY_LIMIT);
    if (!changer_is_scalar(s, query)) {
        changer_without(c, NEIGHBOR_LIMIT, limit);
    }
    if (!*order && query == c->root && !*limit
        && !(query->kind == AST_SELECT && has_one_row(c, query))) {
        changer_child(c, NEIGHBOR_LIMIT, limit, changer_first(c));
    }
    if (!*order || !order_matters(c, query)) {
        return;
    }
    changer_without(c, NEIGHBOR_ORDER_KEY, order);
    changer_drop_each(c, NEIGHBOR_ORDER_KEY, order);
    swap_first_two(c, order);
    if (!*limit) {
        changer_child(c, NEIGHBOR_LIMIT, limit, changer_first(c));
        return;
    }
    changer_set(c, limit, NULL);
    changer_without(c, NEIGHBOR_LIMIT, order);
    skip_first(c, *limit);
}

// WHERE with all that follows it up to a clause.
void drop_spans(changer *c, const site *s, ast *n)
{
    (void)s;
    for (int end = SELECT_GROUP; n->kid[SELECT_WHERE] && end <= SELECT_LIMIT;
         end++) {
        if (n->kid[end]) {
            changer_edit(c, n);
            for (int k = SELECT_WHERE; k <= end; k++) {
                n->kid[k] = NULL;
            }
            changer_emit(c, NEIGHBOR_CONDITION);
        }
    }
}

// With the groups, or of those of several rows only.
void change_having(changer *c, const site *s, ast *n)
{
    (void)s;
    if (n->kid[SELECT_GROUP] && n->kid[SELECT_HAVING]) {
        changer_set(c, &n->kid[SELECT_HAVING], NULL);
        changer_without(c, NEIGHBOR_GROUP_KEY, &n->kid[SELECT_GROUP]);
    } else if (n->kid[SELECT_GROUP]) {
        changer_child(c, NEIGHBOR_HAVING, &n->kid[SELECT_HAVING],
                      changer_binary(c, OPERATOR_GREATER, changer_count(c),
                                     changer_number(c, S("1"))));
    }
}

// A condition of a WHERE that all the others are joined to by AND: taking it
// out puts `rest` where `slot` points.
typedef struct conjunct {
    ast **slot;
    ast *rest;  // NULL: it was the only one
    ast *node;
} conjunct;

typedef vec_of(conjunct) conjuncts;

static void add_conjuncts(changer *c, conjuncts *list, ast **slot)
{
    ast *n = *slot;
    if (n->kind != AST_BINARY || n->form != OPERATOR_AND) {
        return;
    }
    for (int side = BINARY_LEFT; side <= BINARY_RIGHT; side++) {
        ast *node = n->kid[side];
        ast *other = n->kid[side == BINARY_LEFT ? BINARY_RIGHT : BINARY_LEFT];
        if (node->kind == AST_BINARY && node->form == OPERATOR_AND) {
            add_conjuncts(c, list, &n->kid[side]);
        } else {
            *vec_push(&c->trees, list) = (conjunct){slot, other, node};
        }
    }
}

static conjuncts conjuncts_of(changer *c, ast *select)
{
    conjuncts list = {0};
    ast **where = &select->kid[SELECT_WHERE];
    if (*where) {
        add_conjuncts(c, &list, where);
        if (list.len == 0) {
            *vec_push(&c->trees, &list) = (conjunct){where, NULL, *where};
        }
    }
    return list;
}

static bool is_it(const void *what, const ast *n)
{
    return n == what;
}

static void move_conjunct(changer *c, const conjunct *from, ast *to)
{
    ast **where = &to->kid[SELECT_WHERE];
    changer_set(c, from->slot, from->rest);
    changer_child(c, NEIGHBOR_NESTING, where,
                  changer_and(c, *where, from->node));
}

void change_nesting(changer *c, const site *s, ast *inner)
{
    ast *outer = s->select;
    if (!outer
        || (s->parent->kind != AST_SUBQUERY && s->parent->kind != AST_IN
            && s->parent->kind != AST_EXISTS)) {
        return;
    }
    conjuncts below = conjuncts_of(c, inner);
    for (ptrdiff_t i = 0; i < below.len; i++) {
        move_conjunct(c, &below.ptr[i], outer);
    }
    conjuncts above = conjuncts_of(c, outer);
    for (ptrdiff_t i = 0; i < above.len; i++) {
        if (!ast_find(above.ptr[i].node, is_it, inner)) {
            move_conjunct(c, &above.ptr[i], inner);
        }
    }
}

// MAX(x) for x. Of some items only one becomes an aggregate: SQLite allows it.
// In a grouped query most items have one value a group, so that it says the
// same.
void wrap_items(changer *c, const site *s, ast *n)
{
    (void)s;
    static const struct {
        str name;
        uint16_t flags;
    } calls[] = {
        {S_INIT("MAX"), 0},   {S_INIT("MIN"), 0},
        {S_INIT("COUNT"), 0}, {S_INIT("AVG"), 0},
        {S_INIT("SUM"), 0},   {S_INIT("COUNT"), AST_FLAG_DISTINCT},
    };
    bool is_grouped = n->kid[SELECT_GROUP] != NULL;
    for (ast **slot = &n->kid[SELECT_ITEMS]; *slot && !is_grouped;
         slot = &(*slot)->next) {
        for (ptrdiff_t i = 0; (*slot)->kind == AST_COLUMN && i < countof(calls);
             i++) {
            const node_draft call = {
                .kind = AST_CALL,
                .text = calls[i].name,
                .flags = calls[i].flags,
                .kids = {[CALL_ARGS] = ast_copy(&c->trees, *slot)}};
            changer_put(c, NEIGHBOR_WRAPPED, slot, changer_new(c, call));
        }
    }
}

static void append(changer *c, neighbor_kind kind, ast **list, ast *node)
{
    while (*list) {
        list = &(*list)->next;
    }
    changer_child(c, kind, list, node);
}

// All columns for those that are asked for; of groups, how many rows each has.
void show_more(changer *c, const site *s, ast *n)
{
    ast **items = &n->kid[SELECT_ITEMS];
    if (!s->parent && n->kid[SELECT_GROUP]) {
        append(c, NEIGHBOR_ITEM, items, changer_count(c));
    } else if (!s->parent && s->own && !s->own->is_grouped
               && n->kid[SELECT_FROM]) {
        changer_child(c, NEIGHBOR_ITEM, items,
                      changer_new(c, (node_draft){.kind = AST_STAR}));
    }
}

// Is the column among the groups, or the key of its table, by name at least?
// Then it changes nothing.
static bool is_determined(const changer *c,
                          const bound_source *source,
                          const ast *groups,
                          str column)
{
    const schema_unique *key =
        source->kind == SOURCE_TABLE
            ? schema_primary(&c->binding->schema->tables[source->table])
            : NULL;
    str by_key =
        key && key->n == 1 ? source->columns[key->columns[0]].name : column;
    bool found = false;
    for (const ast *g = groups; !found && g; g = g->next) {
        found = g->kind == AST_COLUMN
                && (str_equal_fold(g->text, by_key)
                    || str_equal_fold(g->text, column));
    }
    return found;
}

enum {
    MORE_COLUMNS = 12,  // added after the items, one at a time
    MORE_GROUPS = 8,
};

// Some columns of all tables, spread over them: each after the items, or as one
// more key, by which groups fall apart.
static void with_columns(changer *c,
                         const bound_block *block,
                         ast *n,
                         neighbor_kind kind)
{
    bool is_item = kind == NEIGHBOR_ITEM;
    ptrdiff_t most = is_item ? MORE_COLUMNS : MORE_GROUPS;
    ast **list = &n->kid[is_item ? SELECT_ITEMS : SELECT_GROUP];
    ptrdiff_t n_all = 0;
    for (ptrdiff_t i = 0; block && i < block->n_sources; i++) {
        n_all += block->sources[i]->n_columns;
    }
    ptrdiff_t at = 0;
    ptrdiff_t n_tried = 0;
    for (ptrdiff_t i = 0; block && i < block->n_sources; i++) {
        const bound_source *source = block->sources[i];
        for (int32_t k = 0; k < source->n_columns; k++, at++) {
            if (n_tried >= most || at < n_tried * n_all / most) {
                continue;
            }
            ast *column = changer_column(c, source, k, block);
            n_tried++;
            if (column
                && (is_item
                    || !is_determined(c, source, *list, column->text))) {
                append(c, kind, list, column);
            }
        }
    }
}

void add_items(changer *c, const site *s, ast *n)
{
    with_columns(c, s->own, n, NEIGHBOR_ITEM);
}

void add_keys(changer *c, const site *s, ast *n)
{
    if (n->kid[SELECT_GROUP] || (s->own && s->own->is_grouped)) {
        with_columns(c, s->own, n, NEIGHBOR_GROUP_KEY);
    }
}

// x IS NOT NULL for a column.
static void leave_out_null(changer *c, ast *n, const ast *column)
{
    if (column->kind == AST_COLUMN) {
        ast **where = &n->kid[SELECT_WHERE];
        ast *is = changer_is_null(c, column);
        is->flags = AST_FLAG_NOT;
        changer_child(c, NEIGHBOR_CONDITION, where, changer_and(c, *where, is));
    }
}

// For what is shown, and for what decides which rows are.
void leave_out_nulls(changer *c, const site *s, ast *n)
{
    (void)s;
    for (const ast *item = n->kid[SELECT_ITEMS]; item; item = item->next) {
        leave_out_null(c, n, item);
    }
    const ast *sort = n->kid[SELECT_LIMIT] ? n->kid[SELECT_ORDER] : NULL;
    for (; sort; sort = sort->next) {
        leave_out_null(c, n, sort->kid[SORT_EXPR]);
    }
}

void change_distinct(changer *c, const site *s, ast *n)
{
    if (!s->is_set && !has_one_row(c, n)) {
        changer_flags(c, NEIGHBOR_DISTINCT, n, n->flags ^ AST_FLAG_DISTINCT);
    }
}

// One side with the ORDER BY and LIMIT of the whole.
static void put_side(changer *c, const site *s, ast *n, int side)
{
    assert(side == SETOP_LEFT || side == SETOP_RIGHT);
    ast *alone = n->kid[side];
    static const struct {
        int own;
        int whole;
    } parts[] = {{SELECT_WITH, SETOP_WITH},
                 {SELECT_ORDER, SETOP_ORDER},
                 {SELECT_LIMIT, SETOP_LIMIT}};
    for (ptrdiff_t i = 0; alone->kind == AST_SELECT && i < countof(parts);
         i++) {
        if (!alone->kid[parts[i].own]) {
            changer_set(c, &alone->kid[parts[i].own], n->kid[parts[i].whole]);
        }
    }
    changer_put(c, NEIGHBOR_SET_SIDE, s->slot, alone);
}

void change_set(changer *c, const site *s, ast *n)
{
    for (int f = SETOP_FORM_UNION; f <= SETOP_FORM_EXCEPT; f++) {
        changer_edit(c, n)->flags &= (uint16_t)~AST_FLAG_ALL;
        changer_form(c, NEIGHBOR_SET_OPERATION, n, f);
    }
    changer_edit(c, n)->flags |= AST_FLAG_ALL;
    changer_form(c, NEIGHBOR_SET_OPERATION, n, SETOP_FORM_UNION);
    if (n->form == SETOP_FORM_EXCEPT || n->form == SETOP_FORM_MINUS) {
        changer_swap(c, NEIGHBOR_SET_OPERATION, &n->kid[SETOP_LEFT],
                     &n->kid[SETOP_RIGHT]);
    }
    put_side(c, s, n, SETOP_LEFT);
    put_side(c, s, n, SETOP_RIGHT);
}

void change_join(changer *c, const site *s, ast *n)
{
    (void)s;
    static const uint8_t forms[] = {JOIN_FORM_INNER, JOIN_FORM_LEFT,
                                    JOIN_FORM_RIGHT};
    bool has_condition =
        n->kid[JOIN_ON] || n->kid[JOIN_USING] || (n->flags & AST_FLAG_NATURAL);
    bool has_form = n->form == JOIN_FORM_INNER || n->form == JOIN_FORM_LEFT
                    || n->form == JOIN_FORM_RIGHT || n->form == JOIN_FORM_FULL;
    for (ptrdiff_t i = 0; has_condition && has_form && i < countof(forms);
         i++) {
        if (forms[i] != n->form) {
            changer_form(c, NEIGHBOR_JOIN_KIND, n, forms[i]);
        }
    }
}

// Texts in the order of the numbers that they are.
static void sort_as_number(changer *c, ast *sort)
{
    ast *expr = sort->kid[SORT_EXPR];
    if (expr->kind == AST_COLUMN
        && bind_type(c->binding, expr).affinity == AFFINITY_TEXT) {
        changer_put(c, NEIGHBOR_ORDER_KEY, &sort->kid[SORT_EXPR],
                    changer_binary(c, OPERATOR_ADD, ast_copy(&c->trees, expr),
                                   changer_number(c, S("0"))));
    }
}

void change_sort(changer *c, const site *s, ast *n)
{
    ast *query = s->select && s->parent == s->select ? s->select : NULL;
    if (!query || order_matters(c, query)) {
        bool is_down = n->form == SORT_FORM_DESC;
        changer_form(c, NEIGHBOR_DIRECTION, n,
                     is_down ? SORT_FORM_PLAIN : SORT_FORM_DESC);
        sort_as_number(c, n);
    }
}
