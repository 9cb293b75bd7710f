/*
 * spell_lateral.c - see spell_lateral.h.
 *
 * Method      A query that always has one row is a value: what uses its column
 *             asks for it, as (SELECT max(b) FROM u WHERE u.a = t.a). Of a
 *             plain one the conditions that see the row before it become
 *             conditions of the join; what they see of the query itself becomes
 *             a column of it, by a name that begins with a blank.
 *
 * Not here    A LIMIT, DISTINCT or GROUP BY for each row; what a star shows, or
 *             a name within another query.
 */
#include "check/spell_lateral.h"

#include "relation/relation_values.h"
#include "sql/ast_rewrite.h"
#include "sql/semantics.h"

typedef struct lateral {
    const binding *b;
    const ast *select;
    const ast *join;
    const ast *alias;
    const ast *query;  // a SELECT
    ast *on;           // what is left of it to join by
    ast **end;         // of the items of the query
    int n_items;       // that were added
    bool is_value;
    bool is_lost;
    arena *a;
    arena scratch;
} lateral;

// A name that another block before it has?
static bool is_outer(const void *b, const ast *n)
{
    const bound_ref *ref = bind_ref(b, n);
    return ref && ref->depth > 0;
}

// One that may be another's where more is in sight: without the table that has
// it, or of a block around the SELECT.
static bool is_loose(const void *b, const ast *n)
{
    const bound_ref *ref = bind_ref(b, n);
    bool is_bare = n->kind != AST_COLUMN || !n->kid[COLUMN_PATH];
    return ref && (ref->depth > 1 || (ref->depth == 1 && is_bare));
}

// Does what has one name on both sides meet?
static bool merges(const ast *n)
{
    return n->kind == AST_JOIN
           && (n->kid[JOIN_USING] || n->flags & AST_FLAG_NATURAL);
}

static bool aggregates(const void *b, const ast *n)
{
    return dialect_aggregates(((const binding *)b)->dialect, n);
}

static bool is_query(const void *ignored, const ast *n)
{
    (void)ignored;
    return ast_is_query(n);
}

static bool is_more_than_row(const void *b, const ast *n)
{
    return ast_is_query(n) || (n->kind == AST_CALL && n->kid[CALL_OVER])
           || aggregates(b, n);
}

static bool is_plain(const ast *select)
{
    static const int rest[] = {SELECT_WITH,    SELECT_ON,     SELECT_TOP,
                               SELECT_GROUP,   SELECT_HAVING, SELECT_WINDOWS,
                               SELECT_QUALIFY, SELECT_ORDER,  SELECT_LIMIT};
    bool is_plain =
        select->kind == AST_SELECT && !(select->flags & AST_FLAG_DISTINCT);
    for (int i = 0; is_plain && i < countof(rest); i++) {
        is_plain = !select->kid[rest[i]];
    }
    return is_plain;
}

static ast *both(lateral *l, ast *one, ast *other)
{
    return ast_both(l->a, one, other, l->scratch);
}

// The query in parentheses.
static ast *nested(lateral *l, const ast *query)
{
    return ast_expression(l->a, S("(SELECT ?1)"), l->b->dialect, &query,
                          l->scratch);
}

static ast *shown(void *context, const ast *n)
{
    lateral *l = context;
    const bound_ref *ref = bind_ref(l->b, n);
    l->is_lost |=
        ast_is_query(n) || (ref && (ref->depth > 1 || ref->is_merged));
    if (!ref || ref->depth > 0) {
        return ref && ref->source ? ast_column(l->a, n->text, ref->source->name)
                                  : NULL;
    }
    str name =
        arena_printf(l->a, " %.*s %d", STR_ARG(l->alias->text), ++l->n_items);
    *l->end = ast_named(l->a, ast_copy(l->a, n), name);
    l->end = &(*l->end)->next;
    return ast_column(l->a, name, l->alias->text);
}

// What of the condition stays in the query.
static ast *lifted(lateral *l, const ast *n)
{
    if (n->kind == AST_BINARY && n->form == OPERATOR_AND) {
        ast *left = lifted(l, n->kid[BINARY_LEFT]);
        return both(l, left, lifted(l, n->kid[BINARY_RIGHT]));
    }
    if (!ast_find(n, is_outer, l->b)) {
        return ast_copy(l->a, n);
    }
    l->on = both(l, l->on, ast_rewrite(l->a, n, shown, l));
    return NULL;
}

static ast *joined(lateral *l)
{
    const ast *from = l->query->kid[SELECT_FROM];
    l->is_lost |= !from || ast_find(from, is_outer, l->b);
    ast *query = ast_copy(l->a, l->query);
    l->end = &query->kid[SELECT_ITEMS];
    for (const ast *i = l->query->kid[SELECT_ITEMS]; i; i = i->next) {
        l->is_lost |= ast_find(i, is_outer, l->b)
                      || ast_find(i, is_more_than_row, l->b)
                      || i->kind == AST_STAR;
        l->end = &(*l->end)->next;
    }
    const ast *where = l->query->kid[SELECT_WHERE];
    query->kid[SELECT_WHERE] = where ? lifted(l, where) : NULL;
    ast *join = ast_copy(l->a, l->join);
    int form = l->join->form;
    join->form = form == JOIN_FORM_LEFT || form == JOIN_FORM_OUTER_APPLY
                     ? JOIN_FORM_LEFT
                 : form == JOIN_FORM_COMMA ? JOIN_FORM_COMMA
                                           : JOIN_FORM_INNER;
    join->kid[JOIN_RIGHT]->kid[ALIAS_EXPR] = nested(l, query);
    ast *all = both(l, l->on, join->kid[JOIN_ON]);
    l->on = form == JOIN_FORM_COMMA ? all : NULL;
    join->kid[JOIN_ON] = form == JOIN_FORM_COMMA ? NULL
                         : all                   ? all
                               : ast_expression(l->a, S("1 = 1"), l->b->dialect,
                                                NULL, l->scratch);
    return join;
}

static ast *value(lateral *l, int32_t column)
{
    ast *query = ast_copy(l->a, l->query);
    ast *item = query->kid[SELECT_ITEMS];
    for (; column > 0 && item->next; column--) {
        item = item->next;
    }
    item->next = NULL;
    query->kid[SELECT_ITEMS] = item;
    return nested(l, query);
}

static bool is_true(const ast *on)
{
    return !on || on->kind == AST_TRUE
           || (on->kind == AST_BINARY && on->form == OPERATOR_EQUAL
               && on->kid[BINARY_LEFT]->kind == AST_NUMBER
               && ast_equal(on->kid[BINARY_LEFT], on->kid[BINARY_RIGHT]));
}

static ast *said(void *context, const ast *n)
{
    lateral *l = context;
    const bound_ref *ref = bind_ref(l->b, n);
    l->is_lost |= l->is_value && merges(n);
    bool is_of = l->is_value && ref && ref->kind == REF_COLUMN && ref->source
                 && ref->source->query && ref->source->query->node == l->query;
    l->is_lost |=
        (is_of && ref->depth > 0)
        || (n->kind == AST_STAR
            && (!n->kid[STAR_PATH]
                || str_equal_fold(n->kid[STAR_PATH]->text, l->alias->text)));
    if (n != l->join || !l->is_value) {
        return n == l->join ? joined(l) : is_of ? value(l, ref->column) : NULL;
    }
    const ast *on = n->kid[JOIN_ON];
    l->on = is_true(on) ? NULL : ast_rewrite(l->a, on, said, l);
    return ast_rewrite(l->a, n->kid[JOIN_LEFT], said, l);
}

// Does the join ask its right side for each row of its left one?
static bool look_at_join(lateral *l, const ast *join)
{
    bool applies = join->form == JOIN_FORM_CROSS_APPLY
                   || join->form == JOIN_FORM_OUTER_APPLY;
    bool is_plain_join = applies || join->form == JOIN_FORM_INNER
                         || join->form == JOIN_FORM_COMMA
                         || join->form == JOIN_FORM_LEFT
                         || join->form == JOIN_FORM_CROSS;
    const ast *right = join->kid[JOIN_RIGHT];
    const ast *of =
        right && right->kind == AST_ALIAS ? right->kid[ALIAS_EXPR] : NULL;
    bool is_lateral = of && of->kind == AST_LATERAL;
    of = is_lateral ? of->kid[LATERAL_SOURCE] : of;
    const ast *query =
        of && of->kind == AST_SUBQUERY ? of->kid[SUBQUERY_QUERY] : NULL;
    if (!query || !(is_lateral || applies) || !is_plain_join
        || join->kid[JOIN_USING] || join->flags & AST_FLAG_NATURAL
        || right->kid[ALIAS_COLUMNS] || !is_plain(query)) {
        return false;
    }
    l->join = join;
    l->alias = right;
    l->query = query;
    l->is_value =
        query->kid[SELECT_ITEMS]
        && (join->form != JOIN_FORM_LEFT || is_true(join->kid[JOIN_ON]));
    for (const ast *i = query->kid[SELECT_ITEMS]; i; i = i->next) {
        l->is_value &=
            ast_find(i, aggregates, l->b) && !ast_find(i, is_query, NULL);
    }
    return true;
}

// The columns that became values are called as they were.
static void keep_names(lateral *l, const ast *item, ast **said)
{
    for (; item; item = item->next, said = &(*said)->next) {
        if (item->kind == AST_COLUMN && (*said)->kind == AST_SUBQUERY) {
            ast *next = (*said)->next;
            (*said)->next = NULL;
            *said = ast_named(l->a, *said, item->text);
            (*said)->next = next;
        }
    }
}

ast *spell_lateral(arena *a, const binding *b, const ast *select, arena scratch)
{
    lateral l = {.b = b, .select = select, .a = a, .scratch = scratch};
    const ast *join = select->kid[SELECT_FROM];
    while (join && join->kind == AST_JOIN && !look_at_join(&l, join)
           && join->form != JOIN_FORM_RIGHT && join->form != JOIN_FORM_FULL) {
        join = join->kid[JOIN_LEFT];
    }
    l.is_lost = l.is_value && join != select->kid[SELECT_FROM]
                && ast_find(l.query, is_loose, b);
    ast *out = l.join ? ast_rewrite(a, select, said, &l) : NULL;
    if (out) {
        keep_names(&l, select->kid[SELECT_ITEMS], &out->kid[SELECT_ITEMS]);
    }
    if (out && l.on) {
        out->kid[SELECT_WHERE] = both(&l, out->kid[SELECT_WHERE], l.on);
    }
    return l.is_lost ? NULL : out;
}
