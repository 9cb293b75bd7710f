/*
 * result_gold.h - a result that serves as gold, as a table.
 *
 * A file of CSV has no types. So a cell is read as what it spells, and the
 * result of a prediction is read as it would come back from such a file:
 * definitions/results.md#types. Rows of JSON and Parquet have types; times
 * alone are read out of their texts.
 */
#ifndef ASSAY_METRIC_RESULT_GOLD_H
#define ASSAY_METRIC_RESULT_GOLD_H

#include "read/record.h"
#include "table/table.h"

typedef struct result_gold {
    table read;     // what the cells spell
    table written;  // the cells as they are written
    bool has_types;
    bool has_no_names;     // an empty list: nobody knows its columns
    const int32_t *which;  // columns that count, from 0
    ptrdiff_t n_which;     // 0: all
    str doubt;             // why nobody can say what it means; rules that
                           // read files compare all the same
    str error;             // it is no result, and why
} result_gold;

result_gold result_gold_read(arena *a, const record_result *r);

// What a prediction returned, read as the result was.
table result_gold_rows(arena *a, const result_gold *g, const table *rows);

#endif  // ASSAY_METRIC_RESULT_GOLD_H
