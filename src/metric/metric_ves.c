/*
 * metric_ves.c - ves: how much work a right prediction takes beside its gold.
 *
 * Method      BIRD's valid efficiency score times both queries a hundred times
 *             and takes the root of the ratio. Here the ratio is that of the
 *             steps that SQLite's virtual machine takes: one run is enough,
 *             and every machine agrees; see
 *             definitions/bird.md#valid-efficiency-score. Right is what BIRD's
 *             execution accuracy calls so.
 */
#include "metric/metric.h"
#include "score/score_rows.h"

#include <math.h>

enum {
    VES_ROOT,    // of the ratio
    VES_REWARD,  // of the reward that its step of the stairs gives
};

// By the ratio gold / prediction: at least so much gives this reward.
static const struct {
    double least;
    double reward;
} stairs[] = {{2, 1.25}, {1, 1}, {0.5, 0.75}, {0.25, 0.5}, {0, 0.25}};

void metric_keys_ves(metric_keys *keys,
                     const score_options *o,
                     str word,
                     arena *a)
{
    (void)o;
    *vec_push(a, keys) = (metric_key){.key = word, .part = VES_ROOT};
    *vec_push(a, keys) =
        (metric_key){.key = arena_printf(a, "%.*s:reward", STR_ARG(word)),
                     .part = VES_REWARD};
}

static double reward_of(double ratio)
{
    ptrdiff_t i = 0;
    while (ratio < stairs[i].least) {
        i++;
    }
    return stairs[i].reward;
}

verdict metric_judge_ves(judging *j, const metric_call *call)
{
    const rules r = evaluator_with(HAS_EFFICIENCY);
    const family_id f = evaluator_of(r)->family;
    const execution *run = &call->runs[f];
    const gold_set *set = &j->families[f];
    verdict v;
    if (!score_is_settled(j, f, run, &v)) {
        v = score_compare(j, COMPARE_EXEC, r, run, call->pred->sql);
    }
    v.has_score |= v.v == ANSWER_NO;
    if (v.v != ANSWER_YES) {
        return v;
    }
    int64_t gold_work = set->runs[v.variant].work;
    if (gold_work == 0 || run->work == 0) {
        return verdict_unknown(REASON_NO_REFERENCE,
                               S("this engine does not count its steps"));
    }
    double ratio = (double)gold_work / (double)run->work;
    v.has_score = true;
    v.score = sqrt(call->key.part == VES_ROOT ? ratio : reward_of(ratio));
    v.detail = arena_printf(j->a, "%lld steps, the gold takes %lld",
                            (long long)run->work, (long long)gold_work);
    return v;
}
