// pair_locate.h - what the words of SQL say of where predictions belong.
#ifndef ASSAY_READ_PAIR_LOCATE_H
#define ASSAY_READ_PAIR_LOCATE_H

#include "read/dataset.h"

/*
 * For two files that should have been equally long: the index of the first
 * prediction after the place where one block of predictions is missing (or
 * begins, when there are too many). `order` lists the predictions by their
 * index. -1 when the texts do not tell.
 */
ptrdiff_t pair_locate(const dataset *gold,
                      const dataset *pred,
                      const int32_t *order,
                      ptrdiff_t n_order,
                      arena scratch);

// Which gold the prediction is more like: the one at `here` (1), the one at
// `there` (-1), or neither (0).
int pair_likelier(const dataset *gold,
                  const dataset *pred,
                  ptrdiff_t i,
                  ptrdiff_t here,
                  ptrdiff_t there,
                  arena scratch);

#endif  // ASSAY_READ_PAIR_LOCATE_H
