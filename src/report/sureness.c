/*
 * sureness.c - see sureness.h.
 *
 * Method      Answers are sorted, the surest first. Equally sure ones enter
 *             together: what the curve has between them is the mean over all
 *             their orders, so that no figure depends on the order of a file.
 *
 * Invariants  (1) least <= area; a constant confidence has area = chance and
 *                 auroc = 1/2.
 *             (2) auroc and area stay when confidences are mapped by a rising
 *                 function.
 *
 * Cost        n log n.
 */
#include "report/sureness.h"

#include "base/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void calibration_add(calibration *c, double confidence, bool is_right)
{
    int bin = 0;
    while (bin < CALIBRATION_BINS - 1
           && confidence > (double)(bin + 1) / CALIBRATION_BINS) {
        bin++;
    }
    c->n[bin]++;
    c->n_right[bin] += is_right;
    c->confidence[bin] += confidence;
}

double calibration_error(const calibration *c)
{
    double sum = 0;
    int64_t n = 0;
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        sum += fabs((double)c->n_right[i] - c->confidence[i]);
        n += c->n[i];
    }
    return n > 0 ? sum / (double)n : NAN;
}

str calibration_bin_name(arena *a, int bin)
{
    int width = 100 / CALIBRATION_BINS;
    return arena_printf(a, bin == 0 ? "%d to %d %%" : "over %d to %d %%",
                        bin * width, (bin + 1) * width);
}

ORDER(surest_first, sure_answer, ORDER_DOWN(confidence))

// The end of the equally sure answers that begin at `from`, and how many of
// them are wrong.
static ptrdiff_t end_of_ties(const sureness *s,
                             ptrdiff_t from,
                             ptrdiff_t *n_wrong)
{
    ptrdiff_t i = from;
    *n_wrong = 0;
    while (
        i < s->answers.len
        && !(s->answers.ptr[i].confidence < s->answers.ptr[from].confidence)) {
        *n_wrong += !s->answers.ptr[i++].is_right;
    }
    return i;
}

double sureness_risk(const sureness *s, ptrdiff_t k)
{
    assert(k > 0 && k <= s->answers.len);
    double wrong = 0;
    for (ptrdiff_t from = 0; from < k;) {
        ptrdiff_t n_wrong = 0;
        ptrdiff_t end = end_of_ties(s, from, &n_wrong);
        double share = end <= k ? 1 : (double)(k - from) / (double)(end - from);
        wrong += share * (double)n_wrong;
        from = end;
    }
    return wrong / (double)k;
}

// Both areas in one pass over the ties.
static void set_areas(sureness *s)
{
    double n_wrong = (double)(s->answers.len - s->n_right);
    double before = 0;  // wrong answers that are surer
    double won = 0;     // pairs of a right answer and a less sure wrong one
    double risks = 0;
    for (ptrdiff_t from = 0; from < s->answers.len;) {
        ptrdiff_t wrong = 0;
        ptrdiff_t end = end_of_ties(s, from, &wrong);
        double n_here = (double)(end - from);
        double right = n_here - (double)wrong;
        for (ptrdiff_t k = from + 1; k <= end; k++) {
            double within = (double)wrong * (double)(k - from) / n_here;
            risks += (before + within) / (double)k;
        }
        before += (double)wrong;
        won += right * (n_wrong - before + (double)wrong / 2);
        from = end;
    }
    s->area = risks / (double)s->answers.len;
    s->auroc = s->n_right > 0 && n_wrong > 0
                   ? won / ((double)s->n_right * n_wrong)
                   : NAN;
}

sureness sureness_of(sure_answers answers)
{
    sureness s = {.answers = answers,
                  .is_probability = true,
                  .brier = NAN,
                  .auroc = NAN,
                  .area = NAN,
                  .chance = NAN,
                  .least = NAN};
    if (answers.len == 0) {
        return s;
    }
    qsort(answers.ptr, (size_t)answers.len, sizeof *answers.ptr, surest_first);
    double n = (double)answers.len;
    double squares = 0;
    for (ptrdiff_t i = 0; i < answers.len; i++) {
        const sure_answer *one = &answers.ptr[i];
        double distance = one->is_right - one->confidence;
        s.is_probability &= one->confidence >= 0 && one->confidence <= 1;
        squares += distance * distance;
        s.n_right += one->is_right;
        calibration_add(&s.calibration, one->confidence, one->is_right);
    }
    s.brier = squares / n;
    s.chance = (n - (double)s.n_right) / n;
    s.least = 0;
    for (int64_t k = s.n_right + 1; k <= answers.len; k++) {
        s.least += (double)(k - s.n_right) / (double)k / n;
    }
    set_areas(&s);
    return s;
}
