/*
 * distill_trial.c - what one database does to golds and their neighbors.
 *
 * Method      The database is filled in once for all queries. Where neighbors
 *             differ, the gold must show that its own result is settled: no
 *             tie that ORDER BY or LIMIT choose among, and the same result
 *             from a second connection that reads backwards, with the rows
 *             inserted as they stand and shuffled. That is asked last, since
 *             most databases kill nothing.
 *
 * Invariant   Of a database that the engine refuses, or where a gold is not
 *             settled, nothing is concluded.
 *
 * Cost        One filling, one run of each gold and each living mutant; two
 *             more fillings where something is killed.
 */
#include "suite/distill_internal.h"

#include <assert.h>

// A neighbor that is cut off by the limits proves nothing; one that fails
// where the gold runs does.
static bool is_cut_off(const execution *x)
{
    return x->status == REASON_TIMEOUT || x->status == REASON_MEMORY
           || x->status == REASON_TOO_MANY_ROWS
           || x->status == REASON_CONNECTION_LOST;
}

bool distill_strikes(distiller *d,
                     const target *t,
                     mutant *r,
                     const table *gold,
                     arena memory)
{
    scratch_query *q = distill_mutant_query(d, r);
    if (!q) {
        return false;
    }
    execution x = scratch_run(q, gold_query_stop(&t->gold, gold), &memory);
    if (x.status != REASON_NONE) {
        return !is_cut_off(&x);
    }
    return !gold_query_equal(&t->gold, gold, &x.result, memory);
}

static void strike_target(distiller *d, target *t, strikes *out, arena *a)
{
    execution x = scratch_run(t->gold.query, ENGINE_READ_ALL, a);
    if (x.status != REASON_NONE) {
        return;
    }
    strike s = {t, arena_new(a, int32_t, t->n_alive), 0, x.result};
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        mutant *r = &t->mutants[i];
        if (r->state == MUTANT_ALIVE
            && distill_strikes(d, t, r, &x.result, *a)) {
            assert(s.n < t->n_alive);
            s.mutants[s.n++] = (int32_t)i;
        }
    }
    if (s.n > 0 && gold_query_ties(&t->gold, &x.result, *a)) {
        t->n_unstable++;
    } else if (s.n > 0) {
        *vec_push(a, out) = s;
    }
}

// Does the mirror show the same, filled in this way?
static void drop_unsettled(distiller *d,
                           const instance *rows,
                           uint64_t shuffle,
                           strikes *s,
                           arena memory)
{
    diag ignored = diag_new(&memory);
    scratch_order order = {.shuffle = shuffle, .reversed = true};
    if (s->len == 0 || !scratch_fill(d->mirror, rows, order, &ignored)) {
        s->len = 0;
        return;
    }
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < s->len; i++) {
        target *t = s->ptr[i].target;
        arena m = memory;
        execution x = scratch_run(t->mirror.query, ENGINE_READ_ALL, &m);
        if (x.status == REASON_NONE
            && gold_query_equal(&t->gold, &s->ptr[i].gold, &x.result, m)) {
            s->ptr[kept++] = s->ptr[i];
        } else {
            t->n_unstable++;
        }
    }
    s->len = kept;
}

bool distill_settled(distiller *d,
                     const instance *rows,
                     strikes *s,
                     arena memory)
{
    ptrdiff_t n = s->len;
    drop_unsettled(d, rows, 0, s, memory);
    drop_unsettled(d, rows, 1, s, memory);
    return s->len == n;
}

strikes distill_trial(distiller *d,
                      const instance *rows,
                      target *const *targets,
                      ptrdiff_t n,
                      arena *a)
{
    strikes out = {0};
    diag refused = diag_new(a);
    if (distill_is_unreal(d, rows)) {
        return out;
    }
    if (!scratch_fill(d->db, rows, (scratch_order){0}, &refused)) {
        d->n_illegal++;
        return out;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        if (targets[i]->n_alive > 0) {
            strike_target(d, targets[i], &out, a);
        }
    }
    distill_settled(d, rows, &out, *a);
    return out;
}

void distill_settle_all(distiller *d,
                        const instance *rows,
                        bool *is_settled,
                        arena memory)
{
    diag refused = diag_new(&memory);
    strikes all = {0};
    if (!scratch_fill(d->db, rows, (scratch_order){0}, &refused)) {
        return;
    }
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        target *t = &d->targets[i];
        execution x = {.status = REASON_RUNTIME_ERROR};
        if (t->error.len == 0) {
            x = scratch_run(t->gold.query, ENGINE_READ_ALL, &memory);
        }
        if (x.status == REASON_NONE
            && !gold_query_ties(&t->gold, &x.result, memory)) {
            *vec_push(&memory, &all) = (strike){t, NULL, 0, x.result};
        }
    }
    distill_settled(d, rows, &all, memory);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        is_settled[all.ptr[i].target - d->targets] = true;
    }
}

void distill_mark(distiller *d, const strikes *s, int32_t killer)
{
    assert(killer >= 0);
    for (ptrdiff_t i = 0; i < s->len; i++) {
        target *t = s->ptr[i].target;
        for (ptrdiff_t k = 0; k < s->ptr[i].n; k++) {
            mutant *r = &t->mutants[s->ptr[i].mutants[k]];
            assert(r->state == MUTANT_ALIVE);
            r->state = MUTANT_KILLED;
            r->killer = killer;
            distill_forget_mutant(r);
        }
        t->n_alive -= s->ptr[i].n;
        assert(t->n_alive >= 0);
        d->killed += s->ptr[i].n;
    }
}
