/*
 * compare_bird.c - the rules `bird`: set(pred rows) = set(gold rows).
 * [definitions/bird.md#execution-accuracy]
 *
 * Why         BIRD's EX makes sets of the tuples that Python's driver returns.
 *             So columns count by position, order and repetition of rows do
 *             not, two empty results are equal whatever their columns, and
 *             text that Python cannot decode is an error.
 *
 *             BIRD knows no subset. Here it means: some columns of the
 *             prediction, each used once, in any order, make the gold's set of
 *             rows.
 *
 * Cost        Linear; one hash a cell.
 *
 * Not here    Options: EX has none, so none counts.
 */
#include "evaluators/evaluator.h"
#include "table/compare_match.h"
#include "table/value_key.h"

#include <assert.h>

// A set has at most as many rows as the gold has.
compare_need compare_need_bird(comparison what,
                               const table *gold,
                               const compare_options *o)
{
    (void)o;
    return (compare_need){
        .rows = -1, .distinct = what == COMPARE_SUBSET ? -1 : gold->n_rows};
}

static key_set row_set(arena *a, const hash128 *keys, ptrdiff_t n)
{
    key_set set = key_set_new(a, n);
    for (ptrdiff_t r = 0; r < n; r++) {
        key_set_add(&set, keys[r]);
    }
    return set;
}

// The first of n rows that is not in the set, or -1.
static ptrdiff_t first_missing(const key_set *set,
                               const hash128 *keys,
                               ptrdiff_t n)
{
    for (ptrdiff_t r = 0; r < n; r++) {
        if (key_set_find(set, keys[r]) < 0) {
            return r;
        }
    }
    return -1;
}

static str show_row(arena *a,
                    const char *whose,
                    const table *t,
                    ptrdiff_t r,
                    str where)
{
    str row = table_show_row(a, t, r);
    return arena_printf(a, "%s %td %.*s is not in the %.*s", whose, r + 1,
                        STR_ARG(row), STR_ARG(where));
}

static verdict compare_sets(const table *gold,
                            const table *pred,
                            arena *a,
                            arena scratch)
{
    assert(gold->n_columns == pred->n_columns);
    const hash128 *gold_keys = table_row_keys(&scratch, gold);
    const hash128 *pred_keys = table_row_keys(&scratch, pred);
    key_set gold_set = row_set(&scratch, gold_keys, gold->n_rows);
    key_set pred_set = row_set(&scratch, pred_keys, pred->n_rows);
    ptrdiff_t extra = first_missing(&gold_set, pred_keys, pred->n_rows);
    ptrdiff_t missing = first_missing(&pred_set, gold_keys, gold->n_rows);
    if (extra >= 0) {
        str detail = show_row(a, "row", pred, extra, S("gold"));
        return verdict_no(missing >= 0 ? REASON_ROWS_DIFFER : REASON_EXTRA_ROWS,
                          detail);
    }
    if (missing >= 0) {
        return verdict_no(
            REASON_MISSING_ROWS,
            show_row(a, "gold row", gold, missing, S("prediction")));
    }
    return verdict_yes();
}

// What both metrics ask first; ANSWER_UNKNOWN when it settles nothing.
static verdict settle(const table *gold, const table *pred)
{
    if (pred->is_cut) {
        return verdict_no(REASON_EXTRA_ROWS,
                          S("more rows than could still be right"));
    }
    if (table_has_invalid_text(pred)) {
        return verdict_no(REASON_BAD_TEXT, S("text of the prediction"));
    }
    if (table_has_invalid_text(gold)) {
        return verdict_no(REASON_BAD_TEXT, S("text of the gold"));
    }
    return (verdict){0};
}

verdict compare_bird(comparison what,
                     const table *gold,
                     const table *pred,
                     const compare_options *o,
                     arena *a,
                     arena scratch)
{
    (void)o;
    verdict v = settle(gold, pred);
    if (v.v != ANSWER_UNKNOWN) {
        return v;
    }
    if (what == COMPARE_SUBSET) {
        const match_rules how = {
            .coding = {.kind = CODING_EXACT},
            .are_sets = true,
            .allows_extra_columns = true,
        };
        return match_verdict(&how, gold, pred, a, scratch);
    }
    if (gold->n_rows == 0 && pred->n_rows == 0) {
        return verdict_yes();
    }
    if (gold->n_columns != pred->n_columns) {
        return verdict_no(REASON_COLUMNS_DIFFER,
                          arena_printf(a, "%td columns against %td in the gold",
                                       pred->n_columns, gold->n_columns));
    }
    return compare_sets(gold, pred, a, scratch);
}
