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
 *             What is known of a database from before (distill_known.c) is not
 *             run again; where all is known it is not filled in either. Where a
 *             gold returns nothing a neighbor differs far less often than where
 *             it returns rows (3 % of runs, not 20): of databases that are
 *             drawn for all golds, neighbors meet EMPTY_MET of that kind.
 *
 * Invariant   Of a database that the engine refuses, or where a gold is not
 *             settled, nothing is concluded.
 *
 * Cost        One filling, one run of each gold and each living mutant; two
 *             more fillings where something is killed.
 */
#include "suite/distill_internal.h"

#include <assert.h>

enum {
    EMPTY_MET = 5,  // databases on which its gold returns nothing
};

// A neighbor that is cut off by the limits proves nothing; one that fails
// where the gold runs does.
static bool is_cut_off(const execution *x)
{
    return x->status == REASON_TIMEOUT || x->status == REASON_MEMORY
           || x->status == REASON_TOO_MANY_ROWS
           || x->status == REASON_CONNECTION_LOST;
}

// Whether a row meets a cast that fails is for DuckDB's plan to say, and that
// hangs on the rows: nobody is judged by it.
static bool is_plans_fault(const distiller *d, const execution *x)
{
    return x->status == REASON_RUNTIME_ERROR
           && d->job->schema->dialect == DIALECT_DUCKDB;
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
        return !is_cut_off(&x) && !is_plans_fault(d, &x);
    }
    return !gold_query_equal(&t->gold, gold, &x.result, memory);
}

// The same, remembered.
static bool strikes_at(distiller *d,
                       const target *t,
                       mutant *r,
                       int32_t number,
                       const table *gold,
                       arena memory)
{
    outcome known = outcome_at(&r->strikes, number);
    if (known != OUTCOME_UNKNOWN) {
        return known == OUTCOME_YES;
    }
    bool differs = gold && distill_strikes(d, t, r, gold, memory);
    outcome_set(&r->strikes, d->a, number, differs ? OUTCOME_YES : OUTCOME_NO);
    return differs;
}

// Counts a database of those; is it one too many?
static bool is_spared(const distiller *d, target *t, const table *gold)
{
    bool is_empty = d->is_blind && gold && gold->n_rows == 0;
    return is_empty && ++t->n_empty > EMPTY_MET;
}

static void strike_target(distiller *d,
                          target *t,
                          int32_t number,
                          strikes *out,
                          arena *a)
{
    execution x = scratch_run(t->gold.query, ENGINE_READ_ALL, a);
    const table *gold = x.status == REASON_NONE ? &x.result : NULL;
    if (is_spared(d, t, gold)) {
        return;
    }
    strike s = {t, arena_new(a, int32_t, t->n_alive), 0, x.result};
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        mutant *r = &t->mutants[i];
        if (r->state == MUTANT_ALIVE && strikes_at(d, t, r, number, gold, *a)) {
            assert(s.n < t->n_alive);
            s.mutants[s.n++] = (int32_t)i;
        }
    }
    outcome known = outcome_at(&t->settled, number);
    if (s.n > 0
        && (known == OUTCOME_NO
            || (known == OUTCOME_UNKNOWN
                && gold_query_ties(&t->gold, &x.result, *a)))) {
        t->n_unstable++;
        outcome_set(&t->settled, d->a, number, OUTCOME_NO);
    } else if (s.n > 0) {
        *vec_push(a, out) = s;
    }
}

static bool is_known_settled(const strike *s, int32_t number)
{
    return outcome_at(&s->target->settled, number) == OUTCOME_YES;
}

static bool all_known_settled(const strikes *s, int32_t number)
{
    bool all = true;
    for (ptrdiff_t i = 0; all && i < s->len; i++) {
        all = is_known_settled(&s->ptr[i], number);
    }
    return all;
}

static bool is_same_in_mirror(const strike *s, arena memory)
{
    execution x =
        scratch_run(s->target->mirror.query, ENGINE_READ_ALL, &memory);
    return x.status == REASON_NONE
           && gold_query_equal(&s->target->gold, &s->gold, &x.result, memory);
}

// Does the mirror show the same, filled in this way?
static void drop_unsettled(distiller *d,
                           const instance *rows,
                           int32_t number,
                           uint64_t shuffle,
                           strikes *s,
                           arena memory)
{
    diag ignored = diag_new(&memory);
    scratch_order order = {.shuffle = shuffle, .reversed = true};
    if (all_known_settled(s, number)) {
        return;
    }
    if (!scratch_fill(d->mirror, rows, order, &ignored)) {
        s->len = 0;
        return;
    }
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < s->len; i++) {
        target *t = s->ptr[i].target;
        if (is_known_settled(&s->ptr[i], number)
            || is_same_in_mirror(&s->ptr[i], memory)) {
            s->ptr[kept++] = s->ptr[i];
        } else {
            t->n_unstable++;
            outcome_set(&t->settled, d->a, number, OUTCOME_NO);
        }
    }
    s->len = kept;
}

bool distill_settled(distiller *d,
                     const instance *rows,
                     int32_t number,
                     strikes *s,
                     arena memory)
{
    ptrdiff_t n = s->len;
    drop_unsettled(d, rows, number, 0, s, memory);
    drop_unsettled(d, rows, number, 1, s, memory);
    for (ptrdiff_t i = 0; i < s->len; i++) {
        outcome_set(&s->ptr[i].target->settled, d->a, number, OUTCOME_YES);
    }
    return s->len == n;
}

static bool any_may_strike(const target *targets, ptrdiff_t n, int32_t number)
{
    bool any = false;
    for (ptrdiff_t i = 0; !any && i < n; i++) {
        any = distill_may_strike(&targets[i], number);
    }
    return any;
}

bool distill_show(distiller *d, const instance *rows, int32_t number, arena *a)
{
    if (number != NO_NUMBER && d->shown == number && !scratch_is_lost(d->db)) {
        return true;
    }
    diag refused = diag_new(a);
    bool ok = scratch_fill(d->db, rows, (scratch_order){0}, &refused);
    d->shown = ok ? number : NO_NUMBER;
    return ok;
}

strikes distill_trial(distiller *d,
                      const instance *rows,
                      int32_t number,
                      target *targets,
                      ptrdiff_t n,
                      arena *a)
{
    strikes out = {0};
    if (!any_may_strike(targets, n, number) || distill_is_unreal(d, rows)) {
        return out;
    }
    if (!distill_show(d, rows, number, a)) {
        return out;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        if (distill_may_strike(&targets[i], number)) {
            strike_target(d, &targets[i], number, &out, a);
        }
    }
    distill_settled(d, rows, number, &out, *a);
    return out;
}

void distill_settle_all(distiller *d,
                        const instance *rows,
                        bool *is_settled,
                        arena memory)
{
    strikes all = {0};
    if (!distill_show(d, rows, NO_NUMBER, &memory)) {
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
    distill_settled(d, rows, NO_NUMBER, &all, memory);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        is_settled[all.ptr[i].target - d->targets] = true;
    }
}

void distill_mark(distiller *d, const strikes *s, int32_t killer)
{
    for (ptrdiff_t i = 0; i < s->len; i++) {
        target *t = s->ptr[i].target;
        for (ptrdiff_t k = 0; k < s->ptr[i].n; k++) {
            distill_kill(d, t, &t->mutants[s->ptr[i].mutants[k]], killer);
        }
    }
}
