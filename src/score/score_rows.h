/*
 * score_rows.h - comparisons of results. `pred` ran to its end or to its stop.
 */
#ifndef ASSAY_SCORE_SCORE_ROWS_H
#define ASSAY_SCORE_SCORE_ROWS_H

#include "score/score_stop.h"

typedef enum comparison {
    COMPARE_EXEC,
    COMPARE_SUBSET,
} comparison;

// With the variant of the gold that fits, or that got nearest.
verdict score_compare(judging *j,
                      comparison what,
                      rules r,
                      const execution *pred,
                      str pred_sql);
verdict score_exec_variant(judging *j,
                           rules r,
                           ptrdiff_t variant,
                           const execution *pred,
                           str pred_sql);

// Over the variants of FAMILY_PLAIN the one with the best score.
typedef verdict score_cells(const table *gold,
                            const table *pred,
                            arena *a,
                            arena scratch);
verdict score_best(judging *j, score_cells *compare, const execution *pred);

// The verdict of a metric that cannot be computed because there is no result
// to compare; false when there are both.
bool score_is_settled(judging *j,
                      family_id f,
                      const execution *pred,
                      verdict *v);

#endif  // ASSAY_SCORE_SCORE_ROWS_H
