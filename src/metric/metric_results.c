/*
 * metric_results.c - exec and subset by one rule set: the comparison, and what
 * may turn its no into a yes: another result that the gold's text allows, the
 * gold's values in the places of the prediction's.
 */
#include "metric/exec_made_up.h"
#include "metric/exec_plug.h"
#include "metric/exec_plug_tree.h"
#include "metric/exec_rules.h"
#include "score/score_stable.h"
#include "table/explain_results.h"

// Both results beside a no that they gave; once a prediction, for the first
// rule set.
static void show_results(judging *j, const metric_call *call, verdict *v)
{
    const family_id f = evaluator_of(call->key.rules)->family;
    const gold_set *set = &j->families[f];
    const execution *run = &call->runs[f];
    bool is_first = call->key.rules == j->s->options->rules[0];
    if (v->v == ANSWER_NO && is_first && v->variant >= 0 && v->variant < set->n
        && run->status == REASON_NONE
        && set->runs[v->variant].status == REASON_NONE) {
        explain_results(&set->runs[v->variant].result, &run->result, v->results,
                        j->a, j->s->scratch);
    }
}

verdict exec_by_rules(judging *j, comparison what, const metric_call *call)
{
    const rules r = call->key.rules;
    const family_id f = evaluator_of(r)->family;
    const execution *run = &call->runs[f];
    const bool plugs = j->s->options->plugs_values;
    verdict v;
    if (!score_is_settled(j, f, run, &v)) {
        v = score_compare(j, what, r, run, call->pred->sql);
    }
    if (evaluator_has(r, ALLOWS_TIES)) {
        v = score_other_golds(j, what, run, call->pred->sql, v);
    }
    if (plugs && evaluator_has(r, PLUGS_TREES)) {
        v = exec_plugged_tree(j, what, r, run, v);
    }
    if (plugs && what == COMPARE_EXEC && evaluator_has(r, PLUGS_TEXTS)) {
        v = exec_plugged(j, r, call->pred, v);
    }
    if (v.v == ANSWER_YES && j->is_proved && f == FAMILY_PLAIN) {
        v.notes |= NOTE_BIT(REASON_PROVED);
    }
    if (what == COMPARE_EXEC) {
        show_results(j, call, &v);
    }
    return v;
}

verdict metric_judge_exec(judging *j, const metric_call *call)
{
    verdict v = exec_by_rules(j, COMPARE_EXEC, call);
    if (v.v == ANSWER_YES && exec_is_made_up(j, call, &v)) {
        v.notes |= NOTE_BIT(REASON_MADE_UP_COLUMN);
    }
    return v;
}

// One verdict for each rule set by which that means something.
void metric_keys_subset(metric_keys *keys,
                        const score_options *o,
                        str word,
                        arena *a)
{
    score_options with = *o;
    with.n_rules = 0;
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        if (evaluator_has(o->rules[i], HAS_SUBSET)) {
            with.rules[with.n_rules++] = o->rules[i];
        }
    }
    metric_keys_by_rules(keys, &with, word, a);
}

verdict metric_judge_subset(judging *j, const metric_call *call)
{
    return exec_by_rules(j, COMPARE_SUBSET, call);
}
