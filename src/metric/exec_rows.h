/*
 * exec_rows.h - comparisons of results. `pred` ran to its end or to its stop.
 */
#ifndef ASSAY_METRIC_EXEC_ROWS_H
#define ASSAY_METRIC_EXEC_ROWS_H

#include "metric/exec_stop.h"

// With the variant of the gold that fits, or that got nearest.
verdict exec_compare(const evidence *e,
                     comparison what,
                     rules r,
                     const execution *pred,
                     str pred_sql);
verdict exec_compare_variant(const evidence *e,
                             comparison what,
                             rules r,
                             ptrdiff_t variant,
                             const execution *pred,
                             str pred_sql);

// Over the variants of FAMILY_PLAIN the one with the best score.
typedef verdict exec_cells(const table *gold,
                           const table *pred,
                           arena *a,
                           arena scratch);
verdict exec_best_cells(const evidence *e,
                        exec_cells *compare,
                        const execution *pred);

// `no`, or yes when the prediction returns what another run of the gold does.
verdict exec_other_golds(const evidence *e,
                         comparison what,
                         const execution *pred,
                         str pred_sql,
                         verdict no);

#endif  // ASSAY_METRIC_EXEC_ROWS_H
