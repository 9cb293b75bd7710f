// edit_distance.h - how far two texts are apart (Levenshtein, unit costs).
#ifndef ASSAY_BASE_EDIT_DISTANCE_H
#define ASSAY_BASE_EDIT_DISTANCE_H

#include "base/arena.h"

// Bytes to insert, delete or replace to turn a into b; 0 means equal.
ptrdiff_t edit_distance(str a, str b, arena scratch);

// The same over sequences of ids, for instance of tokens: numbers from 0 on,
// as a map gives them; memory grows with the largest.
ptrdiff_t edit_distance_ids(const int32_t *a,
                            ptrdiff_t n_a,
                            const int32_t *b,
                            ptrdiff_t n_b,
                            arena scratch);

#endif  // ASSAY_BASE_EDIT_DISTANCE_H
