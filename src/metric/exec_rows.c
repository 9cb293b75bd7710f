/*
 * exec_rows.c - verdicts over results, by rules or by cells.
 *
 * Method      A prediction is compared with each gold variant that ran, in
 *             order; the first that fits wins. When none does, but nobody knows
 *             of one, the verdict is unknown; else the no that got furthest is
 *             kept: one about rows tells more than one about columns.
 */
#include "metric/exec_rows.h"

#include "metric/exec_ties.h"

#include <assert.h>

// More columns than the gold's, and the order of rows differs: perhaps only
// among ties.
static verdict subset_ties(const evidence *e,
                           ptrdiff_t i,
                           const execution *pred,
                           const compare_options *c,
                           verdict no)
{
    const table *gold = &e->families[FAMILY_PLAIN].runs[i].result;
    compare_options as_bag = *c;
    as_bag.is_ordered = false;
    verdict bag = compare_subset(RULES_ASSAY, gold, &pred->result, &as_bag,
                                 e->a, e->scratch);
    if (bag.v != ANSWER_YES || bag.n_columns != gold->n_columns
        || pred->result.n_columns == gold->n_columns) {
        return no;
    }
    execution part = *pred;
    part.result =
        table_project(e->a, &pred->result, bag.columns, bag.n_columns);
    verdict v = exec_ties(e, i, &part, c, no);
    if (v.v == ANSWER_YES) {
        v.columns = bag.columns;
        v.n_columns = bag.n_columns;
    }
    return v;
}

// A result as gold: its columns that count, and the rows of the prediction read
// as it was. False where nobody knows what it means.
static bool take_result(const evidence *e,
                        const result_gold *g,
                        table *gold,
                        table *rows)
{
    *rows = result_gold_rows(e->a, g, rows);
    if (g->n_which > 0 && g->doubt.len == 0) {
        *gold = table_project(e->a, gold, g->which, g->n_which);
    }
    return g->doubt.len == 0;
}

verdict exec_compare_variant(const evidence *e,
                             comparison what,
                             rules r,
                             ptrdiff_t i,
                             const execution *pred,
                             str pred_sql)
{
    const gold_set *set = &e->families[evaluator_of(r)->family];
    assert(i >= 0 && i < set->n);
    compare_options c = exec_options(e, r, &set->variants[i], pred_sql);
    table gold = set->runs[i].result;
    table rows = pred->result;
    if (set->results) {
        const result_gold *g = &set->results[i];
        if (evaluator_has(r, READS_FILES)) {
            gold = g->written;
            c.gold_columns = g->which;
            c.n_gold_columns = g->n_which;
        } else if (!take_result(e, g, &gold, &rows)) {
            return verdict_unknown(REASON_GOLD_FAILED, g->doubt);
        } else if (g->n_which > 0) {
            what = COMPARE_SUBSET;
        }
    }
    if (evaluator_has(r, DROPS_BAD_TEXT)) {
        gold = table_drop_invalid(e->a, &gold);
        rows = table_drop_invalid(e->a, &rows);
    }
    verdict v = compare_results(r, what, &gold, &rows, &c, e->a, e->scratch);
    if (evaluator_has(r, ALLOWS_TIES) && v.v == ANSWER_NO) {
        bool has_more =
            what == COMPARE_SUBSET && v.reason == REASON_ORDER_DIFFERS;
        v = exec_ties(e, i, pred, &c, v);
        v = has_more && v.v == ANSWER_NO ? subset_ties(e, i, pred, &c, v) : v;
    }
    if (v.v == ANSWER_YES
        && (pred->has_unknown_types || set->runs[i].has_unknown_types)) {
        v.notes |= NOTE_BIT(REASON_TYPE_UNKNOWN);
    }
    v.variant = i;
    return v;
}

// Is `v` nearer to a yes, or else does it say more about what is wrong? One
// that nobody knows may be the one that fits.
static bool tells_more(const verdict *v, const verdict *other)
{
    return v->v != other->v ? v->v == ANSWER_YES || other->v == ANSWER_NO
                            : other->reason == REASON_COLUMNS_DIFFER
                                  && v->reason != REASON_COLUMNS_DIFFER;
}

// STOPS_AT_FAILURE (definitions/defog.md#verdict): the first variant that
// fails, or that the comparison cannot handle, ends the search; an exact match
// ends it too; a subset match counts only when nothing of that came after it.
verdict exec_compare(const evidence *e,
                     comparison what,
                     rules r,
                     const execution *pred,
                     str pred_sql)
{
    const gold_set *set = &e->families[evaluator_of(r)->family];
    const bool stops = evaluator_has(r, STOPS_AT_FAILURE);
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    bool is_first = true;
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status != REASON_NONE && stops) {
            return best.v == ANSWER_YES
                       ? verdict_no(REASON_GOLD_FAILED, set->error)
                       : best;
        }
        if (set->runs[i].status != REASON_NONE) {
            continue;
        }
        verdict v = exec_compare_variant(e, stops ? COMPARE_EXEC : what, r, i,
                                         pred, pred_sql);
        bool is_end =
            v.v == ANSWER_YES || (stops && v.reason == REASON_COMPARE_ERROR);
        if (!is_end && stops && what == COMPARE_SUBSET) {
            v = exec_compare_variant(e, what, r, i, pred, pred_sql);
            is_end = v.reason == REASON_COMPARE_ERROR;
        }
        if (is_end) {
            return v;
        }
        best = is_first || tells_more(&v, &best) ? v : best;
        is_first = false;
    }
    return best;
}

verdict exec_best_cells(const evidence *e,
                        exec_cells *compare,
                        const execution *pred)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        table gold = set->runs[i].result;
        table rows = pred->result;
        if (set->runs[i].status != REASON_NONE) {
            continue;
        }
        if (set->results && !take_result(e, &set->results[i], &gold, &rows)) {
            continue;
        }
        verdict v = compare(&gold, &rows, e->a, e->scratch);
        v.variant = i;
        if (best.v == ANSWER_UNKNOWN || v.score > best.score) {
            best = v;
        }
    }
    return best;
}

verdict exec_other_golds(const evidence *e,
                         comparison what,
                         const execution *pred,
                         str pred_sql,
                         verdict no)
{
    if (!e->other_golds || no.v != ANSWER_NO || pred->status != REASON_NONE) {
        return no;
    }
    evidence other = *e;
    other.families[FAMILY_PLAIN].runs = e->other_golds;
    verdict v = exec_compare(&other, what, RULES_ASSAY, pred, pred_sql);
    if (v.v != ANSWER_YES) {
        return no;
    }
    v.notes |= NOTE_BIT(REASON_GOLD_UNSTABLE);
    return v;
}
