// places.h - lists of places: of columns in a table, of tables in a schema.
#ifndef ASSAY_BASE_PLACES_H
#define ASSAY_BASE_PLACES_H

#include "base/arena.h"

bool places_have(const int32_t *places, ptrdiff_t n, ptrdiff_t wanted);

// 0, 1, 2, ...: each thing is where it was. So it is in a list that is NULL.
bool places_stay(const int32_t *places, ptrdiff_t n);

#endif  // ASSAY_BASE_PLACES_H
