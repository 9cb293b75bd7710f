/*
 * compare_cell_pairs.h - pair rows by the number of cells they share.
 */
#ifndef ASSAY_TABLE_COMPARE_CELL_PAIRS_H
#define ASSAY_TABLE_COMPARE_CELL_PAIRS_H

#include "base/arena.h"

// Some rows of one table as codes; equal codes are equal values.
typedef struct cell_rows {
    const uint64_t *codes;  // n_rows * width, those of a row sorted
    ptrdiff_t n_rows;
    ptrdiff_t width;
} cell_rows;

/*
 * The number of cells that gold and pred rows share when each row is paired at
 * most once: the pair that shares most first, of equals the one with the first
 * gold row, then the first pred row. Cells are shared as bags: a value twice
 * on one side and once on the other is shared once.
 */
int64_t cell_pairs_shared(const cell_rows *gold,
                          const cell_rows *pred,
                          arena scratch);

#endif  // ASSAY_TABLE_COMPARE_CELL_PAIRS_H
