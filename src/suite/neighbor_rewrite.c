/*
 * neighbor_rewrite.c - other ways to say nearly the same, as models choose
 * them: MAX for ORDER BY and LIMIT 1, a group of its shown columns, a subquery
 * for a join. They agree on most data; ties, names that occur twice and empty
 * tables tell them apart.
 */
#include "suite/neighbor_change.h"

// What of a SELECT is exchanged, to be put back.
typedef struct select_state {
    ast *kids[SELECT_LOCK + 1];
    uint16_t flags;
} select_state;

static select_state keep_select(const ast *n)
{
    select_state s = {.flags = n->flags};
    for (int k = 0; k <= SELECT_LOCK; k++) {
        s.kids[k] = n->kid[k];
    }
    return s;
}

static void restore_select(ast *n, const select_state *s)
{
    n->flags = s->flags;
    for (int k = 0; k <= SELECT_LOCK; k++) {
        n->kid[k] = s->kids[k];
    }
}

static ast *call_of(changer *c, str name, ast *argument)
{
    ast *call = ast_new(&c->trees, AST_CALL);
    call->text = name;
    call->kid[CALL_ARGS] = argument;
    return call;
}

static ast *and_of(changer *c, ast *left, ast *right)
{
    return left ? changer_binary(c, OPERATOR_AND, left, right) : right;
}

static ast *copy_of(changer *c, const ast *n)
{
    return n ? ast_copy(&c->trees, n) : NULL;
}

static bool is_one(const ast *limit)
{
    const ast *n = limit ? limit->kid[LIMIT_COUNT] : NULL;
    return n && n->kind == AST_NUMBER && str_equal(n->text, S("1"))
           && !limit->kid[LIMIT_OFFSET];
}

// ORDER BY x DESC LIMIT 1 becomes WHERE x = (SELECT MAX(x) ...).
static void change_extreme(changer *c, ast *n)
{
    const ast *sort = n->kid[SELECT_ORDER];
    bool fits = is_one(n->kid[SELECT_LIMIT]) && sort && !sort->next
                && sort->kid[SORT_EXPR]->kind == AST_COLUMN
                && !n->kid[SELECT_GROUP] && n->kid[SELECT_FROM];
    if (!fits) {
        return;
    }
    select_state old = keep_select(n);
    for (int keeps_where = 1; keeps_where >= 0; keeps_where--) {
        arena keep = c->trees;
        const ast *key = sort->kid[SORT_EXPR];
        ast *inner = ast_new(&c->trees, AST_SELECT);
        inner->kid[SELECT_ITEMS] =
            call_of(c, sort->form == SORT_FORM_DESC ? S("MAX") : S("MIN"),
                    copy_of(c, key));
        inner->kid[SELECT_FROM] = copy_of(c, n->kid[SELECT_FROM]);
        inner->kid[SELECT_WHERE] =
            keeps_where ? copy_of(c, old.kids[SELECT_WHERE]) : NULL;
        ast *query = ast_new(&c->trees, AST_SUBQUERY);
        query->kid[SUBQUERY_QUERY] = inner;
        n->kid[SELECT_WHERE] =
            and_of(c, old.kids[SELECT_WHERE],
                   changer_binary(c, OPERATOR_EQUAL, copy_of(c, key), query));
        n->kid[SELECT_ORDER] = NULL;
        n->kid[SELECT_LIMIT] = NULL;
        changer_emit(c, NEIGHBOR_EXTREME);
        restore_select(n, &old);
        c->trees = keep;
    }
}

// MAX(x) among the items becomes x with ORDER BY x DESC LIMIT 1.
static void change_extreme_item(changer *c, ast *n)
{
    bool fits = !n->kid[SELECT_GROUP] && !n->kid[SELECT_ORDER]
                && !n->kid[SELECT_LIMIT] && n->kid[SELECT_FROM];
    for (ast **slot = &n->kid[SELECT_ITEMS]; fits && *slot;
         slot = &(*slot)->next) {
        ast *item = *slot;
        const ast *x = item->kind == AST_CALL ? item->kid[CALL_ARGS] : NULL;
        bool is_max = x && str_equal_fold(item->text, S("MAX"));
        bool is_min = x && str_equal_fold(item->text, S("MIN"));
        if ((!is_max && !is_min) || x->kind != AST_COLUMN || x->next) {
            continue;
        }
        arena keep = c->trees;
        ast *sort = ast_new(&c->trees, AST_SORT);
        sort->form = is_max ? SORT_FORM_DESC : SORT_FORM_PLAIN;
        sort->kid[SORT_EXPR] = copy_of(c, x);
        ast *limit = ast_new(&c->trees, AST_LIMIT);
        limit->kid[LIMIT_COUNT] = changer_number(c, S("1"));
        n->kid[SELECT_ORDER] = sort;
        n->kid[SELECT_LIMIT] = limit;
        changer_put(c, NEIGHBOR_EXTREME, slot, copy_of(c, x));
        n->kid[SELECT_ORDER] = NULL;
        n->kid[SELECT_LIMIT] = NULL;
        c->trees = keep;
    }
}

// The key that the table of the first item has, as a column; NULL: none that is
// one column, or it is the item.
static ast *key_of_first(changer *c, const ast *n, const bound_block *block)
{
    const ast *item = n->kid[SELECT_ITEMS];
    const bound_ref *ref =
        item && item->kind == AST_COLUMN ? bind_ref(c->binding, item) : NULL;
    if (!ref || ref->kind != REF_COLUMN || !block
        || ref->source->kind != SOURCE_TABLE) {
        return NULL;
    }
    const schema_table *t = &c->binding->schema->tables[ref->source->table];
    const schema_unique *key = schema_primary(t);
    if (!key || key->n != 1 || key->columns[0] == ref->column) {
        return NULL;
    }
    return changer_column(c, ref->source, key->columns[0], block);
}

// GROUP BY the columns that are shown, in place of the key behind them.
static void group_by_shown(changer *c, ast *n)
{
    arena keep = c->trees;
    ast *shown = NULL;
    ast **end = &shown;
    for (const ast *i = n->kid[SELECT_ITEMS]; i; i = i->next) {
        if (i->kind == AST_COLUMN) {
            *end = copy_of(c, i);
            end = &(*end)->next;
        }
    }
    ast *old = n->kid[SELECT_GROUP];
    if (old && shown) {
        n->kid[SELECT_GROUP] = shown;
        changer_emit(c, NEIGHBOR_GROUP_KEY);
        n->kid[SELECT_GROUP] = old;
    }
    c->trees = keep;
}

// DISTINCT becomes GROUP BY the key; ORDER BY x becomes GROUP BY the key and
// ORDER BY SUM(x).
static void group_by_key(changer *c, ast *n, const bound_block *block)
{
    arena keep = c->trees;
    ast *key = n->kid[SELECT_GROUP] ? NULL : key_of_first(c, n, block);
    if (!key || block->is_grouped) {
        c->trees = keep;
        return;
    }
    select_state old = keep_select(n);
    n->kid[SELECT_GROUP] = key;
    if (n->flags & AST_FLAG_DISTINCT) {
        n->flags &= (uint16_t)~AST_FLAG_DISTINCT;
        changer_emit(c, NEIGHBOR_DISTINCT);
        n->flags = old.flags;
    }
    ast *sort = n->kid[SELECT_ORDER];
    if (sort && sort->kid[SORT_EXPR]->kind == AST_COLUMN
        && block->n_sources > 1) {
        ast *expr = sort->kid[SORT_EXPR];
        sort->kid[SORT_EXPR] = call_of(c, S("SUM"), expr);
        changer_emit(c, NEIGHBOR_GROUP_KEY);
        sort->kid[SORT_EXPR] = expr;
    }
    restore_select(n, &old);
    c->trees = keep;
}

typedef struct belonging {
    const changer *c;
    const bound_source *source;
    bool is_only;   // nothing of another source
    bool has_some;  // something of this one
} belonging;

static bool look_at_column(void *context, const ast *n)
{
    belonging *b = context;
    if (ast_is_query(n)) {
        b->is_only = false;
        return false;
    }
    if (n->kind == AST_STAR) {
        b->is_only = false;
    }
    const bound_ref *ref = bind_ref(b->c->binding, n);
    if (ref && ref->kind != REF_STRING) {
        bool is_own = ref->kind == REF_COLUMN && ref->source == b->source;
        b->is_only = b->is_only && is_own;
        b->has_some = b->has_some || is_own;
    }
    return true;
}

static bool belongs(const changer *c, const ast *list, const bound_source *s)
{
    belonging b = {c, s, true, false};
    for (; list; list = list->next) {
        ast_walk(list, look_at_column, &b);
    }
    return b.is_only && b.has_some;
}

// FROM a JOIN b ON a.x = b.y WHERE (of b) becomes FROM a WHERE a.x = (SELECT
// b.y FROM b WHERE ...), likewise with IN.
static void join_to_subquery(changer *c, ast *n, const bound_block *block)
{
    const ast *join = n->kid[SELECT_FROM];
    const ast *on = join && join->kind == AST_JOIN ? join->kid[JOIN_ON] : NULL;
    bool fits = on && join->form == JOIN_FORM_INNER && block
                && block->n_sources == 2 && n->kid[SELECT_WHERE]
                && on->kind == AST_BINARY && on->form == OPERATOR_EQUAL
                && !n->kid[SELECT_GROUP] && !n->kid[SELECT_HAVING]
                && !n->kid[SELECT_ORDER];
    for (int outer = 0; fits && outer < 2; outer++) {
        const bound_source *a = block->sources[outer];
        const bound_source *b = block->sources[1 - outer];
        int side =
            belongs(c, on->kid[BINARY_LEFT], a) ? BINARY_LEFT : BINARY_RIGHT;
        int other = side == BINARY_LEFT ? BINARY_RIGHT : BINARY_LEFT;
        if (!belongs(c, n->kid[SELECT_ITEMS], a)
            || !belongs(c, n->kid[SELECT_WHERE], b)
            || !belongs(c, on->kid[side], a)
            || !belongs(c, on->kid[other], b)) {
            continue;
        }
        arena keep = c->trees;
        select_state old = keep_select(n);
        ast *inner = ast_new(&c->trees, AST_SELECT);
        inner->kid[SELECT_ITEMS] = copy_of(c, on->kid[other]);
        inner->kid[SELECT_FROM] =
            copy_of(c, join->kid[outer == 0 ? JOIN_RIGHT : JOIN_LEFT]);
        inner->kid[SELECT_WHERE] = old.kids[SELECT_WHERE];
        n->kid[SELECT_FROM] =
            copy_of(c, join->kid[outer == 0 ? JOIN_LEFT : JOIN_RIGHT]);
        ast *query = ast_new(&c->trees, AST_SUBQUERY);
        query->kid[SUBQUERY_QUERY] = inner;
        n->kid[SELECT_WHERE] =
            changer_binary(c, OPERATOR_EQUAL, copy_of(c, on->kid[side]), query);
        changer_emit(c, NEIGHBOR_NESTING);
        ast *in = ast_new(&c->trees, AST_IN);
        in->kid[IN_EXPR] = copy_of(c, on->kid[side]);
        in->kid[IN_SOURCE] = inner;
        n->kid[SELECT_WHERE] = in;
        changer_emit(c, NEIGHBOR_NESTING);
        restore_select(n, &old);
        c->trees = keep;
    }
}

void change_wording(changer *c, ast *n, const bound_block *block)
{
    change_extreme(c, n);
    change_extreme_item(c, n);
    group_by_shown(c, n);
    group_by_key(c, n, block);
    join_to_subquery(c, n, block);
}
