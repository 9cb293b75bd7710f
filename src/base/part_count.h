// part_count.h - how much of a component two things have, and share.
#ifndef ASSAY_BASE_PART_COUNT_H
#define ASSAY_BASE_PART_COUNT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct part_count {
    ptrdiff_t gold;
    ptrdiff_t pred;
    ptrdiff_t matched;
} part_count;

static inline bool part_is_right(part_count c)
{
    return c.gold == c.matched && c.pred == c.matched;
}

#endif  // ASSAY_BASE_PART_COUNT_H
