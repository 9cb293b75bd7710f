/*
 * partition.h - classes of equal things, numbered from 0 (union-find).
 *
 * The one place where classes of equal things grow together: columns of a
 * query, columns of a schema, cells of rows.
 */
#ifndef ASSAY_BASE_PARTITION_H
#define ASSAY_BASE_PARTITION_H

#include "base/arena.h"

typedef vec_of(int32_t) partition;  // of each what it leads to: itself, or less

// One more, in a class of its own: its number.
int32_t partition_add(partition *p, arena *a);

// The class of a thing: the smallest number in it.
static inline int32_t partition_root(const partition *p, int32_t i)
{
    while (p->ptr[i] != i) {
        i = p->ptr[i];
    }
    return i;
}

// Both classes become one; a negative number is no thing.
void partition_join(partition *p, int32_t i, int32_t other);

#endif  // ASSAY_BASE_PARTITION_H
