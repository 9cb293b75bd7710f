/*
 * ring.h - a queue of numbers (first in, first out) with a fixed capacity.
 */
#ifndef ASSAY_BASE_RING_H
#define ASSAY_BASE_RING_H

#include "base/arena.h"

#include <assert.h>

typedef struct ring {
    int32_t *ptr;
    ptrdiff_t first;
    ptrdiff_t len;
    ptrdiff_t room;
} ring;

static inline ring ring_new(arena *a, ptrdiff_t room)
{
    return (ring){.ptr = arena_new(a, int32_t, room), .room = room};
}

static inline void ring_push(ring *r, int32_t no)
{
    assert(r->len < r->room);
    r->ptr[(r->first + r->len++) % r->room] = no;
}

static inline int32_t ring_pop(ring *r)
{
    assert(r->len > 0);
    int32_t no = r->ptr[r->first];
    r->first = (r->first + 1) % r->room;
    r->len--;
    return no;
}

#endif  // ASSAY_BASE_RING_H
