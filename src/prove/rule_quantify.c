/*
 * rule_quantify.c - HAVING that asks of all rows of a group, or of some.
 *
 * Method      MIN(x) >= c says that x < c is true of no row of the group, and
 *             that x is not NULL in some row; SUM(p) = 0 that p is true of none
 *             and false of some. So each such condition is a list of what
 *             holds of no row and of what holds of some. No row is NOT EXISTS
 *             of the same rows with the same keys, one row with this is a
 *             row of WHERE, of what another one has there is EXISTS.
 *             What holds of some row is asked of rows of which what holds of
 *             none does not: it says the same, in the words of both.
 */
#include "prove/rule_common.h"
#include "relation/relation_type.h"

#include <assert.h>

typedef struct asked {
    prover *p;
    const block *b;
    term_list keys;  // of its groups
    term_list none;  // true of no row
    term_list some;  // each true of some row
} asked;

// What the comparison says of a number that stands in place of its side `k`.
static bool holds_of(const term *t, int k, int64_t n)
{
    int64_t other = t->args[1 - k]->number;
    int order = n < other ? -1 : n > other;
    return term_order_holds((term_kind)t->kind, k == 0 ? order : -order);
}

// The test whose rows COUNT counts; NULL: it counts all.
static const term *counted_test(prover *p, const term *t)
{
    const term *x = aggregated(t, "count");
    bool is_case =
        x && x->kind == TERM_CASE && x->n == 2 && term_is_literal(x->args[1]);
    return !x || t->flag ? NULL : is_case ? x->args[0] : not_null_test(p, x);
}

// What SUM adds up as 1, 0 or NULL.
static const term *summed_test(const prover *p, const term *t)
{
    const term *x = aggregated(t, "sum");
    return x && !t->flag && term_is_truth(x) && x->kind != TERM_INTEGER
                   && !prover_is_typed(p)
               ? x
               : NULL;
}

// A number of rows beside a literal: none, or some?
static bool read_count(asked *a, const term *t, int k)
{
    const term *counted = counted_test(a->p, t->args[k]);
    const term *summed = counted ? NULL : summed_test(a->p, t->args[k]);
    const term *test = counted ? counted : summed;
    if (!test || (test->has & HAS_BLOCK) || t->args[1 - k]->kind != TERM_INTEGER
        || t->args[1 - k]->flag) {
        return false;
    }
    bool none = holds_of(t, k, 0);
    bool some = holds_of(t, k, 1);
    if (none == some || some != holds_of(t, k, INT64_MAX)
        || some != holds_of(t, k, 2)) {
        return false;
    }
    if (some) {
        term_list_add(a->p, &a->some, test);
        return true;
    }
    term_list_add(a->p, &a->none, test);
    if (summed) {
        term_list_add(a->p, &a->some, not_null_test(a->p, test));
    }
    return true;
}

// MIN(x) or MAX(x) beside a literal. Both compare x by its bytes.
static bool read_extreme(asked *a, const term *t, int k)
{
    const term *x = aggregated(t->args[k], "min max");
    const term *c = t->args[1 - k];
    if (!x || !term_is_literal(c) || (x->has & HAS_BLOCK) || !term_is_binary(x)
        || prover_is_typed(a->p)) {
        return false;
    }
    bool is_min = str_equal(t->args[k]->text, S("min"));
    bool takes_less = term_order_holds((term_kind)t->kind, k == 0 ? -1 : 1);
    bool takes_more = term_order_holds((term_kind)t->kind, k == 0 ? 1 : -1);
    if (takes_less == takes_more) {
        return false;  // = or <>
    }
    // The comparison is one of a term without a type.
    const term *value = term_untyped(a->p, x);
    const term *args[] = {k == 0 ? value : c, k == 0 ? c : value};
    const term *test = term_compare(a->p, (term_kind)t->kind, args[0], args[1]);
    if (is_min == takes_less) {
        term_list_add(a->p, &a->some, test);
    } else {
        term_list_add(a->p, &a->none, term_not(a->p, test));
        term_list_add(a->p, &a->some, not_null_test(a->p, x));
    }
    return true;
}

static bool read_test(asked *a, const term *t)
{
    if (counted_test(a->p, t) || summed_test(a->p, t)) {
        const term *zero[] = {term_integer(a->p, 0), t};
        return read_count(a, term_compare(a->p, TERM_LESS, zero[0], zero[1]),
                          1);
    }
    bool is_read = false;
    for (int k = 0; compares(t) && !is_read && k < 2; k++) {
        is_read = read_count(a, t, k) || read_extreme(a, t, k);
    }
    return is_read;
}

// Columns that are never NULL and tell the groups apart; false: there are none.
static bool read_keys(prover *p, const block *b, term_list *keys)
{
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        const term *key = b->group.ptr[i];
        if (key->kind == TERM_COLUMN && block_owns(b, key->source)
            && know_not_null(p, b, key)) {
            term_list_push(p, keys, key);
        }
    }
    closure c = closure_of(p, b, keys);
    bool tells = keys->len > 0;
    for (ptrdiff_t i = 0; tells && i < b->group.len; i++) {
        tells = term_list_has(keys, b->group.ptr[i])
                || closure_has_key(&c, b->group.ptr[i]);
    }
    return tells;
}

// The rows of the block that have the keys of its group, and for which the
// test is true.
static const term *rows_with(prover *p,
                             const block *b,
                             const term_list *keys,
                             const term *test)
{
    block rows = {.sources = b->sources, .where = b->where};
    term_list_push(p, &rows.select, test);
    for (ptrdiff_t i = 0; i < keys->len; i++) {
        term_list_push(p, &rows.select, keys->ptr[i]);
    }
    block *copy = block_copy(p, &rows);
    copy->pos = b->pos;  // nowhere in the text
    copy->is_test = true;
    term_list own = copy->select;
    copy->select = (term_list){0};
    term_list_push(p, &copy->select, term_integer(p, 1));
    term_conjoin(p, &copy->where, own.ptr[0]);
    for (ptrdiff_t i = 0; i < keys->len; i++) {
        term_conjoin(p, &copy->where,
                     term_compare(p, TERM_EQUAL, own.ptr[i + 1], keys->ptr[i]));
    }
    rules_settle(p, copy);
    return term_make(p, (term){.kind = TERM_EXISTS, .block = copy});
}

// What is true of some row, asked of rows that `none` leaves.
static const term *of_other_rows(asked *a, const term *some, const term *none)
{
    block rows = {.sources = a->b->sources, .where = a->b->where};
    term_conjoin(a->p, &rows.where, some);
    return none ? term_and(a->p, some, not_true(a->p, &rows, none)) : some;
}

static void add_tests(asked *a, block *b)
{
    prover *p = a->p;
    const term *none = a->none.len > 0 ? term_all(p, TERM_OR, a->none.ptr,
                                                  (int32_t)a->none.len)
                                       : NULL;
    const block was = *b;
    term_list some = {0};
    for (ptrdiff_t i = 0; i < a->some.len; i++) {
        term_list_add(p, &some, of_other_rows(a, a->some.ptr[i], none));
    }
    term_list tests = {0};
    if (none) {
        term_list_push(p, &tests,
                       term_not(p, rows_with(p, &was, &a->keys, none)));
    }
    for (ptrdiff_t i = 0; i < some.len; i++) {
        term_list_push(p, &tests,
                       some.len == 1
                           ? some.ptr[i]
                           : rows_with(p, &was, &a->keys, some.ptr[i]));
    }
    for (ptrdiff_t i = 0; i < tests.len; i++) {
        term_conjoin(p, &b->where, tests.ptr[i]);
    }
}

bool rule_group_tests(prover *p, block *b)
{
    asked a = {.p = p, .b = b};
    term_list rest = {0};
    if (!b->has_group || b->having.len == 0 || block_has_limit(b)
        || b->sources.len > SOURCES_MAX / 2 || !read_keys(p, b, &a.keys)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < b->having.len; i++) {
        if (!read_test(&a, b->having.ptr[i])) {
            term_list_push(p, &rest, b->having.ptr[i]);
        }
    }
    block trial = *b;
    trial.having = rest;
    group_results left = know_results(p, &trial);
    if (rest.len == b->having.len || left.aggregates.len > 0 || left.is_loose
        || left.is_bare || block_has(&trial, HAS_WINDOW)) {
        return false;
    }
    trial.where = (term_list){0};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        term_list_push(p, &trial.where, b->where.ptr[i]);
    }
    trial.extremes.len = 0;
    add_tests(&a, &trial);
    *b = trial;
    return true;
}
