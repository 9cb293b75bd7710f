/*
 * neighbor_rewrite.c - other ways to say nearly the same, as models choose
 * them: MAX for ORDER BY and LIMIT 1, a group of its shown columns, a subquery
 * for a join. They agree on most data; ties, names that occur twice and empty
 * tables tell them apart.
 */
#include "suite/neighbor_change.h"

#include <assert.h>

bool changer_is_first(const ast *limit)
{
    const ast *n = limit ? limit->kid[LIMIT_COUNT] : NULL;
    return n && n->kind == AST_NUMBER && str_equal(n->text, S("1"))
           && !limit->kid[LIMIT_OFFSET];
}

// MAX(x) over the FROM, as a subquery.
static ast *extreme_of(changer *c, const ast *sort, ast *from, ast *where)
{
    str name = sort->form == SORT_FORM_DESC ? S("MAX") : S("MIN");
    const node_draft inner = {
        .kind = AST_SELECT,
        .kids = {[SELECT_ITEMS] = changer_call(
                     c, name, changer_copy(c, sort->kid[SORT_EXPR])),
                 [SELECT_FROM] = from,
                 [SELECT_WHERE] = where}};
    return changer_subquery(c, changer_new(c, inner));
}

// ORDER BY x DESC LIMIT 1 becomes WHERE x = (SELECT MAX(x) ...): of the same
// rows, of all rows of the FROM, of the table of x alone; once with LIMIT 1.
void order_to_extreme(changer *c, const site *s, ast *n)
{
    (void)s;
    const ast *sort = n->kid[SELECT_ORDER];
    bool fits = changer_is_first(n->kid[SELECT_LIMIT]) && sort && !sort->next
                && sort->kid[SORT_EXPR]->kind == AST_COLUMN
                && !n->kid[SELECT_GROUP] && n->kid[SELECT_FROM];
    if (!fits) {
        return;
    }
    const ast *key = sort->kid[SORT_EXPR];
    const bound_ref *ref = bind_ref(c->binding, key);
    bool is_table =
        ref && ref->kind == REF_COLUMN && ref->source->kind == SOURCE_TABLE;
    for (int way = 0; way < 4; way++) {
        changer_edit(c, n);
        bool is_alone = way == 2 && is_table;
        ast *from = is_alone ? changer_source(c, ref->source)
                             : changer_copy(c, n->kid[SELECT_FROM]);
        ast *where =
            way % 3 == 0 ? changer_copy(c, n->kid[SELECT_WHERE]) : NULL;
        n->kid[SELECT_WHERE] =
            changer_and(c, n->kid[SELECT_WHERE],
                        changer_binary(c, OPERATOR_EQUAL, changer_copy(c, key),
                                       extreme_of(c, sort, from, where)));
        n->kid[SELECT_ORDER] = NULL;
        n->kid[SELECT_LIMIT] = way == 3 ? n->kid[SELECT_LIMIT] : NULL;
        changer_emit(c, NEIGHBOR_EXTREME);
    }
}

// MAX(x) among the items becomes x with ORDER BY x DESC LIMIT 1.
void extreme_to_order(changer *c, const site *s, ast *n)
{
    (void)s;
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
        const node_draft sort = {.kind = AST_SORT,
                                 .form =
                                     is_max ? SORT_FORM_DESC : SORT_FORM_PLAIN,
                                 .kids = {[SORT_EXPR] = changer_copy(c, x)}};
        changer_set(c, &n->kid[SELECT_ORDER], changer_new(c, sort));
        changer_set(c, &n->kid[SELECT_LIMIT], changer_first(c));
        changer_put(c, NEIGHBOR_EXTREME, slot, changer_copy(c, x));
    }
}

// GROUP BY the columns that are shown, in place of the key of their table; or
// where only the first row is taken.
void group_by_shown(changer *c, const site *s, ast *n)
{
    ast *shown = NULL;
    for (const ast *i = n->kid[SELECT_ITEMS]; i; i = i->next) {
        if (i->kind == AST_COLUMN) {
            changer_append(&shown, changer_copy(c, i));
        }
    }
    bool takes_first = n->kid[SELECT_LIMIT] && s->own && !s->own->is_grouped;
    if (shown && (n->kid[SELECT_GROUP] || takes_first)) {
        changer_child(c, NEIGHBOR_GROUP_KEY, &n->kid[SELECT_GROUP], shown);
    }
}

// ORDER BY x becomes ORDER BY SUM(x) and the like. (MAX for DESC, and without
// NULL MIN for ASC, would say the same.)
static void order_by_group(changer *c, ast *n, ast *key)
{
    ast *sort = n->kid[SELECT_ORDER];
    ast *expr = sort->kid[SORT_EXPR];
    bool is_down = sort->form == SORT_FORM_DESC;
    ast *const by[] = {
        changer_call(c, S("SUM"), expr),
        changer_call(c, is_down ? S("MIN") : S("MAX"), expr),
        changer_count(c),
    };
    for (ptrdiff_t i = 0; i < countof(by); i++) {
        changer_set(c, &n->kid[SELECT_GROUP], key);
        changer_put(c, NEIGHBOR_GROUP_KEY, &sort->kid[SORT_EXPR], by[i]);
    }
}

// DISTINCT becomes GROUP BY the key; a join is grouped by it, and its ORDER BY
// is by the group.
void group_by_key(changer *c, const site *s, ast *n)
{
    const bound_block *block = s->own;
    ast *key = n->kid[SELECT_GROUP] ? NULL : changer_key_of_first(c, n, block);
    if (!key || block->is_grouped) {
        return;
    }
    if (n->flags & AST_FLAG_DISTINCT) {
        changer_set(c, &n->kid[SELECT_GROUP], key);
        changer_flags(c, NEIGHBOR_DISTINCT, n, n->flags ^ AST_FLAG_DISTINCT);
    }
    const ast *sort = n->kid[SELECT_ORDER];
    if (block->n_sources > 1 && sort
        && sort->kid[SORT_EXPR]->kind == AST_COLUMN) {
        order_by_group(c, n, key);
    } else if (block->n_sources > 1 && !s->is_set) {
        changer_child(c, NEIGHBOR_GROUP_KEY, &n->kid[SELECT_GROUP], key);
    }
}

typedef struct belonging {
    const changer *c;
    const bound_source *source;
    bool reads_it;
    bool has_other;  // another source, a star, a subquery
} belonging;

static bool look_at_column(void *context, const ast *n)
{
    belonging *b = context;
    const bound_ref *ref = bind_ref(b->c->binding, n);
    bool is_of_it = ref && ref->source == b->source;
    b->reads_it |= is_of_it;
    b->has_other |= ast_is_query(n) || n->kind == AST_STAR
                    || (ref && ref->kind != REF_STRING
                        && !(is_of_it && ref->kind == REF_COLUMN));
    return true;
}

// Of the nodes from `from` up to, but not including, `end`.
static belonging belonging_of(const changer *c,
                              const ast *from,
                              const ast *end,
                              const bound_source *s)
{
    belonging b = {.c = c, .source = s};
    for (; from != end; from = from->next) {
        ast_walk(from, look_at_column, &b);
    }
    return b;
}

bool changer_reads(const changer *c, const ast *n, const bound_source *s)
{
    return belonging_of(c, n, n->next, s).reads_it;
}

bool changer_some_read(const changer *c, const ast *list, const bound_source *s)
{
    return belonging_of(c, list, NULL, s).reads_it;
}

bool changer_belongs(const changer *c, const ast *n, const bound_source *s)
{
    belonging b = belonging_of(c, n, n->next, s);
    return b.reads_it && !b.has_other;
}

bool changer_all_belong(const changer *c,
                        const ast *list,
                        const bound_source *s)
{
    belonging b = belonging_of(c, list, NULL, s);
    return b.reads_it && !b.has_other;
}

// May the clauses of the join go to its other side? Each is of that side
// alone; there is one at least.
static bool is_about(const changer *c, const ast *n, const bound_source *b)
{
    static const int clauses[] = {SELECT_WHERE, SELECT_GROUP, SELECT_HAVING};
    bool fits = true;
    bool has_some = false;
    for (ptrdiff_t i = 0; i < countof(clauses); i++) {
        const ast *clause = n->kid[clauses[i]];
        fits = fits && (!clause || changer_all_belong(c, clause, b));
        has_some = has_some || clause;
    }
    for (const ast *s = n->kid[SELECT_ORDER]; s; s = s->next) {
        fits = fits && n->kid[SELECT_LIMIT]
               && (s->kid[SORT_EXPR]->kind == AST_CALL
                   || changer_belongs(c, s->kid[SORT_EXPR], b));
        has_some = true;
    }
    return fits && has_some;
}

void changer_sides(const changer *c,
                   const ast *on,
                   const bound_source *s,
                   const ast *sides[2])
{
    assert(on->kind == AST_BINARY);
    bool is_left = changer_belongs(c, on->kid[BINARY_LEFT], s);
    sides[0] = on->kid[is_left ? BINARY_LEFT : BINARY_RIGHT];
    sides[1] = on->kid[is_left ? BINARY_RIGHT : BINARY_LEFT];
}

static bool is_same_column(const changer *c, const ast *n, const ast *other)
{
    const bound_ref *x = bind_ref(c->binding, n);
    const bound_ref *y = bind_ref(c->binding, other);
    return x && y && x->kind == REF_COLUMN && y->kind == REF_COLUMN
           && x->source == y->source && x->column == y->column;
}

// The items of a query of `a` alone: where they show its side of the join, the
// other side stands in. NULL: they show more.
static ast *items_without(changer *c,
                          const ast *items,
                          const bound_source *a,
                          const ast *sides[2])
{
    ast *list = NULL;
    for (; items; items = items->next) {
        bool is_side = is_same_column(c, items, sides[1]);
        if (!is_side && !changer_belongs(c, items, a)) {
            return NULL;
        }
        changer_append(&list, changer_copy(c, is_side ? sides[0] : items));
    }
    return list;
}

// FROM a JOIN b ON a.x = b.y WHERE (of b) becomes FROM a WHERE a.x = (SELECT
// b.y FROM b WHERE ...), likewise with IN, ORDER BY and LIMIT.
void join_to_subquery(changer *c, const site *s, ast *n)
{
    const bound_block *block = s->own;
    const ast *join = n->kid[SELECT_FROM];
    const ast *on = join && join->kind == AST_JOIN ? join->kid[JOIN_ON] : NULL;
    bool fits = on && join->form == JOIN_FORM_INNER && block
                && block->n_sources == 2 && on->kind == AST_BINARY
                && on->form == OPERATOR_EQUAL && !n->kid[SELECT_WITH];
    for (int outer = 0; fits && outer < 2; outer++) {
        const bound_source *a = block->sources[outer];
        const bound_source *b = block->sources[1 - outer];
        const ast *sides[2];
        changer_sides(c, on, a, sides);
        if (!is_about(c, n, b) || !changer_belongs(c, sides[0], a)
            || !changer_belongs(c, sides[1], b)
            || (changer_is_first(n->kid[SELECT_LIMIT])
                && changer_has_partner(c, sides[1], sides[0]))) {
            continue;
        }
        ast *items = items_without(c, n->kid[SELECT_ITEMS], a, sides);
        if (!items) {
            continue;
        }
        ast *inner = changer_inner(c, n, changer_copy(c, sides[1]));
        inner->kid[SELECT_FROM] =
            join->kid[outer == 0 ? JOIN_RIGHT : JOIN_LEFT];
        ast *own = changer_copy(c, sides[0]);
        ast *conditions[] = {
            changer_binary(c, OPERATOR_EQUAL, own, changer_subquery(c, inner)),
            changer_in(c, own, inner, false),
        };
        for (ptrdiff_t i = 0; i < countof(conditions); i++) {
            changer_edit(c, n);
            for (int k = SELECT_FROM; k <= SELECT_LOCK; k++) {
                n->kid[k] = NULL;
            }
            n->kid[SELECT_ITEMS] = items;
            n->kid[SELECT_FROM] =
                join->kid[outer == 0 ? JOIN_LEFT : JOIN_RIGHT];
            n->kid[SELECT_WHERE] = conditions[i];
            changer_emit(c, NEIGHBOR_NESTING);
        }
    }
}
