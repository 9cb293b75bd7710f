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
#include "metric/metric.h"
#include "score/score_rows.h"
#include "score/score_run.h"

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
    int n = o->ves_runs > 0 ? countof(parts) : VES_TIME;
    for (int i = 0; i < n; i++) {
        *vec_push(a, keys) = (metric_key){
            .key = arena_printf(a, "%.*s%s", STR_ARG(word), parts[i]),
            .part = i};
    }
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

// Without the ratios at three standard deviations from the mean or further.
// Where all are equal none is left and the mean is 0, as in BIRD's program.
static double clipped_mean(const double *ratios, int64_t n)
{
    double mean = 0;
    double square = 0;
    for (int64_t i = 0; i < n; i++) {
        mean += ratios[i] / (double)n;
        square += ratios[i] * ratios[i] / (double)n;
    }
    double spread = sqrt(fmax(square - mean * mean, 0));
    double sum = 0;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        if (fabs(ratios[i] - mean) < 3 * spread) {
            sum += ratios[i];
            kept++;
        }
    }
    return kept > 0 ? sum / (double)kept : 0;
}

// Gold and prediction in turn; why a run of them failed.
static reason time_both(judging *j, str gold, str pred, double *ratio)
{
    int32_t pred_no = (int32_t)(j->pred - j->task->preds);
    int64_t n = j->s->options->ves_runs;
    double *ratios = arena_new(j->a, double, n);
    for (int64_t i = 0; i < n; i++) {
        arena kept = *j->a;
        execution of_pred = score_run_once(j, pred, pred_no);
        execution of_gold = score_run_once(j, gold, WATCH_GOLD);
        *j->a = kept;
        if (of_pred.status != REASON_NONE || of_gold.status != REASON_NONE) {
            return of_pred.status ? of_pred.status : of_gold.status;
        }
        ratios[i] = (double)of_gold.ns / fmax((double)of_pred.ns, 1);
    }
    *ratio = clipped_mean(ratios, n);
    return REASON_NONE;
}

// The verdict of a right prediction, by seconds.
static verdict compare_time(judging *j, str gold, const metric_call *call)
{
    reason why = j->time_ratio > 0
                     ? REASON_NONE
                     : time_both(j, gold, call->pred->sql, &j->time_ratio);
    if (why != REASON_NONE) {
        return verdict_unknown(why, S("it ended so while it was timed"));
    }
    verdict v = verdict_yes();
    v.has_score = true;
    v.score = score_of(j->time_ratio, call->key.part == VES_TIME_REWARD);
    v.detail =
        arena_printf(j->a, "the gold takes %.2f times as long, %lld runs",
                     j->time_ratio, (long long)j->s->options->ves_runs);
    return v;
}

// The same, by steps.
static verdict compare_work(judging *j,
                            int64_t gold_work,
                            int64_t pred_work,
                            const metric_call *call)
{
    if (gold_work == 0 || pred_work == 0) {
        return verdict_unknown(REASON_NO_REFERENCE,
                               S("this engine does not count its steps"));
    }
    double ratio = (double)gold_work / (double)pred_work;
    verdict v = verdict_yes();
    v.has_score = true;
    v.score = score_of(ratio, call->key.part == VES_REWARD);
    v.detail = arena_printf(j->a, "%lld steps, the gold takes %lld",
                            (long long)pred_work, (long long)gold_work);
    return v;
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
    verdict out =
        call->key.part >= VES_TIME
            ? compare_time(j, set->variants[v.variant].sql, call)
            : compare_work(j, set->runs[v.variant].work, run->work, call);
    out.variant = v.variant;
    out.notes |= v.notes;
    return out;
}
