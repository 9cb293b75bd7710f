/*
 * bill.h - what the answers of a run cost, and how sure their model was.
 *
 * Journals have these figures for some or all answers (base/told.h); each total
 * covers the answers that have it. (definitions/cost.md)
 */
#ifndef ASSAY_REPORT_BILL_H
#define ASSAY_REPORT_BILL_H

#include "base/told.h"
#include "report/case_line.h"
#include "report/sureness.h"

// What one line tells, and by which metrics it is right.
typedef struct bill_answer {
    answer_told told;
    bool is_answer;   // the prediction gives a query
    uint64_t judged;  // bit set of metrics
    uint64_t right;
} bill_answer;

typedef vec_of(bill_answer) bill_answers;

enum {
    BILL_METRICS_MAX = 64,  // by more no answer is known to be right
};

// Nothing where the line tells nothing. `ids` are the metrics of its first
// verdicts; -1: it does not count.
void bill_add(bill_answers *list,
              arena *a,
              const case_line *line,
              const ptrdiff_t *ids,
              ptrdiff_t n_ids);

typedef struct bill {
    int64_t n[TOLD_COUNT];  // answers that tell it
    double sum[TOLD_COUNT];
    double latency[2];  // half of the answers came within the first, 95 of 100
                        // within the second; NaN where none tells
    double per_right;   // of judged answers: their cost for each right one;
                        // infinite without one, NaN where none tells
} bill;

bill bill_of(const bill_answers *list, ptrdiff_t metric, arena scratch);

// Of the answers that were judged and tell their confidence.
sureness bill_sureness(const bill_answers *list, ptrdiff_t metric, arena *a);

// A run beside others.
typedef struct bill_run {
    str name;
    double right;  // share of its cases; NaN: not known
    bill bill;
    sureness sureness;
} bill_run;

// Is no other run at least as often right for at most the cost of an answer,
// and better in one of both?
bool bill_is_best(const bill_run *runs, ptrdiff_t n, ptrdiff_t run);

#endif  // ASSAY_REPORT_BILL_H
