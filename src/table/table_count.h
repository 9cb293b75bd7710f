/*
 * table_count.h - how often each code occurs on the gold's and on the
 * prediction's side.
 */
#ifndef ASSAY_TABLE_TABLE_COUNT_H
#define ASSAY_TABLE_TABLE_COUNT_H

#include "base/arena.h"

typedef struct code_count {
    uint64_t key;   // 0: the slot is free
    uint32_t gold;  // both for the user of the counter to write
    uint32_t pred;
    ptrdiff_t id;  // keys are numbered 0, 1, 2, ... as they come
} code_count;

typedef struct counter {
    code_count *slots;
    ptrdiff_t mask;  // number of slots - 1
    ptrdiff_t n;     // keys
} counter;

// An empty counter with room for `max` keys.
counter counter_new(arena *a, ptrdiff_t max);

// Makes room for one more key. For counters whose number of keys cannot be
// told beforehand and is likely small.
void counter_make_room(counter *c, arena *a);

// The place of `code`, made now when it is new.
code_count *counter_add(counter *c, uint64_t code);

// The place of `code`, or NULL.
code_count *counter_find(const counter *c, uint64_t code);

#endif  // ASSAY_TABLE_TABLE_COUNT_H
