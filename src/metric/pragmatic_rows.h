// pragmatic_rows.h - two results that are the same but for format; for
// pragmatic.c.
#ifndef ASSAY_METRIC_PRAGMATIC_ROWS_H
#define ASSAY_METRIC_PRAGMATIC_ROWS_H

#include "sql/dialect.h"
#include "table/table.h"

// With the leniencies in `bits`: extra columns, their order, order of rows,
// repeated rows, letter case, NULL and empty, rounding. The others say nothing
// about results.
bool pragmatic_rows_match(str gold_sql,
                          const table *gold,
                          const table *pred,
                          dialect d,
                          uint32_t bits,
                          arena scratch);

#endif  // ASSAY_METRIC_PRAGMATIC_ROWS_H
