/*
 * compare_spider2_csv.h - a result as it comes back from a CSV file.
 *
 * Spider 2.0 compares files, so each column is guessed from its texts: digits
 * become numbers, True and False booleans, '', NA, null, None, nan and their
 * like missing, and one other text makes the whole column text.
 */
#ifndef ASSAY_EVALUATORS_COMPARE_SPIDER2_CSV_H
#define ASSAY_EVALUATORS_COMPARE_SPIDER2_CSV_H

#include "table/value_key.h"

typedef enum csv_kind {
    CSV_TEXT,
    CSV_INT,
    CSV_FLOAT,  // also integers with missing ones among them
    CSV_BOOL,
} csv_kind;

// INT, REAL, BOOL and TEXT only. What is missing has become the integer 0, as
// the evaluator compares it.
typedef struct csv_column {
    csv_kind kind;
    value *cells;
    ptrdiff_t n;
    hash128 bag;   // of all cells, by type and text
    hash128 list;  // the same, order counts
    double least;  // of the numbers
    double most;
    bool is_sorted;
} csv_column;

typedef struct csv_table {
    csv_column *columns;
    ptrdiff_t n_columns;
} csv_table;

// The columns `which` of t; NULL: the first n.
csv_table csv_from_table(arena *a,
                         const table *t,
                         const int32_t *which,
                         ptrdiff_t n);

// Sorts the cells by their Python texts, numbers after equal texts.
void csv_sort(csv_column *c, arena scratch);

#endif  // ASSAY_EVALUATORS_COMPARE_SPIDER2_CSV_H
