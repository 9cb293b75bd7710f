/*
 * rank_draws.h - would other cases put the runs in the same order?
 *
 * Cases are drawn again, with replacement, as many as there are: each draw
 * ranks the runs anew. What changes from draw to draw is chance of the choice
 * of cases. (definitions/difference.md#rank-stability)
 */
#ifndef ASSAY_REPORT_RANK_DRAWS_H
#define ASSAY_REPORT_RANK_DRAWS_H

#include "report/versus.h"

typedef struct rank_draws_run {
    double share;    // right among the cases that are known
    ptrdiff_t rank;  // 1 + the number of runs with a greater share
    interval ranks;  // 95 of 100 draws
    double first;    // share of draws in which no run is above it
} rank_draws_run;

typedef struct rank_draws {
    rank_draws_run *runs;  // as many as were asked about
    int64_t n_cases;
    ptrdiff_t n_draws;  // 0: there is nothing to draw from
    double same;        // share of draws with just this order
    double tau;         // mean over draws of Kendall's tau-b with this order
    interval taus;      // 95 of 100 draws
} rank_draws;

// Of the runs [first, first + n). A case of `left_out` (by case; NULL: none)
// does not count, nor one that not all of them have.
rank_draws rank_draws_of(const versus *v,
                         ptrdiff_t first,
                         ptrdiff_t n,
                         const bool *left_out,
                         arena *a,
                         arena scratch);

#endif  // ASSAY_REPORT_RANK_DRAWS_H
