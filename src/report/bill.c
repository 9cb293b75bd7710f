/*
 * bill.c - see bill.h.
 *
 * Method      What lines tell is kept line by line, as percentiles and
 *             confidences need all of it, with one bit a metric for what was
 *             judged and what is right: each metric asks for its own figures
 *             in the end.
 *
 * Cost        64 bytes for a line that tells something.
 */
#include "report/bill.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

// Where the model gives no query there is no answer to be sure of.
static bool gives_query(const case_line *line)
{
    bool gives = !str_equal(line->pred_status, S("no_prediction"))
                 && !(str_equal(line->gold_status, S("unanswerable"))
                      && str_among(line->pred_status, "ok"));
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        gives &= !str_equal(line->verdicts.ptr[i].reason, S("abstained"));
    }
    return gives;
}

void bill_add(bill_answers *list,
              arena *a,
              const case_line *line,
              const ptrdiff_t *ids,
              ptrdiff_t n_ids)
{
    if (!line->told.has) {
        return;
    }
    bill_answer one = {.told = line->told, .is_answer = gives_query(line)};
    for (ptrdiff_t i = 0; i < n_ids; i++) {
        if (ids[i] >= 0 && ids[i] < BILL_METRICS_MAX) {
            answer v = line->verdicts.ptr[i].v;
            one.judged |= (uint64_t)(v != ANSWER_UNKNOWN) << ids[i];
            one.right |= (uint64_t)(v == ANSWER_YES) << ids[i];
        }
    }
    *vec_push(a, list) = one;
}

static bool has_bit(uint64_t bits, ptrdiff_t metric)
{
    return metric >= 0 && metric < BILL_METRICS_MAX && bits >> metric & 1;
}

ORDER(by_value, double, ORDER_OF(*a, *b))

// The least value that so many of 100 do not exceed.
static double percentile(const double *sorted, ptrdiff_t n, ptrdiff_t percent)
{
    return n > 0 ? sorted[(n * percent + 99) / 100 - 1] : NAN;
}

static void add_told(bill *b, const answer_told *one, double *times)
{
    for (int k = 0; k < TOLD_COUNT; k++) {
        if (!told_has(one, (told_kind)k)) {
            continue;
        }
        if (k == TOLD_LATENCY_MS) {
            times[b->n[k]] = one->at[k];
        }
        b->sum[k] += one->at[k];
        b->n[k]++;
    }
}

bill bill_of(const bill_answers *list, ptrdiff_t metric, arena scratch)
{
    bill b = {0};
    double *times = arena_new(&scratch, double, list->len);
    double spent = 0;
    int64_t n_right = 0;
    bool is_spent = false;
    for (ptrdiff_t i = 0; i < list->len; i++) {
        const bill_answer *one = &list->ptr[i];
        add_told(&b, &one->told, times);
        if (has_bit(one->judged, metric) && told_has(&one->told, TOLD_COST)) {
            spent += one->told.at[TOLD_COST];
            n_right += has_bit(one->right, metric);
            is_spent = true;
        }
    }
    ptrdiff_t n = (ptrdiff_t)b.n[TOLD_LATENCY_MS];
    qsort(times, (size_t)n, sizeof *times, by_value);
    b.latency[0] = percentile(times, n, 50);
    b.latency[1] = percentile(times, n, 95);
    b.per_right = !is_spent     ? NAN
                  : n_right > 0 ? spent / (double)n_right
                                : INFINITY;
    return b;
}

sureness bill_sureness(const bill_answers *list, ptrdiff_t metric, arena *a)
{
    sure_answers answers = {0};
    for (ptrdiff_t i = 0; i < list->len; i++) {
        const bill_answer *one = &list->ptr[i];
        if (one->is_answer && has_bit(one->judged, metric)
            && told_has(&one->told, TOLD_CONFIDENCE)) {
            *vec_push(a, &answers) = (sure_answer){
                one->told.at[TOLD_CONFIDENCE], has_bit(one->right, metric)};
        }
    }
    return sureness_of(answers);
}

static double mean_cost(const bill *b)
{
    return b->n[TOLD_COST] > 0 ? b->sum[TOLD_COST] / (double)b->n[TOLD_COST]
                               : NAN;
}

bool bill_is_best(const bill_run *runs, ptrdiff_t n, ptrdiff_t run)
{
    double cost = mean_cost(&runs[run].bill);
    bool is_best = !isnan(cost) && !isnan(runs[run].right);
    for (ptrdiff_t i = 0; i < n; i++) {
        double other = mean_cost(&runs[i].bill);
        bool is_beaten = runs[i].right >= runs[run].right && other <= cost
                         && (runs[i].right > runs[run].right || other < cost);
        is_best = is_best && !is_beaten;
    }
    return is_best;
}
