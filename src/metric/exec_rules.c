/*
 * exec_rules.c - exec and subset by one rule set: the comparison, and what may
 * turn its no into a yes: another result that the gold's text allows, the
 * gold's values in the places of the prediction's.
 */
#include "metric/exec_rules.h"

#include "metric/exec_plug.h"
#include "metric/exec_plug_tree.h"
#include "score/score_stable.h"

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
    return v;
}
