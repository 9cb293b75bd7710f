// sort.h - sorts places by what stands there; stable.
#ifndef ASSAY_BASE_SORT_H
#define ASSAY_BASE_SORT_H

#include "base/arena.h"

// Like that of qsort, of two places.
typedef int sort_compare(const void *context, ptrdiff_t a, ptrdiff_t b);

void sort_places(int32_t *places,
                 ptrdiff_t n,
                 sort_compare *compare,
                 const void *context,
                 arena scratch);

#endif  // ASSAY_BASE_SORT_H
