/*
 * distill_cover.c - which of the kept databases are needed.
 *
 * Method      A greedy set cover. All killed mutants are revived and meet the
 *             databases in the order of how much each has killed; one that
 *             kills nothing any more is not needed. Again with the new counts,
 *             as long as that helps, at most COVER_PASSES times.
 *
 * Invariant   A mutant that was killed is killed again: the same databases meet
 *             the same queries.
 *
 * Cost        A mutant runs at most once on a database (distill_known.c): on
 *             one or two where it was killed, on those alone where it was
 *             spared (distill_trial.c) where it lived.
 */
#include "base/order.h"
#include "suite/distill_kills.h"

#include <assert.h>
#include <stdlib.h>

enum {
    COVER_PASSES = 4
};

ORDER(by_credit, kill_load, ORDER_DOWN(n_killed), ORDER_UP(database))

kill_load *distill_loads(const distiller *d, arena *a)
{
    kill_load *loads = arena_new(a, kill_load, d->kept.len);
    for (ptrdiff_t k = 0; k < d->kept.len; k++) {
        loads[k].database = (int32_t)k;
    }
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        const target *t = &d->targets[i];
        for (ptrdiff_t r = 0; r < t->n_mutants; r++) {
            if (t->mutants[r].state == MUTANT_KILLED) {
                assert(t->mutants[r].killer < d->kept.len);
                loads[t->mutants[r].killer].n_killed++;
            }
        }
    }
    return loads;
}

static void revive(distiller *d)
{
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        target *t = &d->targets[i];
        for (ptrdiff_t r = 0; r < t->n_mutants; r++) {
            if (t->mutants[r].state == MUTANT_KILLED) {
                t->mutants[r].state = MUTANT_ALIVE;
                t->n_alive++;
                d->killed--;
            }
        }
    }
}

// The first of the databases in the order of how much each has killed; those
// that kill are kept.
static void meet_again(distiller *d, ptrdiff_t most, arena *a)
{
    kill_load *loads = distill_loads(d, a);
    qsort(loads, (size_t)d->kept.len, sizeof *loads, by_credit);
    revive(d);
    instance *old = arena_new(a, instance, d->kept.len);
    int32_t *numbers = arena_new(a, int32_t, d->kept.len);
    ptrdiff_t n_old = d->kept.len < most ? d->kept.len : most;
    for (ptrdiff_t k = 0; k < n_old; k++) {
        old[k] = d->kept.ptr[loads[k].database];
        numbers[k] = d->numbers.ptr[loads[k].database];
    }
    d->kept.len = 0;
    for (ptrdiff_t k = 0; k < n_old; k++) {
        arena memory = *a;
        strikes s = distill_trial(d, &old[k], numbers[k], d->targets,
                                  d->n_targets, &memory);
        if (s.len > 0) {
            distill_mark(d, &s, (int32_t)d->kept.len);
            assert(d->kept.len <= k);
            d->numbers.ptr[d->kept.len] = numbers[k];
            d->kept.ptr[d->kept.len++] = old[k];
        }
    }
    d->numbers.len = d->kept.len;
}

void distill_limit(distiller *d)
{
    arena memory = d->trial;
    ptrdiff_t most = d->options->max_databases;
    if (most > 0 && d->kept.len > most) {
        for (ptrdiff_t k = 0; k < d->kept.len; k++) {
            d->numbers.ptr[k] = d->n_given++;  // for other rows than before
        }
        meet_again(d, most, &memory);
    }
}

void distill_cover(distiller *d)
{
    ptrdiff_t before = d->kept.len + 1;
    for (int pass = 0; pass < COVER_PASSES && d->kept.len < before; pass++) {
        arena memory = d->trial;
        before = d->kept.len;
        meet_again(d, before, &memory);
    }
}
