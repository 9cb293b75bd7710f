/*
 * distill_shrink.c - removes rows that are not needed.
 *
 * Method      Delta debugging by tables, children first: all rows, then halves,
 *             quarters, single ones are left out; what does not keep every kill
 *             is undone. A try that fails is cheap: the mutant that survived
 *             one is tried first the next time. Golds run only where they or a
 *             mutant read the table.
 *
 * Invariant   After each step the database still kills all that it is kept for,
 *             with golds that are settled.
 *
 * Cost        SHRINK_TRIES tries for a database at most.
 */
#include "schema/bind_text.h"
#include "schema/reading.h"
#include "suite/distill_kills.h"

#include <assert.h>

enum {
    SHRINK_TRIES = 300  // for one database
};

kill_set distill_kills_of(distiller *d, int32_t killer, arena *a)
{
    kill_set out = {0};
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        kept_kills k = {.target = &d->targets[i]};
        for (ptrdiff_t r = 0; r < k.target->n_mutants; r++) {
            const mutant *x = &k.target->mutants[r];
            if (x->state == MUTANT_KILLED && x->killer == killer) {
                *vec_push(a, &k.mutants) = (int32_t)r;
            }
        }
        if (k.mutants.len > 0) {
            *vec_push(a, &out) = k;
        }
    }
    return out;
}

// Moves number `at` to the front.
static void ask_first(int32_t *list, ptrdiff_t at)
{
    assert(at >= 0);
    int32_t moved = list[at];
    for (; at > 0; at--) {
        list[at] = list[at - 1];
    }
    list[0] = moved;
}

bool distill_keeps(distiller *d, const instance *rows, kill_set *all)
{
    arena memory = d->trial;
    if (distill_is_unreal(d, rows)
        || !distill_show(d, rows, NO_NUMBER, &memory)) {
        return false;
    }
    strikes settled = {0};
    for (ptrdiff_t i = 0; i < all->len; i++) {
        target *t = all->ptr[i].target;
        execution gold = scratch_run(t->gold.query, ENGINE_READ_ALL, &memory);
        if (gold.status != REASON_NONE) {
            return false;
        }
        for (ptrdiff_t r = 0; r < all->ptr[i].mutants.len; r++) {
            mutant *x = &t->mutants[all->ptr[i].mutants.ptr[r]];
            if (!distill_strikes(d, t, x, &gold.result, memory)) {
                ask_first(all->ptr[i].mutants.ptr, r);
                return false;
            }
        }
        if (gold_query_ties(&t->gold, &gold.result, memory)) {
            return false;
        }
        *vec_push(&memory, &settled) = (strike){t, NULL, 0, gold.result};
    }
    return distill_settled(d, rows, NO_NUMBER, &settled, memory);
}

// Which tables do the mutants and their gold read? NULL: that is not known.
static const bool *tables_read(const distiller *d,
                               const kept_kills *k,
                               arena *a)
{
    arena memory = d->trial;
    reading read = reading_new(&memory, d->job->schema);
    bool is_known = k->target->binding->problems.len == 0;
    reading_add(&read, k->target->binding);
    for (ptrdiff_t i = 0; is_known && i < k->mutants.len; i++) {
        arena local = memory;
        str sql = k->target->mutants[k->mutants.ptr[i]].neighbor.sql;
        const binding *b = bind_text_known(&local, sql, d->job->schema,
                                           d->options->dialect, *a);
        is_known = b != NULL;
        if (is_known) {
            reading_add(&read, b);
        }
    }
    return is_known ? arena_copy(a, read.tables, d->job->schema->n_tables, 0)
                    : NULL;
}

// Those of the set that may tell the rows of a table. Borrows the lists.
static kill_set readers_of(const kill_set *all, ptrdiff_t t, arena *a)
{
    kill_set out = {.ptr = arena_new(a, kept_kills, all->len),
                    .tries = all->tries};
    for (ptrdiff_t i = 0; i < all->len; i++) {
        if (!all->ptr[i].reads || all->ptr[i].reads[t]) {
            out.ptr[out.len++] = all->ptr[i];
        }
    }
    return out;
}

static instance shrink_table(distiller *d,
                             instance rows,
                             ptrdiff_t t,
                             kill_set *all,
                             arena *a)
{
    for (ptrdiff_t chunk = rows.tables[t].n_rows; chunk > 0; chunk /= 2) {
        ptrdiff_t at = rows.tables[t].n_rows - chunk;
        for (; at > -chunk && rows.tables[t].n_rows > 0; at -= chunk) {
            ptrdiff_t from = at > 0 ? at : 0;
            ptrdiff_t n = at > 0 ? chunk : chunk + at;
            if (++all->tries > SHRINK_TRIES) {
                return rows;
            }
            instance fewer = instance_without(a, &rows, t, from, n);
            if (distill_keeps(d, &fewer, all)) {
                rows = fewer;
            }
        }
    }
    return rows;
}

void distill_shrink(distiller *d)
{
    table_order order = schema_order(d->a, d->job->schema);
    for (ptrdiff_t k = 0; k < d->kept.len; k++) {
        arena memory = d->scratch;
        kill_set all = distill_kills_of(d, (int32_t)k, &memory);
        for (ptrdiff_t i = 0; i < all.len; i++) {
            all.ptr[i].reads = tables_read(d, &all.ptr[i], &memory);
        }
        for (ptrdiff_t i = order.n - 1; i >= 0; i--) {
            arena local = memory;
            kill_set readers = readers_of(&all, order.tables[i], &local);
            d->kept.ptr[k] = shrink_table(d, d->kept.ptr[k], order.tables[i],
                                          &readers, d->a);
            all.tries = readers.tries;
        }
    }
}
