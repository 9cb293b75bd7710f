/*
 * metric_ves.c - ves: how much work a right prediction takes beside its gold.
 *
 * Method      BIRD's valid efficiency score times both queries a hundred times
 *             and takes the root of the ratio. Here the ratio is that of the
 *             steps that SQLite's virtual machine takes: one run is enough,
 *             and every machine agrees. With --ves-runs both are timed as BIRD
 *             does, too; see definitions/bird.md#valid-efficiency-score. Right
 *             is what BIRD's execution accuracy calls so.
 *
 * Cost        Of ves:time, both queries as often as they are timed.
 */
#include "metric/metric_ves.h"

#include <math.h>

enum {
    VES_ROOT,    // of the ratio
    VES_REWARD,  // of the reward that its step of the stairs gives
    VES_TIME,    // the same of seconds
    VES_TIME_REWARD,
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
    static const char *const parts[] = {"", ":reward", ":time", ":time_reward"};
    metric_keys_parts(keys, word, parts,
                      o->ves_runs > 0 ? countof(parts) : VES_TIME, a);
}

static double score_of(double ratio, bool is_reward)
{
    if (!is_reward || ratio <= 0) {
        return sqrt(ratio);
    }
    ptrdiff_t i = 0;
    while (ratio < stairs[i].least) {
        i++;
    }
    return sqrt(stairs[i].reward);
}

// The verdict of a right prediction, by seconds.
static verdict compare_time(const evidence *e, metric_key key)
{
    if (e->times.failed != REASON_NONE) {
        return verdict_unknown(e->times.failed,
                               S("it ended so while it was timed"));
    }
    verdict v = verdict_scored(
        verdict_yes(), score_of(e->times.ratio, key.part == VES_TIME_REWARD));
    v.detail =
        arena_printf(e->a, "the gold takes %.2f times as long, %lld runs",
                     e->times.ratio, (long long)e->options->ves_runs);
    return v;
}

// The same, by steps.
static verdict compare_work(const evidence *e,
                            int64_t gold_work,
                            int64_t pred_work,
                            metric_key key)
{
    if (gold_work == 0 || pred_work == 0) {
        return verdict_unknown(REASON_NO_REFERENCE,
                               S("this engine does not count its steps"));
    }
    double ratio = (double)gold_work / (double)pred_work;
    verdict v =
        verdict_scored(verdict_yes(), score_of(ratio, key.part == VES_REWARD));
    v.detail = arena_printf(e->a, "%lld steps, the gold takes %lld",
                            (long long)pred_work, (long long)gold_work);
    return v;
}

verdict ves_of_rows(const evidence *e, family_id *f)
{
    const rules r = evaluator_with(HAS_EFFICIENCY);
    verdict v;
    *f = evaluator_of(r)->family;
    if (!evidence_settles(e, *f, &v)) {
        v = exec_compare(e, COMPARE_EXEC, r, &e->runs[*f], e->pred->sql);
    }
    v.has_score |= v.v == ANSWER_NO;
    return v;
}

verdict metric_judge_ves(const evidence *e, metric_key key)
{
    family_id f;
    verdict v = ves_of_rows(e, &f);
    if (v.v != ANSWER_YES) {
        return v;
    }
    verdict out = key.part >= VES_TIME
                      ? compare_time(e, key)
                      : compare_work(e, e->families[f].runs[v.variant].work,
                                     e->runs[f].work, key);
    out.variant = v.variant;
    out.notes |= v.notes;
    return out;
}
