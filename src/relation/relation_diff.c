// relation_diff.c - see relation_diff.h: the greedy search, in the order of the
// lists, that each of the callers would write.
#include "relation/relation_diff.h"

#include <assert.h>

static ptrdiff_t most(const diff_question *q, diff_side side)
{
    return q->are_sets || q->n[side] < DIFF_MOST ? q->n[side] : DIFF_MOST;
}

static void pair_up(relation_diff *d,
                    diff_side side,
                    ptrdiff_t i,
                    ptrdiff_t j,
                    int pass)
{
    d->partner[side][i] = (int32_t)j;
    d->pass[side][i] = (int8_t)pass;
}

static void look_for(relation_diff *d,
                     const diff_question *q,
                     diff_side side,
                     ptrdiff_t i,
                     int pass)
{
    diff_side other = diff_other(side);
    for (ptrdiff_t j = 0; j < most(q, other) && d->partner[side][i] < 0; j++) {
        bool is_free = q->are_sets || d->partner[other][j] < 0;
        if (is_free && q->is_same(q->context, side, i, j, pass)) {
            pair_up(d, side, i, j, pass);
            if (!q->are_sets) {
                pair_up(d, other, j, i, pass);
            }
        }
    }
}

relation_diff relation_diff_of(arena *a, const diff_question *q)
{
    relation_diff d = {0};
    for (int side = 0; side < DIFF_SIDES; side++) {
        d.n[side] = q->n[side];
        d.partner[side] = arena_new(a, int32_t, d.n[side] + 1);
        d.pass[side] = arena_new(a, int8_t, d.n[side] + 1);
        for (ptrdiff_t i = 0; i < d.n[side]; i++) {
            d.partner[side][i] = -1;
        }
    }
    for (int pass = 0; pass < q->passes; pass++) {
        for (int side = 0; side < (q->are_sets ? DIFF_SIDES : 1); side++) {
            for (ptrdiff_t i = 0; i < most(q, (diff_side)side); i++) {
                look_for(&d, q, (diff_side)side, i, pass);
            }
        }
    }
    return d;
}

ptrdiff_t relation_diff_next(const relation_diff *d,
                             diff_side side,
                             ptrdiff_t i)
{
    assert(i >= -1 && i < d->n[side]);
    do {
        i++;
    } while (i < d->n[side] && d->partner[side][i] >= 0);
    return i < d->n[side] ? i : -1;
}

ptrdiff_t relation_diff_only(const relation_diff *d, diff_side side)
{
    ptrdiff_t only = relation_diff_next(d, side, -1);
    return only >= 0 && relation_diff_next(d, side, only) < 0 ? only : -1;
}
