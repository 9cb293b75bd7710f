/*
 * distill_known.c - what was seen of mutants and golds on kept databases.
 *
 * Why         The cover meets the same queries and the same rows again, in
 *             another order; a mutant that lives to the end would run on every
 *             kept database in every pass.
 *
 * Invariant   A number stands for the same rows in the same order as long as
 *             anything is known under it.
 *
 * Cost        Two bits for a mutant and a kept database.
 */
#include "suite/distill_internal.h"

#include <assert.h>

enum {
    BITS = 2,
    PER_WORD = 64 / BITS,
};

outcome outcome_at(const outcomes *o, int32_t number)
{
    ptrdiff_t word = number / PER_WORD;
    if (number < 0 || word >= o->len) {
        return OUTCOME_UNKNOWN;
    }
    return (outcome)(o->ptr[word] >> number % PER_WORD * BITS & 3);
}

void outcome_set(outcomes *o, arena *a, int32_t number, outcome v)
{
    if (number < 0) {
        return;
    }
    ptrdiff_t word = number / PER_WORD;
    uint64_t *bits = vec_at(a, o, word);
    int shift = number % PER_WORD * BITS;
    *bits &= ~((uint64_t)3 << shift);
    *bits |= (uint64_t)v << shift;
}

void distill_keep(distiller *d, instance rows)
{
    assert(d->kept.len == d->numbers.len);
    *vec_push(d->a, &d->kept) = rows;
    *vec_push(d->a, &d->numbers) = d->n_given++;
}

void distill_forget(distiller *d, target *targets, ptrdiff_t n, int32_t number)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        target *t = &targets[i];
        outcome_set(&t->settled, d->a, number, OUTCOME_UNKNOWN);
        for (ptrdiff_t k = 0; t->n_alive > 0 && k < t->n_mutants; k++) {
            mutant *r = &t->mutants[k];
            if (r->state == MUTANT_ALIVE) {
                outcome_set(&r->strikes, d->a, number, OUTCOME_UNKNOWN);
            }
        }
    }
}

bool distill_may_strike(const target *t, int32_t number)
{
    bool may = false;
    for (ptrdiff_t i = 0; !may && t->n_alive > 0 && i < t->n_mutants; i++) {
        const mutant *r = &t->mutants[i];
        may = r->state == MUTANT_ALIVE
              && outcome_at(&r->strikes, number) != OUTCOME_NO;
    }
    return may;
}
