/*
 * rule_count.c - rules about COUNT and SUM.
 */
#include "prove/rule_common.h"
#include "relation/known.h"
#include "relation/normal_internal.h"
#include "relation/relation_type.h"

#include <assert.h>

static const term *count_rows(prover *p)
{
    return term_aggregate(p, S("count"), false, NULL, 0);
}

// Whether x is not NULL in the rows for which the test is true.
static bool is_there_when(prover *p,
                          const block *b,
                          const term *test,
                          const term *x)
{
    instance *s = x->source;
    return know_not_null(p, b, x) || know_rejects(test, x, NULL)
           || (s && s->is_outer && never_null_inside(p, s, x)
               && know_rejects(test, NULL, s));
}

// COUNT of CASE WHEN p THEN c END with 1 for c; NULL: it is none.
static const term *count_tested(prover *p, const block *b, const term *test)
{
    if (!is_when(test) || !is_there_when(p, b, test->args[0], test->args[1])) {
        return NULL;
    }
    return count_when(p, test->args[0]);
}

// COUNT of the first column that only padding makes NULL, for such a one; NULL:
// it is none.
static const term *count_partners(prover *p, const term *x)
{
    instance *s = x->source;
    bool counts = s && s->is_outer && never_null_inside(p, s, x);
    return counts ? count_of_partners(p, s) : NULL;
}

static const term *visit_count(rewrite *r, const term *t)
{
    const term *x = aggregated(t, "count");
    if (!x) {
        return t->block ? t : NULL;
    }
    const term *partners = t->flag ? NULL : count_partners(r->p, x);
    if (partners) {
        return partners;
    }
    bool is_rows = know_not_null(r->p, r->b, x)
                   && (!t->flag || group_rows_differ_in(r->p, r->b, x));
    return is_rows   ? count_rows(r->p)
           : t->flag ? NULL
                     : count_tested(r->p, r->b, x);
}

// What is of another query, or asks one.
static walk_step search_around(void *b, const term *t)
{
    bool is_around =
        t->block || (t->kind == TERM_COLUMN && !block_owns(b, t->source));
    return is_around ? WALK_END : WALK_ON;
}

// c of a query by itself that is COUNT(c); NULL: it is something else, or what
// case-where makes less of.
static const term *lone_count(block *b)
{
    bool is_lone = !b->has_group && b->having.len == 0 && b->select.len == 1;
    const term *t = is_lone ? b->select.ptr[0] : NULL;
    const term *c = t && !t->flag ? aggregated(t, "count") : NULL;
    return c && c->kind != TERM_CASE && !block_walk_own(b, search_around, b)
               ? c
               : NULL;
}

bool rule_count_rows(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_count, .of = HAS_AGGREGATE, .b = b};
    if (!b->is_grouped) {
        return false;
    }
    if (rewrite_results(&r, b)) {
        return true;
    }
    const term *c = lone_count(b);
    if (c) {
        term_conjoin(p, &b->where, not_null_test(p, c));
        b->select.ptr[0] = count_rows(p);
    }
    return c;
}

// x of CASE WHEN p THEN x ELSE 0 END, or of CASE WHEN NOT p THEN 0 ELSE x END,
// and p; NULL: it is neither.
static const term *or_else_zero(prover *p,
                                const block *b,
                                const term *t,
                                const term **test)
{
    bool is_case = t->kind == TERM_CASE && t->n == 3;
    int zero = is_case && term_is_number(t->args[1], 0) ? 1 : 2;
    if (!is_case || !term_is_number(t->args[zero], 0)) {
        return NULL;
    }
    *test = zero == 1 ? not_true(p, b, t->args[0]) : t->args[0];
    return t->args[3 - zero];
}

// p of such a CASE with the number n for x, or of a truth that is never NULL,
// which counts as 1; NULL: it is none of these.
static const term *test_added(prover *p,
                              const block *b,
                              const term *t,
                              int64_t *n)
{
    // Of EXISTS term_case() leaves the test. Where types are strict nothing
    // else that is true can be added.
    bool is_truth =
        term_is_decided(t)
        || (term_is_truth(t) && !prover_is_typed(p) && know_not_null(p, b, t));
    const term *test = NULL;
    const term *x = or_else_zero(p, b, t, &test);
    bool is_number = x && x->kind == TERM_INTEGER;
    *n = is_number ? x->number : 1;
    return is_number ? test : is_truth ? t : NULL;
}

// SUM of such as n times a COUNT; NULL: it is none.
static const term *sum_as_count(prover *p, const block *b, const term *x)
{
    int64_t n = 1;
    const term *test = test_added(p, b, x, &n);
    bool fits =
        test
        && (n == 1
            || (!prover_is_typed(p) && prover_assumes(p, ASSUME_NO_OVERFLOW)));
    const term *count = fits ? count_when(p, test) : NULL;
    return count && n != 1
               ? term_arithmetic(p, TERM_MULTIPLY, count, term_integer(p, n))
               : count;
}

// x of COALESCE(x, 0), CASE WHEN p THEN x END of that with ELSE 0, where x is
// not NULL; NULL: it is neither.
static const term *without_zero(prover *p, const block *b, const term *t)
{
    const term *args[2] = {0};
    args[1] = or_else_zero(p, b, t, &args[0]);
    // The sum of what is NULL in all rows is NULL, that of 0 is 0.
    return !args[1]                                ? or_zero(t)
           : is_there_when(p, b, args[0], args[1]) ? term_case(p, args, 2)
                                                   : NULL;
}

// COALESCE(SUM(x), 0) of SUM of such: a group has a row.
static const term *sum_of_padded(prover *p, const block *b, const term *t)
{
    const term *x = without_zero(p, b, t);
    if (!x) {
        return NULL;
    }
    const term *args[] = {term_aggregate(p, S("sum"), false, &x, 1),
                          term_integer(p, 0)};
    return term_call(p, S("coalesce"), args, 2);
}

// What SUM adds up, taken apart.
typedef struct addends {
    prover *p;
    const block *b;
    bool has_sum;  // not only counts, which are 0 of no rows
} addends;

static bool is_whole(const addends *s, const term *x)
{
    unsigned touched = s->p->touched;
    return !prover_is_typed(s->p)
           && known_is(s->p, x, KNOWN_INTEGER, ASSUME_DEFAULT)
           && prover_takes_types(s->p, touched)
           && prover_assumes(s->p, ASSUME_NO_OVERFLOW);
}

static const term *sum_of_parts(addends *s, const term *x);

// A sum of sums, where no row of which one is NULL is left out of the other.
static const term *sum_of_two(addends *s, const term *x)
{
    bool splits = know_not_null(s->p, s->b, x->args[0])
                  && know_not_null(s->p, s->b, x->args[1]);
    const term *one = splits ? sum_of_parts(s, x->args[0]) : NULL;
    const term *other = one ? sum_of_parts(s, x->args[1]) : NULL;
    return other ? term_arithmetic(s->p, (term_kind)x->kind, one, other) : NULL;
}

// A literal times the sum of the rest.
static const term *sum_of_times(addends *s, const term *x)
{
    int literal = x->n == 2 && x->args[1]->kind == TERM_INTEGER;
    bool is_times =
        x->kind == TERM_MULTIPLY && x->args[literal]->kind == TERM_INTEGER;
    if ((!is_times && x->kind != TERM_INTEGER) || !is_whole(s, x)) {
        return NULL;
    }
    const term *rest =
        is_times ? sum_of_parts(s, x->args[1 - literal]) : count_rows(s->p);
    return rest ? term_arithmetic(s->p, TERM_MULTIPLY, rest,
                                  is_times ? x->args[literal] : x)
                : NULL;
}

// The SUM of x as sums of its parts, of tests as COUNTs; NULL: it is of other
// numbers.
static const term *sum_of_parts(addends *s, const term *x)
{
    const term *count =
        term_is_number(x, 1) ? count_rows(s->p) : sum_as_count(s->p, s->b, x);
    if (count) {
        return count;
    }
    if ((x->kind == TERM_ADD || x->kind == TERM_SUBTRACT) && !x->flag) {
        return sum_of_two(s, x);
    }
    const term *times = sum_of_times(s, x);
    if (times || !is_whole(s, x)) {
        return times;
    }
    s->has_sum = true;
    return term_aggregate(s->p, S("sum"), false, &x, 1);
}

// MAX(x) + 1 of MAX(x + 1); NULL: it is nothing of the kind.
static const term *extreme_of_parts(addends *s, const term *t)
{
    const term *x = aggregated(t, "min max");
    bool adds =
        x && (x->kind == TERM_ADD || x->kind == TERM_SUBTRACT) && !x->flag;
    int literal = adds && x->args[1]->kind == TERM_INTEGER;
    if (!adds || x->args[literal]->kind != TERM_INTEGER
        || (x->kind == TERM_SUBTRACT && !literal)
        || !is_whole(s, x->args[1 - literal])) {
        return NULL;
    }
    const term *args[] = {x->args[0], x->args[1]};
    args[1 - literal] =
        term_aggregate(s->p, t->text, false, &x->args[1 - literal], 1);
    return term_arithmetic(s->p, (term_kind)x->kind, args[0], args[1]);
}

// The same where that is another term.
static const term *taken_apart(addends *s, const term *x)
{
    bool is_leaf = x->kind != TERM_ADD && x->kind != TERM_SUBTRACT
                   && x->kind != TERM_MULTIPLY && x->kind != TERM_INTEGER;
    return is_leaf ? sum_as_count(s->p, s->b, x) : sum_of_parts(s, x);
}

static const term *visit_sum(rewrite *r, const term *t)
{
    addends s = {.p = r->p, .b = r->b};
    const term *x = t->flag ? NULL : aggregated(t, "sum");
    const term *parts = x ? taken_apart(&s, x) : extreme_of_parts(&s, t);
    return parts      ? parts
           : x        ? sum_of_padded(r->p, r->b, x)
           : t->block ? t
                      : NULL;
}

/* What is counted or added up with a minus. */

// Whether it is added up exactly, with a minus or without. A float is not where
// there is one: -0.0 is another text than 0.0.
static bool adds_alike(prover *p, const term *x)
{
    str type = type_of(p, x);
    bool is_exact = str_among(type, "int2 int4 int8 hugeint numeric")
                    || str_starts(type, S("decimal"));
    return (prover_is_typed(p) ? is_exact : known_counts(p, x))
           && prover_assumes(p, ASSUME_NO_OVERFLOW);
}

// What x is the negative of, in every branch of a CASE but those of 0; NULL: of
// nothing.
static const term *negative_of(prover *p, const term *x)
{
    if (x->kind != TERM_CASE) {
        return x->kind == TERM_NEGATE ? x->args[0] : NULL;
    }
    const term **args = arena_new(p->a, const term *, x->n);
    bool some = false;
    for (int32_t i = 0; i < x->n; i++) {
        bool is_kept = term_is_test(x, i) || x->args[i]->kind == TERM_NULL
                       || term_is_number(x->args[i], 0);
        args[i] = is_kept ? x->args[i] : negative_of(p, x->args[i]);
        some |= !is_kept;
        if (!args[i]) {
            return NULL;
        }
    }
    return some ? term_case(p, args, x->n) : NULL;
}

// -SUM(x) of SUM(-x), -COALESCE(x, 0) of COALESCE(-x, 0); NULL: it is neither.
static const term *with_minus(prover *p, const term *t)
{
    const term *sum = t->flag ? NULL : aggregated(t, "sum");
    const term *x = sum ? sum : or_zero(t);
    const term *of = x ? negative_of(p, x) : NULL;
    if (!of || !adds_alike(p, of)) {
        return NULL;
    }
    const term *args[] = {of, term_integer(p, 0)};
    return term_negate(p, sum ? term_aggregate(p, S("sum"), false, args, 1)
                              : term_call(p, S("coalesce"), args, 2));
}

// The rows that COUNT(*) - COUNT(x) leaves, counted; NULL: it is none.
static const term *count_of_others(prover *p, const block *b, const term *t)
{
    const term *rest =
        t->kind == TERM_SUBTRACT && counts_rows(t->args[0]) && !t->args[1]->flag
            ? aggregated(t->args[1], "count")
            : NULL;
    if (!rest) {
        return NULL;
    }
    const term *test = counted_when(t->args[1]);
    return count_when(p, test ? not_true(p, b, test)
                              : term_is(p, rest, term_null(p)));
}

static const term *visit_minus(rewrite *r, const term *t)
{
    const term *rest = count_of_others(r->p, r->b, t);
    return rest ? rest : t->block ? t : with_minus(r->p, t);
}

/* Parts of a quotient. */

static const term *visit_ratio(rewrite *r, const term *t)
{
    if (t->block) {
        return t;
    }
    rewrite parts_of = {.p = r->p, .visit = visit_sum, .b = r->b};
    addends s = {.p = r->p, .b = r->b};
    const term *sum = or_zero(t);
    const term *padded = sum && !sum->flag ? aggregated(sum, "sum") : NULL;
    if (padded) {
        // Without rows COUNT is 0, too.
        const term *count = taken_apart(&s, padded);
        return s.has_sum ? NULL : count ? count : t;
    }
    if (t->kind == TERM_AGGREGATE) {
        const term *x = t->flag ? NULL : aggregated(t, "sum");
        const term *parts = x ? taken_apart(&s, x) : extreme_of_parts(&s, t);
        return !x || s.has_sum ? parts : NULL;
    }
    if (t->kind != TERM_DIVIDE || !vanishes(r->p, t->args[1])) {
        return NULL;
    }
    // Dividing by 0 may be an error where dividing by NULL is none.
    bool is_null =
        !prover_is_typed(r->p) && !prover_may_not(r->p, S("divisor"));
    const term *args[] = {
        term_rewrite(&parts_of, t->args[0]),
        is_null ? term_rewrite(&parts_of, t->args[1]) : t->args[1],
    };
    return term_remake(r->p, t, args);
}

// What the query itself shows is a number, whether 0 or 0.0.
static const term *visit_shown(rewrite *r, const term *t)
{
    return term_share(r->p, t);
}

bool rule_sum_count(prover *p, block *b)
{
    rewrite shown = {.p = p, .visit = visit_shown};
    rewrite minus = {.p = p, .visit = visit_minus, .of = HAS_AGGREGATE, .b = b};
    rewrite r = {.p = p, .visit = b->has_group ? visit_sum : visit_ratio};
    r.b = b;
    r.of = b->has_group ? HAS_AGGREGATE : 0;
    if (!b->is_grouped) {
        return false;
    }
    bool changed = b->is_result && rewrite_results(&shown, b);
    changed |= rewrite_results(&minus, b);
    return rewrite_results(&r, b) || changed;
}

// A group has a row: what the condition says of a count of 1 or more. NULL:
// nothing, it holds.
static const term *of_one_or_more(prover *p, const term *t)
{
    bool some = false;
    const term *count = asked_for_rows(t, 1, &some);
    if (count && some && counts_rows(count)) {
        return NULL;
    }
    count = asked_for_rows(t, 2, &some);
    if (!count || !counts_rows(count)) {
        return t;
    }
    return some ? term_compare(p, TERM_LESS_EQUAL, term_integer(p, 2), count)
                : term_compare(p, TERM_EQUAL, count, term_integer(p, 1));
}

bool rule_count_positive(prover *p, block *b, ptrdiff_t at)
{
    const term *before = b->having.ptr[at];
    const term *after = of_one_or_more(p, before);
    if (!after) {
        term_list_remove(&b->having, at);
    } else {
        b->having.ptr[at] = after;
    }
    return after != before;
}

// MIN(x) = MAX(x) as COUNT(DISTINCT x) = 1, MIN(x) < MAX(x) as >= 2; NULL: it
// is neither.
static const term *of_extremes(prover *p, const term *t)
{
    const term *x = term_compares(t) ? aggregated(t->args[0], "min max") : NULL;
    if (!x || aggregated(t->args[1], "min max") != x
        || str_equal(t->args[0]->text, t->args[1]->text) || !know_exact(p, x)) {
        return NULL;
    }
    bool is_min = str_equal(t->args[0]->text, S("min"));
    bool takes_one = term_order_holds((term_kind)t->kind, 0);
    bool takes_two = term_order_holds((term_kind)t->kind, is_min ? -1 : 1);
    const term *count = term_aggregate(p, S("count"), true, &x, 1);
    return takes_one == takes_two ? NULL
           : takes_one
               ? term_compare(p, TERM_EQUAL, count, term_integer(p, 1))
               : term_compare(p, TERM_LESS_EQUAL, term_integer(p, 2), count);
}

bool rule_distinct_extremes(prover *p, block *b, ptrdiff_t at)
{
    const term *count = of_extremes(p, b->having.ptr[at]);
    if (!count || know_results(p, b).is_bare) {
        return false;
    }
    b->having.ptr[at] = count;
    b->extremes.len = 0;  // there are no bare columns
    return true;
}

// Whether the count is one of different values of `x`, each in a row or more.
static bool counts_values(prover *p,
                          const block *b,
                          const term *count,
                          const term *x)
{
    const term *c = aggregated(count, "count");
    return count->flag ? (c && is_when(c) ? c->args[1] : c) == x
                       : counts_rows(count) && group_rows_differ_in(p, b, x);
}

// Whether no value equals two of the literals: 'x' and 'x ' are one CHAR.
static bool are_all_unlike(prover *p, const term *list)
{
    bool unlike = true;
    for (int32_t i = 2; unlike && i < list->n; i++) {
        for (int32_t k = 1; unlike && k < i; k++) {
            literal_order order =
                type_order(p, list->args[0], list->args[i], list->args[k]);
            unlike = order != LITERAL_SAME && order != LITERAL_OPEN;
        }
    }
    return unlike;
}

// Literals that x compares by identity.
static bool lists_values(prover *p, const term *list)
{
    exact_kind kind = know_exact(p, list->args[0]);
    term_kind literal = kind == EXACT_TEXT ? TERM_TEXT : TERM_INTEGER;
    bool fits = kind == EXACT_TEXT || kind == EXACT_WHOLE;
    for (int32_t i = 1; fits && i < list->n; i++) {
        fits = list->args[i]->kind == literal;
    }
    return fits && are_all_unlike(p, list);
}

// x IN (...) of which the count, side `k`, is of the values of x; NULL: none.
static const term *list_counted(prover *p, const block *b, const term *count)
{
    const term *c = count->flag ? aggregated(count, "count") : NULL;
    const term *when = c && is_when(c) ? c->args[0] : NULL;
    for (ptrdiff_t i = 0; i <= b->where.len; i++) {
        const term *list = i < b->where.len ? b->where.ptr[i] : when;
        if (list && list->kind == TERM_IN_LIST && (!when || list == when)
            && lists_values(p, list)
            && counts_values(p, b, count, list->args[0])) {
            return list;
        }
    }
    return NULL;
}

bool rule_all_values(prover *p, block *b, ptrdiff_t at)
{
    bound asked;
    bool asks =
        read_threshold(b->having.ptr[at], &asked)
        && (asked.allows | ALLOWS_GREATER) == (ALLOWS_EQUAL | ALLOWS_GREATER);
    const term *list = asks ? list_counted(p, b, asked.x) : NULL;
    if (!list || list->n - 1 != asked.literal->number) {
        return false;
    }
    term_list_remove(&b->having, at);
    for (int32_t i = 1; i < list->n; i++) {
        const term *test =
            term_compare(p, TERM_EQUAL, list->args[0], list->args[i]);
        term_conjoin(p, &b->having,
                     term_compare(p, TERM_LESS_EQUAL, term_integer(p, 1),
                                  count_when(p, test)));
    }
    return true;
}

bool rule_count_group(prover *p, block *b, ptrdiff_t at)
{
    bound asked;
    bool is_some =
        read_threshold(b->having.ptr[at], &asked) && !bound_takes(&asked, 0);
    const term *c = is_some ? aggregated(asked.x, "count") : NULL;
    bool asks = c && term_list_has(&b->group, c) && !know_not_null(p, b, c);
    if (asks) {
        term_conjoin(p, &b->where, not_null_test(p, c));
    }
    return asks;
}

// A value that all rows of the group have is its least and its greatest.
static const term *visit_extreme(rewrite *r, const term *t)
{
    const term *x = aggregated(t, "min max");
    bool is_one = x && know_group_has(r->p, r->b, x) && type_same(r->p, x, t);
    return is_one ? term_as(r->p, x, term_type_of(t)) : t->block ? t : NULL;
}

bool rule_group_value(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_extreme, .of = HAS_AGGREGATE, .b = b};
    if (!b->has_group || know_results(p, b).is_loose
        || !rewrite_results(&r, b)) {
        return false;
    }
    b->extremes.len = 0;  // there are no bare columns
    return true;
}

// What the aggregate is of one row. SUM gives a number, in others than SQLite
// of another type.
static const term *of_single(prover *p, const term *t)
{
    assert(t->kind == TERM_AGGREGATE);
    const term *x = aggregated(t, "sum");
    const term *extreme = aggregated(t, "min max");
    unsigned touched = p->touched;
    bool is_same = x && !prover_is_typed(p) && known_number(known_kind_of(p, x))
                   && prover_takes_types(p, touched);
    bool is_one = extreme && type_same(p, extreme, t);
    return counts_rows(t)      ? term_integer(p, 1)
           : is_same || is_one ? term_as(p, t->args[0], term_type_of(t))
                               : t;
}

static const term *visit_single(rewrite *r, const term *t)
{
    if (t->block) {
        return t;
    }
    if (t->kind == TERM_AGGREGATE) {
        return of_single(r->p, t);
    }
    // 2 <= COUNT(x), whatever x is
    bool asks_more = t->kind == TERM_LESS_EQUAL && t->args[0]->number > 1
                     && aggregated(t->args[1], "count");
    return asks_more ? term_integer(r->p, 0) : NULL;
}

// The CASE without ELSE that it adds up, or is the least of; NULL: none.
static const term *single_case(const term *t)
{
    const term *x = t->flag ? NULL : aggregated(t, "sum min");
    return x && is_when(x) ? x : NULL;
}

// MAX for SUM and MIN of a CASE for which a group has one row at most.
static const term *visit_single_case(rewrite *r, const term *t)
{
    if (t->kind != TERM_AGGREGATE) {
        return t->block ? t : NULL;
    }
    const term *x = single_case(t);
    bool is_sum = str_equal(t->text, S("sum"));
    unsigned touched = r->p->touched;
    if (!x
        || (is_sum
            && !(known_number(known_kind_of(r->p, x))
                 && prover_takes_types(r->p, touched)))) {
        return t;
    }
    block rows = block_trial(r->p, r->b);
    term_conjoin(r->p, &rows.where, x->args[0]);
    return know_tells_rows(r->p, &rows, &r->b->group)
               ? term_aggregate(r->p, S("max"), false, t->args, 1)
               : t;
}

bool rule_single_row_cases(prover *p, block *b)
{
    rewrite r = {
        .p = p, .visit = visit_single_case, .of = HAS_AGGREGATE, .b = b};
    return b->has_group && !know_results(p, b).is_bare
           && rewrite_results(&r, b);
}

block results_of_single(prover *p, const block *b)
{
    rewrite r = {.p = p, .visit = visit_single, .of = HAS_AGGREGATE};
    return block_results_rewritten(&r, b);
}

bool rule_single_row_groups(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_single, .of = HAS_AGGREGATE};
    if (!b->has_group || !know_tells_rows(p, b, &b->group)
        || !rewrite_results(&r, b)) {
        return false;
    }
    b->extremes.len = 0;  // bare columns come from that row
    return true;
}

bool rule_constant_group(prover *p, block *b)
{
    bool is_one = block_is_one_group(b) && !b->having.len;
    term_list items = {0};
    for (ptrdiff_t i = 0; is_one && i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        const term *none = !t->has                          ? t
                           : term_list_has_false(&b->where) ? know_of_none(p, t)
                                                            : NULL;
        if (!none) {
            return false;
        }
        term_list_push(p, &items, none);
    }
    if (!is_one) {
        return false;
    }
    b->select = items;
    b->is_grouped = false;
    b->sources.len = 0;
    b->where.len = 0;
    b->order.len = 0;
    return true;
}
