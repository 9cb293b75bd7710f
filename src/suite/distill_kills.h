/*
 * distill_kills.h - which mutants a kept database must kill, and whether
 * changed rows still do so; for the files of the distiller alone.
 */
#ifndef ASSAY_SUITE_DISTILL_KILLS_H
#define ASSAY_SUITE_DISTILL_KILLS_H

#include "suite/distill_internal.h"

// The mutants of one gold that a database is kept for.
typedef struct kept_kills {
    target *target;
    vec_of(int32_t) mutants;
    const bool *reads;  // by table: may they or their gold read it? NULL: all
} kept_kills;

typedef struct kill_set {
    kept_kills *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
    int tries;  // of rows that keep them
} kill_set;

// How many mutants each kept database kills, by database.
typedef struct kill_load {
    int32_t database;
    int32_t n_killed;
} kill_load;

kill_load *distill_loads(const distiller *d, arena *a);

kill_set distill_kills_of(distiller *d, int32_t killer, arena *a);

// Do the rows kill them all, with golds that are settled? A mutant that
// survives is tried first the next time.
bool distill_keeps(distiller *d, const instance *rows, kill_set *all);

#endif  // ASSAY_SUITE_DISTILL_KILLS_H
