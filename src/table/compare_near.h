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
} near_tables;

// The widest tolerance that a pair of the tables may use.
double near_widest(const match_rules *m, const table *gold, const table *pred);

// Are two numbers, one of them a REAL, within the tolerance for these two?
bool near_values(const match_rules *m, value v, value w);

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

// Do the rows agree under this mapping of columns, for which they agree by
// their coarse codes?
match_answer near_rows(const near_tables *n,
                       const int32_t *columns,
                       arena scratch);

#endif  // ASSAY_TABLE_COMPARE_NEAR_H
