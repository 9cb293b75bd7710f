/*
 * row_set.h - how many different rows there are, counted as they come.
 *
 * Rows that some rules call equal must not count as two, so the hash takes 1
 * and 1.0 for one, and all texts beyond ASCII for one: counting too few only
 * means to read on.
 */
#ifndef ASSAY_ENGINE_ROW_SET_H
#define ASSAY_ENGINE_ROW_SET_H

#include "table/value.h"

typedef struct row_set {
    uint64_t *slots;  // 0: free
    ptrdiff_t n_slots;
    ptrdiff_t count;
} row_set;

void row_set_add(row_set *set, arena *a, const value *row, ptrdiff_t n);

#endif  // ASSAY_ENGINE_ROW_SET_H
