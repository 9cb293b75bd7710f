/*
 * explain_results.h - two results, prepared for a person who reads them side by
 * side.
 */
#ifndef ASSAY_TABLE_EXPLAIN_RESULTS_H
#define ASSAY_TABLE_EXPLAIN_RESULTS_H

#include "table/table.h"
#include "table/verdict.h"

/*
 * The first rows of gold and prediction, those that the other has not before
 * those that both have: "(1, 'x') (2, 'y') and 3 more rows", "no rows". Where
 * only the places of rows differ, from the first place that does. Column names
 * are copied, as many as fit in half a kilobyte.
 */
void explain_results(const table *gold,
                     const table *pred,
                     shown_result shown[2],
                     arena *a,
                     arena scratch);

#endif  // ASSAY_TABLE_EXPLAIN_RESULTS_H
