/*
 * distill_result.c - the suite, from the state at the end.
 *
 * Method      For each gold: which databases kill its mutants and how many
 *             each, best first; which mutants live or are proved equivalent,
 *             and what was tried; on which databases its own result is not
 *             settled.
 *
 * Invariants  The two of suite.h. The second is why every gold is run once more
 *             on every database here.
 *
 * Cost        Golds times databases, three runs each (distill_trial.c).
 */
#include "base/order.h"
#include "suite/distill_internal.h"

#include <assert.h>
#include <stdlib.h>

ORDER(by_number_killed, suite_killer, ORDER_DOWN(n_killed), ORDER_UP(database))

static void list_killers(distiller *d, const target *t, suite_gold *g)
{
    suite_killer *all = arena_new(d->a, suite_killer, d->kept.len);
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        const mutant *r = &t->mutants[i];
        g->made[r->neighbor.kind]++;
        if (r->state == MUTANT_KILLED) {
            assert(r->killer >= 0 && r->killer < d->kept.len);
            suite_killer *k = &all[r->killer];
            g->killed[r->neighbor.kind]++;
            if (k->n_killed++ == 0) {
                k->database = r->killer;
                k->kind = r->neighbor.kind;
                k->neighbor = r->neighbor.sql;
            }
        }
    }
    qsort(all, (size_t)d->kept.len, sizeof *all, by_number_killed);
    for (ptrdiff_t k = 0; k < d->kept.len && all[k].n_killed > 0; k++) {
        *vec_push(d->a, &g->killers) = all[k];
    }
}

static str why_alive(distiller *d, const target *t)
{
    if (t->n_unstable > 0) {
        return arena_printf(
            d->a,
            "%d databases made for it; on %d that kill the gold's own "
            "result was not settled",
            (int)t->tries, (int)t->n_unstable);
    }
    return arena_printf(d->a, "%d database%s made for it", (int)t->tries,
                        plural(t->tries));
}

static void list_survivors(distiller *d, const target *t, suite_gold *g)
{
    str why = why_alive(d, t);
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        const mutant *r = &t->mutants[i];
        if (r->state == MUTANT_ALIVE || r->state == MUTANT_PROVED) {
            bool is_proved = r->state == MUTANT_PROVED;
            *vec_push(d->a, &g->survivors) =
                (suite_survivor){r->neighbor, is_proved,
                                 r->why.len > 0 || is_proved ? r->why : why};
        }
    }
}

// On which databases is the gold's result not settled?
static void list_unstable(distiller *d, suite_gold *golds)
{
    for (ptrdiff_t k = 0; k < d->kept.len; k++) {
        arena memory = d->trial;
        bool *is_settled = arena_new(&memory, bool, d->n_targets);
        distill_settle_all(d, &d->kept.ptr[k], is_settled, memory);
        for (ptrdiff_t i = 0; i < d->n_targets; i++) {
            if (!is_settled[i]) {
                *vec_push(d->a, &golds[i].unstable) = (int32_t)k;
            }
        }
    }
}

void distill_result(distiller *d, suite *out)
{
    suite_gold *golds = arena_new(d->a, suite_gold, d->n_targets);
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        const target *t = &d->targets[i];
        golds[i].sql = t->sql;
        golds[i].error = t->error;
        list_killers(d, t, &golds[i]);
        list_survivors(d, t, &golds[i]);
        ptrdiff_t place = map_add(&out->by_sql, d->a, t->sql);
        assert(place == i);  // golds are distinct
        (void)place;
    }
    list_unstable(d, golds);
    out->databases = d->kept.ptr;
    out->n_databases = d->kept.len;
    out->golds = golds;
    out->n_golds = d->n_targets;
    out->curve = d->curve;
    out->tries = d->tries;
}
