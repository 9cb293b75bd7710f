/*
 * pair_order.h - what says that predictions stand in another order than their
 * questions; private to src/read.
 */
#ifndef ASSAY_READ_PAIR_ORDER_H
#define ASSAY_READ_PAIR_ORDER_H

#include "read/keys.h"
#include "read/pair.h"

// Two files that are to be paired.
typedef struct pair_job {
    pairing *p;
    const dataset *gold;
    const dataset *pred;
    const bool *wanted;  // by gold record; NULL: all
    diag *d;
    arena scratch;  // keys and matches stay in it
} pair_job;

// The keys of all places from `first` on, as ids have them. Blank lines count
// or have none.
keys pair_places(const dataset *set,
                 int64_t first,
                 bool counts_blank,
                 arena *a);

// Before files are paired by position: whether the words of a column say
// otherwise. Names it in p->shared, and says so in `d`.
void pair_check_columns(const pair_job *j);

// Of files that were paired: counts predictions that hold the question of
// another case in p->n_misfits, and says so.
void pair_check_questions(const pair_job *j);

#endif  // ASSAY_READ_PAIR_ORDER_H
