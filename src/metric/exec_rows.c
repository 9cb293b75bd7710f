/*
 * exec_rows.c - verdicts over results, by rules or by cells.
 *
 * Method      A prediction is compared with each gold variant that ran, in
 *             order; the first that fits wins. When none does, the no that
 *             got furthest is kept: one about rows tells more than one about
 *             columns.
 */
#include "metric/exec_rows.h"

#include "metric/exec_ties.h"

#include <assert.h>

typedef verdict compare_kind(rules r,
                             const table *gold,
                             const table *pred,
                             const compare_options *o,
                             arena *a,
                             arena scratch);

table exec_project(arena *a, const table *t, const int32_t *places, ptrdiff_t n)
{
    value *cells = arena_new(a, value, t->n_rows * n);
    str *names = arena_new(a, str, n);
    for (ptrdiff_t c = 0; c < n; c++) {
        names[c] = t->names[places[c]];
        for (ptrdiff_t r = 0; r < t->n_rows; r++) {
            cells[r * n + c] = table_at(t, r, places[c]);
        }
    }
    return (table){
        .n_rows = t->n_rows, .n_columns = n, .names = names, .cells = cells};
}

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
    part.result = exec_project(e->a, &pred->result, bag.columns, bag.n_columns);
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
        *gold = exec_project(e->a, gold, g->which, g->n_which);
    }
    return g->doubt.len == 0;
}

static verdict compare_variant(const evidence *e,
                               rules r,
                               compare_kind *compare,
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
            compare = compare_subset;
        }
    }
    if (evaluator_has(r, DROPS_BAD_TEXT)) {
        gold = table_drop_invalid(e->a, &gold);
        rows = table_drop_invalid(e->a, &rows);
    }
    verdict v = compare(r, &gold, &rows, &c, e->a, e->scratch);
    if (evaluator_has(r, ALLOWS_TIES) && v.v == ANSWER_NO) {
        bool has_more =
            compare == compare_subset && v.reason == REASON_ORDER_DIFFERS;
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

// Does `v` say more about what is wrong than `other`?
static bool tells_more(const verdict *v, const verdict *other)
{
    return other->v == ANSWER_UNKNOWN
           || (other->reason == REASON_COLUMNS_DIFFER
               && v->reason != REASON_COLUMNS_DIFFER);
}

static verdict over_variants(const evidence *e,
                             rules r,
                             compare_kind *compare,
                             const execution *pred,
                             str pred_sql)
{
    const gold_set *set = &e->families[evaluator_of(r)->family];
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status != REASON_NONE) {
            continue;
        }
        verdict v = compare_variant(e, r, compare, i, pred, pred_sql);
        if (v.v == ANSWER_YES) {
            return v;
        }
        if (tells_more(&v, &best)) {
            best = v;
        }
    }
    return best;
}

// STOPS_AT_FAILURE (definitions/defog.md#verdict): the first variant that
// fails, or that the comparison cannot handle, ends the search; an exact match
// ends it too; a subset match counts only when nothing of that came after it.
static verdict until_failure(const evidence *e,
                             rules r,
                             comparison what,
                             const execution *pred,
                             str pred_sql)
{
    const gold_set *set = &e->families[evaluator_of(r)->family];
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status != REASON_NONE) {
            return best.v == ANSWER_YES
                       ? verdict_no(REASON_GOLD_FAILED, set->error)
                       : best;
        }
        verdict exact = compare_variant(e, r, compare_exec, i, pred, pred_sql);
        if (exact.v == ANSWER_YES || exact.reason == REASON_COMPARE_ERROR) {
            return exact;
        }
        verdict v = exact;
        if (what == COMPARE_SUBSET) {
            v = compare_variant(e, r, compare_subset, i, pred, pred_sql);
        }
        if (v.reason == REASON_COMPARE_ERROR) {
            return v;
        }
        if (best.v != ANSWER_YES
            && (v.v == ANSWER_YES || tells_more(&v, &best))) {
            best = v;
        }
    }
    return best;
}

verdict exec_compare(const evidence *e,
                     comparison what,
                     rules r,
                     const execution *pred,
                     str pred_sql)
{
    compare_kind *compare =
        what == COMPARE_EXEC ? compare_exec : compare_subset;
    return evaluator_has(r, STOPS_AT_FAILURE)
               ? until_failure(e, r, what, pred, pred_sql)
               : over_variants(e, r, compare, pred, pred_sql);
}

verdict exec_compare_variant(const evidence *e,
                             rules r,
                             ptrdiff_t variant,
                             const execution *pred,
                             str pred_sql)
{
    return compare_variant(e, r, compare_exec, variant, pred, pred_sql);
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
