/*
 * state_diff.h - do two scripts leave the same database behind?
 *
 * definitions/state.md
 */
#ifndef ASSAY_METRIC_STATE_DIFF_H
#define ASSAY_METRIC_STATE_DIFF_H

#include "metric/evidence.h"

// Compares what both left: tables, rows, other objects, rows that were
// returned. A no names the table, and in it the row and column.
verdict state_diff(const evidence *e,
                   const script_outcome *gold,
                   const script_outcome *pred);

#endif  // ASSAY_METRIC_STATE_DIFF_H
