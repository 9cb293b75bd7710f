/*
 * explain_overlay.h - one table laid over the other by a mapping of columns,
 * to see what sticks out.
 */
#ifndef ASSAY_TABLE_EXPLAIN_OVERLAY_H
#define ASSAY_TABLE_EXPLAIN_OVERLAY_H

#include "table/compare_match.h"

typedef struct overlay {
    const match_rules *rules;
    const table *gold;
    const table *pred;
    const int32_t *columns;  // the pred column of each gold column
    coded gold_codes;        // exact ones
    coded pred_codes;
    double tolerance;  // 0 when it cannot matter here
    bool *gold_left;   // of each row: has it no counterpart?
    bool *pred_left;
    ptrdiff_t n_gold_left;
    ptrdiff_t n_pred_left;
} overlay;

// Before any mapping: the codes.
overlay overlay_new(const match_rules *m,
                    const table *gold,
                    const table *pred,
                    arena *a);

// Lays pred over gold and finds the rows that are left.
void overlay_lay(overlay *o, const int32_t *columns, arena *a);

// The mapping that a person would try first, where none fits: by equal values,
// then equal names, then shared values, then places. -1 where nothing speaks
// for a column.
int32_t *overlay_guess(const overlay *o, arena *a);

// Are the two cells of gold column c equal, or near enough?
bool overlay_cell_fits(const overlay *o,
                       ptrdiff_t gold_row,
                       ptrdiff_t c,
                       ptrdiff_t pred_row);

// Are rows compared by their places?
bool overlay_is_list(const overlay *o);

// The first of these rows that is left, or -1.
ptrdiff_t overlay_first(const bool *left, ptrdiff_t n);

// The name of a column in a line of text: long ones cut, no line breaks.
void overlay_show_name(buf *b, str name);

// "row 3, likes: 12 != 13", the first cell in which the two rows differ.
str overlay_show_cells(const overlay *o,
                       ptrdiff_t gold_row,
                       ptrdiff_t pred_row,
                       arena *a,
                       arena scratch);

// A pred row as it stands under the gold's columns: "(1, 'x')".
str overlay_show_pred_row(const overlay *o, ptrdiff_t row, arena *a);

#endif  // ASSAY_TABLE_EXPLAIN_OVERLAY_H
