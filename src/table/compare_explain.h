// compare_explain.h - why does the prediction's result not match?
#ifndef ASSAY_TABLE_COMPARE_EXPLAIN_H
#define ASSAY_TABLE_COMPARE_EXPLAIN_H

#include "table/compare_match.h"

// The no of two tables for which match_tables said MATCH_NO, with the reason
// that helps most and the first thing that differs.
verdict compare_explain(const match_rules *m,
                        const table *gold,
                        const table *pred,
                        arena *a,
                        arena scratch);

#endif  // ASSAY_TABLE_COMPARE_EXPLAIN_H
