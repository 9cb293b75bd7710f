/*
 * rule_imply.c - conditions that others make superfluous.
 *
 * Only what can be seen from two of them: comparisons of one term with
 * literals, and an OR that has a branch which another condition is or implies.
 */
#include "prove/rule_common.h"
#include "relation/relation_type.h"

enum {
    LOOKS_MAX = 60  // conditions of a block
};

// The same with a literal whose order is known.
static bool read_comparable(const term *t, bound *out)
{
    return read_bound(t, out) && out->literal->kind != TERM_REAL;
}

// Where x may be beside a and b, by their order: which comparison with either
// holds there, as bits.
static const uint8_t places[3][5][2] = {
    {{1, 1}, {2, 1}, {4, 1}, {4, 2}, {4, 4}},  // a < b
    {{1, 1}, {2, 2}, {4, 4}},
    {{1, 1}, {1, 2}, {1, 4}, {2, 4}, {4, 4}},  // a > b
};
// x as it is beside a implies x as beside b, where `order` is that of both.
static bool beside_implies(unsigned one, unsigned other, literal_order order)
{
    if (order == LITERAL_OPEN || order == LITERAL_OTHER) {
        return order == LITERAL_OTHER && one == ALLOWS_EQUAL
               && other == ALLOWS_UNLIKE;
    }
    bool holds = true;
    for (int i = 0; holds && i < 5; i++) {
        const uint8_t *at = places[(int)order + 1][i];
        holds = !(one & at[0]) || (other & at[1]);
    }
    return holds;
}

static bool implies(prover *p, const term *a, const term *b, int depth);

static bool each_implies(prover *p, const term *list, const term *b)
{
    if (!type_lists_as_compared(p, list->args[0], list->args + 1,
                                list->n - 1)) {
        return false;
    }
    for (int32_t i = 1; i < list->n; i++) {
        const term *one =
            term_compare(p, TERM_EQUAL, list->args[0], list->args[i]);
        if (!implies(p, one, b, 1)) {
            return false;
        }
    }
    return true;
}

static bool implies_listed(prover *p, const bound *left, const term *list)
{
    if (!type_lists_as_compared(p, list->args[0], list->args + 1,
                                list->n - 1)) {
        return false;
    }
    for (int32_t i = 1; i < list->n; i++) {
        if (left->allows == ALLOWS_EQUAL && list->args[0] == left->x
            && list->args[i] == left->literal) {
            return true;
        }
    }
    return false;
}

static bool implies_branch(prover *p, const term *a, const term *b, int depth)
{
    for (int32_t i = 0; i < b->n; i++) {
        if (implies(p, a, b->args[i], depth + 1)) {
            return true;
        }
    }
    return false;
}

// x of MIN(x) and MAX(x), which are by the order of comparisons; NULL: none.
static const term *extreme_of(const term *t, const char *name)
{
    const term *x = aggregated(t, name);
    return x && term_is_binary(x) ? x : NULL;
}

// Whether what bounds the left side bounds the right one: the least from below
// the greatest.
static bool bounds(const bound *left, const bound *right)
{
    bool is_above = (left->allows & ALLOWS_UNLIKE) == ALLOWS_GREATER;
    bool is_below = (left->allows & ALLOWS_UNLIKE) == ALLOWS_LESS;
    const term *x = is_above   ? extreme_of(left->x, "min")
                    : is_below ? extreme_of(left->x, "max")
                               : NULL;
    return left->x == right->x
           || (x && x == extreme_of(right->x, is_above ? "max" : "min"));
}

static bool implies(prover *p, const term *a, const term *b, int depth)
{
    if (a == b) {
        return true;
    }
    if (depth > 3) {
        return false;
    }
    if (b->kind == TERM_OR) {
        return implies_branch(p, a, b, depth);
    }
    const term *x = term_tested_not_null(b);
    if (x) {
        return know_rejects(a, x, NULL);
    }
    if (a->kind == TERM_IN_LIST) {
        return each_implies(p, a, b);
    }
    bound left;
    bound right;
    if (!read_comparable(a, &left)) {
        return false;
    }
    if (b->kind == TERM_IN_LIST) {
        return implies_listed(p, &left, b);
    }
    return read_comparable(b, &right) && bounds(&left, &right)
           && beside_implies(
               left.allows, right.allows,
               type_order(p, left.x, left.literal, right.literal));
}

bool conditions_imply(prover *p, const term_list *l, const term *t)
{
    bool holds = false;
    for (ptrdiff_t i = 0; !holds && i < l->len; i++) {
        holds = implies(p, l->ptr[i], t, 0);
    }
    return holds;
}

static bool drop_implied(prover *p, term_list *l)
{
    for (ptrdiff_t i = 0; l->len <= LOOKS_MAX && i < l->len; i++) {
        for (ptrdiff_t k = 0; k < l->len; k++) {
            if (i != k && implies(p, l->ptr[i], l->ptr[k], 0)) {
                term_list_remove(l, k);
                return true;
            }
        }
    }
    return false;
}

bool rule_implied(prover *p, block *b)
{
    bool changed = drop_implied(p, &b->where);
    for (ptrdiff_t i = 0; !changed && i < b->sources.len; i++) {
        changed = drop_implied(p, &b->sources.ptr[i]->on);
    }
    // Bare columns are of the row of a MIN or MAX, wherever that stands.
    return changed
           || (b->having.len > 1 && !know_results(p, b).is_bare
               && drop_implied(p, &b->having));
}

static bool contradict(prover *p,
                       const block *in,
                       const term *a,
                       const term *b);

// Does what each of the literals says contradict `b`?
static bool each_contradicts(prover *p,
                             const block *in,
                             const term *list,
                             const term *b)
{
    bool all =
        type_lists_as_compared(p, list->args[0], list->args + 1, list->n - 1);
    for (int32_t i = 1; all && i < list->n; i++) {
        all = contradict(
            p, in, term_compare(p, TERM_EQUAL, list->args[0], list->args[i]),
            b);
    }
    return all;
}

// Can no row satisfy both? What the literals say is seen sooner than which
// columns are held together.
static bool contradict(prover *p, const block *in, const term *a, const term *b)
{
    bound left;
    bound right;
    if (a->kind == TERM_IN_LIST || b->kind == TERM_IN_LIST) {
        return a->kind == TERM_IN_LIST ? each_contradicts(p, in, a, b)
                                       : each_contradicts(p, in, b, a);
    }
    const term *x = term_tested_null(b);
    if (x) {
        return know_rejects(a, x, NULL);
    }
    return read_comparable(a, &left) && read_bound(b, &right)
           && beside_implies(left.allows, ALLOWS_ALL & ~right.allows,
                             type_order(p, left.x, left.literal, right.literal))
           && know_same_class(p, in, left.x, right.x);
}

// Whether another condition of the block contradicts a part of this one; with
// `but` -1 any.
static bool is_denied(prover *p, const block *b, const term *t, ptrdiff_t but)
{
    bool denied = false;
    for (int32_t i = 0; t->kind == TERM_AND && !denied && i < t->n; i++) {
        denied = is_denied(p, b, t->args[i], but);
    }
    for (ptrdiff_t i = 0; !denied && i < b->where.len; i++) {
        const term *other = b->where.ptr[i];
        denied = i != but
                 && (contradict(p, b, t, other) || contradict(p, b, other, t));
    }
    return denied;
}

bool exclude_each_other(prover *p, const block *b, const term_list *others)
{
    bool exclude = false;
    for (ptrdiff_t k = 0; !exclude && k < others->len; k++) {
        exclude = is_denied(p, b, others->ptr[k], -1);
    }
    return exclude;
}

// What IN compares with a literal as = does; what is no literal it does not.
static bool is_dead_item(prover *p,
                         const block *b,
                         const term *list,
                         int32_t i,
                         ptrdiff_t at)
{
    return i > 0 && term_is_literal(list->args[i])
           && is_denied(
               p, b, term_compare(p, TERM_EQUAL, list->args[0], list->args[i]),
               at);
}

bool rule_dead_branch(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    bool is_list =
        t->kind == TERM_IN_LIST
        && type_lists_as_compared(p, t->args[0], t->args + 1, t->n - 1);
    term_list left = {0};
    for (int32_t i = 0; (is_list || t->kind == TERM_OR) && i < t->n; i++) {
        bool is_dead = is_list ? is_dead_item(p, b, t, i, at)
                               : is_denied(p, b, t->args[i], at);
        if (!is_dead) {
            term_list_push(p, &left, t->args[i]);
        }
    }
    // Without any it is a contradiction.
    if (left.len == is_list || left.len == t->n || left.len == 0) {
        return false;
    }
    return where_becomes(
        p, b, at,
        is_list ? term_in_list(p, left.ptr, (int32_t)left.len)
                : term_all(p, TERM_OR, left.ptr, (int32_t)left.len));
}

// The solver sees so itself, but of the same tables.
bool rule_contradiction(prover *p, block *b)
{
    bool found = false;
    bool looks = !p->proving->options->solver;
    for (ptrdiff_t i = 0;
         looks && b->where.len <= LOOKS_MAX && i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        const term *x = term_tested_null(t);
        found |= (x && know_not_null_but(p, b, x, t)) || is_denied(p, b, t, i);
    }
    if (found) {
        b->where.len = 0;
        term_list_push(p, &b->where, term_boolean(p, false));
    }
    return found;
}
