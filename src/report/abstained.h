/*
 * abstained.h - how often a model answers or abstains, and is right: counts for
 * the metric abstain.
 *
 * The reliability score of TrustSQL, coverage and risk come from five numbers.
 * (definitions/abstention.md)
 */
#ifndef ASSAY_REPORT_ABSTAINED_H
#define ASSAY_REPORT_ABSTAINED_H

#include "report/case_line.h"

typedef struct abstained {
    int64_t right;  // of questions that have an answer
    int64_t wrong;
    int64_t withheld;
    int64_t answered;  // of questions that have none
    int64_t declined;
    int64_t unknown;  // of either: in no other number
} abstained;

// Counts the verdict of the metric on one case; nothing where it is another
// metric's.
void abstained_add(abstained *c, const line_verdict *v, bool is_unanswerable);

// Cases that were judged.
int64_t abstained_cases(const abstained *c);

// Of all of these the share that was answered; of the answers the share that is
// wrong. NaN without.
double abstained_coverage(const abstained *c);
double abstained_risk(const abstained *c);

// RS(c): the mean of 1 for what is right, -c for each wrong answer and 0 for
// what is withheld. RS(N) is that with c = abstained_cases.
double abstained_score(const abstained *c, double penalty);

#endif  // ASSAY_REPORT_ABSTAINED_H
