/*
 * compare_near.h - equality within a tolerance, which is not transitive: a may
 * be near b and b near c without a being near c.
 *
 * Two steps. Coarse codes put all values that could possibly be near each
 * other under one code, so that the search for columns works as it does for
 * exact codes. For each mapping of columns that it finds, near_rows then pairs
 * the rows one by one with the real relation.
 */
#ifndef ASSAY_TABLE_COMPARE_NEAR_H
#define ASSAY_TABLE_COMPARE_NEAR_H

#include "table/match_rules.h"

typedef struct near_tables {
    const match_rules *rules;
    const table *gold;
    const table *pred;
    coded gold_exact;
    coded pred_exact;
    coded gold_coarse;
    coded pred_coarse;
    const int32_t *columns;  // a mapping: the pred column of each gold column
} near_tables;

// With the exact codes.
near_tables near_tables_of(const match_rules *m,
                           const table *gold,
                           const table *pred,
                           arena *a);

// The widest tolerance that a pair of the tables may use.
double near_widest(const match_rules *m, const table *gold, const table *pred);

// Can the tolerance matter at all: a REAL on one side, numbers on both?
bool near_may_help(const match_rules *m, const table *gold, const table *pred);

// How far numbers may be from each other: by either of the two.
typedef struct near_limit {
    double relative;
    double absolute;
} near_limit;

// False when no mapping of columns can be right, although numbers, one of them
// inexact, may differ within the limit. Needs the exact codes.
bool near_columns_may_fit(const near_tables *n,
                          near_limit limit,
                          arena scratch);

// Fills in the coarse codes.
void near_code(near_tables *n, arena *a);

// Are two cells, two rows equal under the mapping, or within the tolerance?
bool near_cells_fit(const near_tables *n,
                    ptrdiff_t gold_row,
                    ptrdiff_t gold_column,
                    ptrdiff_t pred_row);
bool near_rows_fit(const void *tables, ptrdiff_t gold_row, ptrdiff_t pred_row);

// Do the rows agree under the mapping, for which they agree by their coarse
// codes?
match_answer near_rows(const near_tables *n, arena scratch);

#endif  // ASSAY_TABLE_COMPARE_NEAR_H
