/*
 * explain_align.h - the rows and columns of two tables aligned, to see which
 * have no counterpart.
 */
#ifndef ASSAY_TABLE_EXPLAIN_ALIGN_H
#define ASSAY_TABLE_EXPLAIN_ALIGN_H

#include "table/compare_near.h"

typedef struct alignment {
    near_tables tables;
    bool *gold_left;  // of each row: has it no counterpart?
    bool *pred_left;
    ptrdiff_t n_gold_left;
    ptrdiff_t n_pred_left;
} alignment;

// Before any mapping: the codes.
alignment alignment_new(const match_rules *m,
                        const table *gold,
                        const table *pred,
                        arena *a);

// Aligns the rows under the mapping and finds those without a counterpart.
void alignment_apply(alignment *o, const int32_t *columns, arena *a);

// The mapping that a person would try first, where none fits: by equal values,
// then equal names, then shared values, then places. -1 where nothing speaks
// for a column.
int32_t *alignment_guess(const alignment *o, arena *a);

// The first gold column that the mapping leaves without one, or -1.
ptrdiff_t alignment_lost_column(const int32_t *columns, ptrdiff_t n);

// Are rows compared by their places?
bool alignment_is_list(const alignment *o);

// The first of these rows that is left, or -1.
ptrdiff_t alignment_first(const bool *left, ptrdiff_t n);

// "row 3, likes: 12 != 13", the first cell in which the two rows differ.
str alignment_show_cells(const alignment *o,
                         ptrdiff_t gold_row,
                         ptrdiff_t pred_row,
                         arena *a,
                         arena scratch);

// A pred row as it stands under the gold's columns: "(1, 'x')".
str alignment_show_pred_row(const alignment *o, ptrdiff_t row, arena *a);

#endif  // ASSAY_TABLE_EXPLAIN_ALIGN_H
