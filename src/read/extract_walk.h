/*
 * extract_walk.h - the walk that finds queries in an answer; private to the
 * extractor.
 */
#ifndef ASSAY_READ_EXTRACT_WALK_H
#define ASSAY_READ_EXTRACT_WALK_H

#include "base/arena.h"
#include "read/extract_choice.h"

typedef struct answer {
    finding best;  // without SQL: there is none
    str rest;      // without it: what follows the last thought, or what a fence
                   // of SQL holds
    unsigned notes;
    bool ends_in_thought;
    bool declines;  // data say that there is no SQL
} answer;

answer extract_walk(arena *a, str text, arena scratch);

#endif  // ASSAY_READ_EXTRACT_WALK_H
