/*
 * compare_search.h - find a mapping of columns under which the rows agree.
 */
#ifndef ASSAY_TABLE_COMPARE_SEARCH_H
#define ASSAY_TABLE_COMPARE_SEARCH_H

#include "table/compare_near.h"

typedef struct search_input {
    const match_rules *rules;
    const table *gold;  // for the names of the columns
    const table *pred;
    const coded *gold_codes;  // by which rows must agree
    const coded *pred_codes;
    const coded *pred_exact;  // codes that tell all values apart
    const near_tables *near;  // NULL: rows agree when their codes do
} search_input;

// columns[g] becomes the pred column of gold column g.
match_answer search_columns(const search_input *in,
                            int32_t *columns,
                            arena scratch);

#endif  // ASSAY_TABLE_COMPARE_SEARCH_H
