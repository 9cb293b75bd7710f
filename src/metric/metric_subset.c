// metric_subset.c - subset: the gold's columns are in the prediction's result.
#include "metric/exec_rules.h"

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
