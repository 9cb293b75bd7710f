// partition.c - see partition.h. What a thing leads to is never larger, so
// following ends.
#include "base/partition.h"

int32_t partition_add(partition *p, arena *a)
{
    int32_t i = (int32_t)p->len;
    *vec_push(a, p) = i;
    return i;
}

void partition_join(partition *p, int32_t i, int32_t other)
{
    if (i < 0 || other < 0) {
        return;
    }
    int32_t a = partition_root(p, i);
    int32_t b = partition_root(p, other);
    p->ptr[a > b ? a : b] = a > b ? b : a;
}
