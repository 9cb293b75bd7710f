/*
 * audit_never.c - conditions that hold of no row, and set operations with a
 * side that has none; see need.def.
 *
 * Method      Literals that a term is compared with cut what it may be into
 *             places: each of them, what lies between two, and NULL. Conditions
 *             of that term alone hold in a place or do not; there is no row if
 *             in none all of them hold. What else a condition asks is taken to
 *             hold.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "relation/normal.h"
#include "relation/relation_type.h"

enum {
    PLACES_MAX = 200
};

typedef struct places {
    prover *p;
    const term *x;
    term_list same;  // it, and columns that have its value
    term_kind kind;  // of the literals
    term_list literals;
    bool is_unordered;  // some of them, as nobody knows of what order
    bool is_open;       // some may be one value
} places;

static bool is_x(const places *w, const term *t)
{
    return term_list_has(&w->same, t);
}

// Is the condition one of x and a literal, or IN of literals?
static bool is_of_term(const places *w, const term *t)
{
    bool compares = t->kind >= TERM_EQUAL && t->kind <= TERM_GREATER_EQUAL;
    bool is_order = t->kind >= TERM_LESS && t->kind <= TERM_GREATER_EQUAL;
    if (is_order && w->is_unordered) {
        return false;
    }
    if (compares) {
        return (is_x(w, t->args[0]) && t->args[1]->kind == w->kind)
               || (is_x(w, t->args[1]) && t->args[0]->kind == w->kind);
    }
    bool lists = t->kind == TERM_IN_LIST && is_x(w, t->args[0])
                 && type_lists_as_compared(w->p, w->x, t->args + 1, t->n - 1);
    for (int32_t i = 1; lists && i < t->n; i++) {
        lists = t->args[i]->kind == w->kind;
    }
    return lists;
}

static void add_literals(places *w, const term *t)
{
    for (int32_t i = 0; is_of_term(w, t) && i < t->n; i++) {
        ptrdiff_t at = w->literals.len;
        if (is_x(w, t->args[i]) || term_list_has(&w->literals, t->args[i])) {
            continue;
        }
        for (ptrdiff_t k = 0; k < w->literals.len; k++) {
            literal_order order =
                type_order(w->p, w->x, w->literals.ptr[k], t->args[i]);
            w->is_open |= order == LITERAL_OPEN;
            w->is_unordered |= order == LITERAL_OPEN || order == LITERAL_OTHER;
            at -= order == LITERAL_GREATER;
        }
        term_list_push(w->p, &w->literals, t->args[i]);
        for (ptrdiff_t k = w->literals.len - 1; k > at; k--) {
            w->literals.ptr[k] = w->literals.ptr[k - 1];
        }
        w->literals.ptr[at] = t->args[i];
    }
}

// Of the place before, at or behind the literal; place 2 i + 1 is literal i.
static int order_at(const places *w, ptrdiff_t place, const term *literal)
{
    ptrdiff_t at = 0;
    while (w->literals.ptr[at] != literal) {
        at++;
    }
    return place < 2 * at + 1 ? -1 : place > 2 * at + 1;
}

// May the condition hold where x is in that place? -1: where it is NULL.
static bool may_hold(const places *w, const term *t, ptrdiff_t place)
{
    bool is_not = t->kind == TERM_NOT;
    const term *is = is_not ? t->args[0] : t;
    if (is->kind == TERM_IS && is->args[0] == w->x
        && is->args[1]->kind == TERM_NULL) {
        return (place < 0) != is_not;
    }
    if (place < 0) {
        return !fact_rejects(t, w->x, NULL);
    }
    if (!is_of_term(w, t)) {
        return true;
    }
    bool holds = false;
    for (int32_t i = 1; t->kind == TERM_IN_LIST && i < t->n; i++) {
        holds |= order_at(w, place, t->args[i]) == 0;
    }
    if (t->kind == TERM_IN_LIST) {
        return holds;
    }
    bool is_right = is_x(w, t->args[1]);
    int order = order_at(w, place, t->args[!is_right]);
    return term_order_holds((term_kind)t->kind, is_right ? -order : order);
}

static bool is_never(prover *p,
                     const term_list *where,
                     const term *x,
                     term_kind kind)
{
    places w = {.p = p, .x = x, .kind = kind};
    term_list_push(p, &w.same, x);
    for (ptrdiff_t i = 0; i < where->len; i++) {
        const term *t = where->ptr[i];
        bool is_one = t->kind == TERM_EQUAL && t->args[0]->kind == TERM_COLUMN
                      && t->args[1]->kind == TERM_COLUMN
                      && (t->args[0] == x || t->args[1] == x)
                      && fact_identical(p, t->args[0], t->args[1]);
        if (is_one) {
            term_list_add(p, &w.same, t->args[t->args[0] == x]);
        }
    }
    for (ptrdiff_t i = 0; i < where->len; i++) {
        add_literals(&w, where->ptr[i]);
    }
    bool never = w.literals.len < PLACES_MAX && !w.is_open;
    for (ptrdiff_t at = -1; never && at <= 2 * w.literals.len; at++) {
        bool holds = true;
        for (ptrdiff_t i = 0; holds && i < where->len; i++) {
            holds = may_hold(&w, where->ptr[i], at);
        }
        never = !holds;
    }
    return never;
}

bool need_where_is_never(const need_step *s)
{
    const term_list *where = &s->was->b.where;
    bool never = false;
    for (ptrdiff_t i = 0; !never && i < where->len; i++) {
        const term *t = where->ptr[i];
        never = t->kind == TERM_IS && t->args[1]->kind == TERM_NULL
                && fact_not_null(s->p, s->was, t->args[0], t);
        for (int32_t k = 0; !never && k < t->n && k < 2; k++) {
            never = is_never(s->p, where, t->args[k], TERM_INTEGER)
                    || is_never(s->p, where, t->args[k], TERM_TEXT);
        }
    }
    return never && s->is->where.len == 1 && term_list_has_false(&s->is->where);
}

static bool has_rows(const block *b)
{
    bool is_group = b->is_grouped && !b->has_group;
    return b->set || is_group || !term_list_has_false(&b->where);
}

static bool is_side(const block *side, const block *is)
{
    return side->left == is->left && side->right == is->right
           && side->is_all == is->is_all
           && term_lists_equal(&side->where, &is->where)
           && term_lists_equal(&side->select, &is->select)
           && term_lists_equal(&side->group, &is->group)
           && term_lists_equal(&side->having, &is->having)
           && side->sources.len == is->sources.len
           && (side->sources.len == 0
               || side->sources.ptr[0] == is->sources.ptr[0])
           && side->is_grouped == is->is_grouped && !block_has_limit(side);
}

// Do its columns compare as those of the set operation, or does nobody compare
// them?
static bool compares_as(const need_step *s)
{
    const block *b = &s->was->b;
    bool is_shown = (b->is_result && b->order.len == 0) || b->is_test;
    bool same = true;
    for (int32_t i = 0; same && i < block_outputs(b); i++) {
        bool is_alike = term_types_equal(term_type_of_output(b, i),
                                         term_type_of_output(s->is, i));
        bool is_one =
            b->is_all
            || (!s->is->set
                && fact_exact(s->p, s->is->select.ptr[i]) != FACT_MIXED);
        same = (is_shown && b->is_all) || (is_alike && is_one);
    }
    return same;
}

bool need_side_is_empty(const need_step *s)
{
    const block *b = &s->was->b;
    bool left = b->set && has_rows(b->left);
    bool right = b->set && has_rows(b->right);
    bool has_any = b->set == SET_UNION    ? left || right
                   : b->set == SET_EXCEPT ? left
                                          : left && right;
    if (!b->set || (left && right) || has_any != has_rows(s->is)
        || !(b->is_all || s->is->distinct) || !compares_as(s)) {
        return false;
    }
    return (is_side(b->left, s->is) && (left || !has_any))
           || (is_side(b->right, s->is) && b->set != SET_EXCEPT
               && (right || !has_any));
}

// An aggregate of no rows, or a constant.
static bool is_constant_of(const term *was, const term *is, bool has_none)
{
    bool is_count =
        was->kind == TERM_AGGREGATE && str_equal(was->text, S("count"));
    bool is_null = was->kind == TERM_AGGREGATE && was->n == 1
                   && str_among(was->text, "sum min max");
    bool varies =
        was->has & (HAS_COLUMN | HAS_AGGREGATE | HAS_WINDOW | HAS_BLOCK);
    return varies ? has_none
                        && ((is_count && term_is_number(is, 0))
                            || (is_null && is->kind == TERM_NULL))
                  : was == is;
}

bool need_items_are_constant(const need_step *s)
{
    const block *b = &s->was->b;
    bool has_none = term_list_has_false(&b->where);
    bool holds = !s->is->is_grouped && !block_has_limit(b)
                 && s->is->sources.len == 0 && s->is->where.len == 0
                 && b->select.len == s->is->select.len;
    for (ptrdiff_t i = 0; holds && i < b->select.len; i++) {
        holds =
            is_constant_of(b->select.ptr[i], s->is->select.ptr[i], has_none);
    }
    return holds;
}
