/*
 * metric_pragmatic.c - the metric pragmatic: results and trees of each gold
 * variant against the prediction's.
 */
#include "metric/metric.h"
#include "metric/pragmatic.h"
#include "score/score_rows.h"

// A permutation of the gold's columns is what the profile says of it.
static bool keeps_columns(const verdict *v)
{
    for (ptrdiff_t i = 0; v->columns && i < v->n_columns; i++) {
        if (v->columns[i] != i) {
            return false;
        }
    }
    return true;
}

static verdict with_results(judging *j, const execution *pred, str pred_sql)
{
    const score_options *o = j->s->options;
    verdict exec = score_compare(j, COMPARE_EXEC, RULES_ASSAY, pred, pred_sql);
    bool is_empty = pred->result.n_rows == 0;
    if (exec.v == ANSWER_YES && !is_empty && keeps_columns(&exec)) {
        return exec;
    }
    str no_schema = j->task->keys ? (str){0} : engine_schema_error(j->db);
    if (no_schema.len > 0) {
        return verdict_unknown(REASON_NO_DATABASE, no_schema);
    }
    const gold_set *set = &j->families[FAMILY_PLAIN];
    const schema *s = j->task->keys ? j->task->keys : engine_schema(j->db);
    pragmatic_profile profile =
        o->profile ? *o->profile : pragmatic_profile_default();
    if (!j->asks_order) {
        profile.accepts |= LENIENCY_BIT(ROW_ORDER);
        profile.asks &= ~LENIENCY_BIT(ROW_ORDER);
    }
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status != REASON_NONE) {
            continue;
        }
        pragmatic_side left = {set->variants[i].sql, &set->runs[i].result};
        pragmatic_side right = {pred_sql, &pred->result};
        verdict v = pragmatic_verdict(left, right, s, o->dialect, profile, j->a,
                                      j->s->scratch);
        v.variant = i;
        if (v.v == ANSWER_YES) {
            return v;
        }
        bool is_open =
            best.v == ANSWER_UNKNOWN && best.reason != REASON_LEFT_TO_ASK;
        best = is_open || v.reason == REASON_LEFT_TO_ASK ? v : best;
    }
    return best;
}

verdict metric_judge_pragmatic(judging *j, const metric_call *call)
{
    const execution *pred = &call->runs[FAMILY_PLAIN];
    str pred_sql = call->pred->sql;
    verdict v;
    return score_is_settled(j, FAMILY_PLAIN, pred, &v)
               ? v
               : with_results(j, pred, pred_sql);
}
