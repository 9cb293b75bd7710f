/*
 * score_samples.c - see score_samples.h.
 *
 * Method      With the values in falling order the i-th is the greatest of k
 *             drawn when it is drawn and the i before it are not: in
 *             C(n-1-i, k-1) of C(n, k) ways. The shares follow from each
 *             other, so no binomial is ever computed.
 *
 * Invariants  (1) A sample without an answer is not right, as everywhere; only
 *                 where no sample has one the verdict is unknown.
 *             (2) yes: whichever k samples are drawn, one of them is right.
 */
#include "score/score_samples.h"

#include "base/order.h"
#include "metric/metric.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

ORDER(falling, double, ORDER_OF(*b, *a))

// The expected greatest of k values drawn from n without putting back, 0 < k
// <= n. Sorts the values. Of values 0 and 1 that is the unbiased pass@k.
static double score_pass_at(double *values, ptrdiff_t n, int64_t k)
{
    assert(k > 0 && k <= n);
    qsort(values, (size_t)n, sizeof *values, falling);
    double share = (double)k / (double)n;
    double sum = 0;
    for (ptrdiff_t i = 0; i <= n - k; i++) {
        sum += share * values[i];
        share *= i < n - k ? (double)(n - k - i) / (double)(n - 1 - i) : 0;
    }
    return sum;
}

// One verdict of all samples of a run.
typedef struct sampled {
    const verdict **of;  // by sample
    ptrdiff_t n;
    ptrdiff_t n_yes;
    ptrdiff_t n_unknown;
    bool has_score;
    bool is_missing;
} sampled;

static sampled collect(const scored_case *scored,
                       const score_samples *run,
                       ptrdiff_t metric,
                       arena *a)
{
    sampled s = {.n = run->n, .is_missing = run->is_missing};
    s.of = (const verdict **)arena_alloc(a, sizeof *s.of, _Alignof(max_align_t),
                                         run->n);
    for (ptrdiff_t i = 0; i < run->n; i++) {
        const verdict *v =
            &scored->preds[run->texts[i]].verdicts[metric].verdict;
        s.of[i] = v;
        s.n_yes += v->v == ANSWER_YES;
        s.n_unknown += v->v == ANSWER_UNKNOWN;
        s.has_score |= v->has_score;
    }
    return s;
}

static verdict pass_verdict(const sampled *s, int64_t k, arena *a)
{
    assert(s->n > 0);
    const verdict *first = s->of[0];
    if (s->n_unknown == s->n) {
        return verdict_unknown(first->reason, first->detail);
    }
    if (k > s->n && !s->is_missing) {
        return verdict_unknown(
            REASON_TOO_FEW_SAMPLES,
            arena_printf(a, "%td of %lld", s->n, (long long)k));
    }
    k = k < s->n ? k : s->n;
    bool is_sure = s->n - s->n_yes < k;
    verdict v = is_sure         ? verdict_yes()
                : s->n_yes == 0 ? verdict_no(first->reason, (str){0})
                                : verdict_no(REASON_SAMPLES_DIFFER, (str){0});
    double *values = arena_new(a, double, s->n);
    for (ptrdiff_t i = 0; i < s->n; i++) {
        const verdict *one = s->of[i];
        values[i] = s->has_score ? one->score : one->v == ANSWER_YES;
    }
    v.has_score = true;
    // 0.4 + 0.3 is 0.7, not 0.7000000000000001.
    v.score = round(score_pass_at(values, s->n, k) * 1e12) / 1e12;
    if (s->n_yes > 0 && !is_sure) {
        v.detail = arena_printf(a, "%td of %td", s->n_yes, s->n);
    }
    return v;
}

// What tells the sample's verdict from others is in the list of samples.
static verdict vote_verdict(const sampled *s, const score_vote *vote)
{
    assert(vote->chosen >= 0 && vote->chosen < s->n);
    const verdict *v = s->of[vote->chosen];
    return (verdict){
        .v = v->v,
        .reason = v->reason,
        .variant = -1,
        .has_score = v->has_score,
        .score = v->score,
        .distance = -1,
    };
}

scored_pred score_with_samples(const scored_case *scored,
                               const score_task *task,
                               ptrdiff_t run,
                               const score_options *options,
                               arena *a)
{
    assert(run >= 0 && task->runs[run].n > 0);
    const score_samples *samples = &task->runs[run];
    scored_pred out = scored->preds[samples->texts[0]];
    ptrdiff_t n = out.n_verdicts;
    scored_verdict *list =
        arena_new(a, scored_verdict, n * (options->n_pass_at + 2));
    ptrdiff_t end = n;
    for (ptrdiff_t m = 0; m < n; m++) {
        list[m] = out.verdicts[m];
        sampled s = collect(scored, samples, m, a);
        for (ptrdiff_t i = 0; i < options->n_pass_at; i++) {
            int64_t k = options->pass_at[i];
            list[end++] = (scored_verdict){metric_pass_key(a, list[m].key, k),
                                           pass_verdict(&s, k, a)};
        }
        if (scored->votes) {
            list[end++] =
                (scored_verdict){metric_vote_key(a, list[m].key),
                                 vote_verdict(&s, &scored->votes[run])};
        }
    }
    out.verdicts = list;
    out.n_verdicts = end;
    return out;
}
