/*
 * relation_diff.h - two queries side by side: what only one of them has.
 *
 * A query is given as lists of things by their numbers: the facts of a clause
 * (clauses.h), what somebody is after (metric/), values. What counts as the
 * same is the caller's to say; who finds whom, and who stays alone, is decided
 * here for all.
 *
 *     relation_diff d = relation_diff_of(&a, &question);
 *     for (ptrdiff_t i = -1; (i = relation_diff_next(&d, DIFF_GOLD, i)) >= 0;)
 */
#ifndef ASSAY_RELATION_RELATION_DIFF_H
#define ASSAY_RELATION_RELATION_DIFF_H

#include "base/arena.h"

typedef enum diff_side {
    DIFF_GOLD,
    DIFF_PRED,
    DIFF_SIDES,
} diff_side;

static inline diff_side diff_other(diff_side side)
{
    return side == DIFF_GOLD ? DIFF_PRED : DIFF_GOLD;
}

enum {
    DIFF_MOST = 1000,  // of a list that is no set; what comes after stays alone
};

typedef struct diff_question {
    // Does thing `other` of the other side stand for thing `one` of `side`? In
    // pass 0, 1 and so on, the strictest first.
    bool (*is_same)(const void *context,
                    diff_side side,
                    ptrdiff_t one,
                    ptrdiff_t other,
                    int pass);
    const void *context;
    ptrdiff_t n[DIFF_SIDES];
    int passes;
    // Lists are sets: one thing may stand for several, and each side is asked
    // about. Else each finds one partner at most, and only the gold is asked.
    bool are_sets;
} diff_question;

typedef struct relation_diff {
    ptrdiff_t n[DIFF_SIDES];
    int32_t *partner[DIFF_SIDES];  // of each thing; -1: it stays alone
    int8_t *pass[DIFF_SIDES];      // in which it was found
} relation_diff;

relation_diff relation_diff_of(arena *a, const diff_question *q);

// The first thing after `i` that stays alone; -1: there is none.
ptrdiff_t relation_diff_next(const relation_diff *d,
                             diff_side side,
                             ptrdiff_t i);

// The only one that does; -1: there is none, or are more.
ptrdiff_t relation_diff_only(const relation_diff *d, diff_side side);

#endif  // ASSAY_RELATION_RELATION_DIFF_H
