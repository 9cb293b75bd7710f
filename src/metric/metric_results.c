/*
 * metric_results.c - exec and subset by one rule set: the comparison, and what
 * may turn its no into a yes: another result that the gold's text allows, the
 * gold's values in the places of the prediction's.
 */
#include "metric/exec_made_up.h"
#include "metric/exec_plug.h"
#include "metric/exec_rows.h"
#include "metric/exec_rules.h"
#include "table/explain_results.h"

// Both results beside a no that they gave; once a prediction, for the first
// rule set.
static void show_results(const evidence *e, rules r, verdict *v)
{
    const family_id f = evaluator_of(r)->family;
    const gold_set *set = &e->families[f];
    const execution *run = &e->runs[f];
    bool is_first = r == e->options->rules[0];
    if (v->v == ANSWER_NO && is_first && v->variant >= 0 && v->variant < set->n
        && run->status == REASON_NONE
        && set->runs[v->variant].status == REASON_NONE) {
        explain_results(&set->runs[v->variant].result, &run->result, v->results,
                        e->a, e->scratch);
    }
}

verdict exec_by_rules(const evidence *e, comparison what, rules r)
{
    const family_id f = evaluator_of(r)->family;
    const execution *run = &e->runs[f];
    verdict v;
    if (!evidence_settles(e, f, &v)) {
        v = exec_compare(e, what, r, run, e->pred->sql);
    }
    if (evaluator_has(r, ALLOWS_TIES)) {
        v = exec_other_golds(e, what, run, e->pred->sql, v);
    }
    if (e->options->plugs_values
        && (evaluator_has(r, PLUGS_TREES) || evaluator_has(r, PLUGS_TEXTS))) {
        v = exec_plugged(e, what, r, v);
    }
    if (v.v == ANSWER_YES && e->is_proved && f == FAMILY_PLAIN) {
        v.notes |= NOTE_BIT(REASON_PROVED);
    }
    if (what == COMPARE_EXEC) {
        show_results(e, r, &v);
    }
    return v;
}

verdict metric_judge_exec(const evidence *e, metric_key key)
{
    verdict v = exec_by_rules(e, COMPARE_EXEC, key.rules);
    if (v.v == ANSWER_YES && exec_is_made_up(e, key.rules, &v)) {
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

verdict metric_judge_subset(const evidence *e, metric_key key)
{
    return exec_by_rules(e, COMPARE_SUBSET, key.rules);
}
