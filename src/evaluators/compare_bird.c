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
    ptrdiff_t extra = keys_first_other(pred_keys, pred->n_rows, gold_keys,
                                       gold->n_rows, scratch);
    ptrdiff_t missing = keys_first_other(gold_keys, gold->n_rows, pred_keys,
                                         pred->n_rows, scratch);
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
