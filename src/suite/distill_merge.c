/*
 * distill_merge.c - two small databases become one.
 *
 * Why         A database made for one mutant holds a few rows that the others
 *             do not mind. Side by side such databases do the work of all with
 *             fewer files to fill in.
 *
 * Method      The rows of one are appended to those of the other, first as they
 *             are, then with other keys: integer keys moved up, text keys made
 *             longer, foreign keys with them. Rows whose key is taken are left
 *             out. What does not keep every kill of both is undone.
 *
 * Invariant   The set of killed mutants stays the same; only their killers
 *             change.
 *
 * Cost        MERGE_TRIES partners for a database, each with the runs of all
 *             mutants that the two are kept for.
 */
#include "base/order.h"
#include "base/partition.h"
#include "suite/distill_internal.h"
#include "suite/distill_kills.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MERGE_TRIES = 24,   // partners for one database
    MERGE_ROWS = 80,    // of the two together
    MERGE_KILLS = 300,  // neighbors that a partner is kept for
};

typedef struct merger {
    distiller *d;
    const schema *schema;
    kill_set *kills;    // by database: what it is kept for
    int32_t *first;     // by table, the number of its first column
    partition classes;  // of columns that foreign keys connect
    bool *is_key;       // by class: a unique column of its own is in it
} merger;

static int32_t class_of(const merger *m, ptrdiff_t t, ptrdiff_t column)
{
    return partition_root(&m->classes, m->first[t] + (int32_t)column);
}

// The columns of a foreign key and those that it refers to are of one class.
static void join_key(merger *m, const schema_key *key)
{
    for (ptrdiff_t i = 0; key->parent >= 0 && i < key->n; i++) {
        if (key->targets[i] >= 0) {
            partition_join(&m->classes, m->first[key->child] + key->columns[i],
                           m->first[key->parent] + key->targets[i]);
        }
    }
}

static merger merger_new(distiller *d, arena *a)
{
    const schema *s = d->job->schema;
    merger m = {.d = d, .schema = s};
    m.first = arena_new(a, int32_t, s->n_tables);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        m.first[t] = (int32_t)m.classes.len;
        for (ptrdiff_t c = 0; c < s->tables[t].n_columns; c++) {
            partition_add(&m.classes, a);
        }
    }
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        join_key(&m, &s->keys[k]);
    }
    m.is_key = arena_new(a, bool, m.classes.len);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        for (ptrdiff_t u = 0; u < s->tables[t].n_uniques; u++) {
            const schema_unique *unique = &s->tables[t].uniques[u];
            if (unique->n == 1) {
                m.is_key[class_of(&m, t, unique->columns[0])] = true;
            }
        }
    }
    return m;
}

// Is a key of the row taken by one of the rows that are there?
static bool is_taken(const schema_table *t,
                     const instance_table *rows,
                     const value *row)
{
    assert(t->n_columns > 0 || rows->n_rows == 0);
    bool taken = false;
    for (ptrdiff_t r = 0; !taken && r < rows->n_rows; r++) {
        const value *other = rows->cells + r * t->n_columns;
        for (ptrdiff_t u = 0; !taken && u < t->n_uniques; u++) {
            bool same = true;
            for (ptrdiff_t i = 0; same && i < t->uniques[u].n; i++) {
                int32_t c = t->uniques[u].columns[i];
                same = !value_is_null(row[c]) && value_same(row[c], other[c]);
            }
            taken = same;
        }
    }
    return taken;
}

// The highest integer of each class.
static int64_t *highest(const merger *m, const instance *x, arena *a)
{
    int64_t *most = arena_new(a, int64_t, m->classes.len);
    for (ptrdiff_t t = 0; t < m->schema->n_tables; t++) {
        ptrdiff_t width = m->schema->tables[t].n_columns;
        for (ptrdiff_t i = 0; i < x->tables[t].n_rows * width; i++) {
            value v = x->tables[t].cells[i];
            int64_t *of = &most[class_of(m, t, i % width)];
            if (v.kind == VALUE_INT && v.i > *of && v.i < INT64_MAX / 2) {
                *of = v.i;
            }
        }
    }
    return most;
}

static value other_key(value v, int64_t above, arena *a)
{
    if (v.kind == VALUE_INT && v.i < INT64_MAX / 2) {
        return value_int(v.i + above);
    }
    return v.kind == VALUE_TEXT
               ? value_text(arena_printf(a, "%.*sz", STR_ARG(value_bytes(v))))
               : v;
}

static instance side_by_side(const merger *m,
                             const instance *left,
                             const instance *right,
                             bool moves_keys,
                             arena *a)
{
    const schema *s = m->schema;
    instance out = {s, arena_new(a, instance_table, s->n_tables)};
    const int64_t *above = highest(m, left, a);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        ptrdiff_t width = s->tables[t].n_columns;
        const instance_table *l = &left->tables[t];
        const instance_table *r = &right->tables[t];
        instance_table *to = &out.tables[t];
        to->cells =
            arena_copy(a, l->cells, l->n_rows * width, r->n_rows * width);
        to->n_rows = l->n_rows;
        for (ptrdiff_t row = 0; row < r->n_rows; row++) {
            value *cells = to->cells + to->n_rows * width;
            for (ptrdiff_t c = 0; c < width; c++) {
                value v = r->cells[row * width + c];
                int32_t class = class_of(m, t, c);
                cells[c] = moves_keys && m->is_key[class]
                               ? other_key(v, above[class], a)
                               : v;
            }
            to->n_rows += !is_taken(&s->tables[t], to, cells);
        }
    }
    return out;
}

static kill_set both(const kill_set *x, const kill_set *y, arena *a)
{
    kill_set out = {.ptr = arena_copy(a, y->ptr, y->len, x->len),
                    .len = y->len};
    for (ptrdiff_t i = 0; i < x->len; i++) {
        out.ptr[out.len++] = x->ptr[i];
    }
    return out;
}

// What the set holds is killed by database `to` now.
static void hand_over(const kill_set *y, int32_t to)
{
    for (ptrdiff_t i = 0; i < y->len; i++) {
        for (ptrdiff_t r = 0; r < y->ptr[i].mutants.len; r++) {
            y->ptr[i].target->mutants[y->ptr[i].mutants.ptr[r]].killer = to;
        }
    }
}

// Puts database `from` into database `to`, if all kills stay.
static bool merge_into(const merger *m, int32_t from, int32_t to, arena memory)
{
    assert(from != to);
    distiller *d = m->d;
    const instance *left = &d->kept.ptr[to];
    const instance *right = &d->kept.ptr[from];
    kill_set all = both(&m->kills[to], &m->kills[from], &memory);
    for (int moves_keys = 0; moves_keys < 2; moves_keys++) {
        instance merged =
            side_by_side(m, left, right, moves_keys != 0, &memory);
        if (distill_keeps(d, &merged, &all)) {
            d->kept.ptr[to] = instance_keep(d->a, &merged);
            hand_over(&m->kills[from], to);
            return true;
        }
    }
    return false;
}

ORDER(by_load, kill_load, ORDER_UP(n_killed), ORDER_UP(database))

static void close_gaps(distiller *d, const bool *is_gone, arena scratch)
{
    int32_t *place = arena_new(&scratch, int32_t, d->kept.len);
    ptrdiff_t n = 0;
    for (ptrdiff_t k = 0; k < d->kept.len; k++) {
        place[k] = (int32_t)n;
        if (!is_gone[k]) {
            d->kept.ptr[n++] = d->kept.ptr[k];
        }
    }
    d->kept.len = n;
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        target *t = &d->targets[i];
        for (ptrdiff_t r = 0; r < t->n_mutants; r++) {
            if (t->mutants[r].state == MUTANT_KILLED) {
                assert(!is_gone[t->mutants[r].killer]);
                t->mutants[r].killer = place[t->mutants[r].killer];
            }
        }
    }
}

void distill_merge(distiller *d)
{
    arena memory = d->scratch;
    merger m = merger_new(d, &memory);
    ptrdiff_t n = d->kept.len;
    kill_load *loads = distill_loads(d, &memory);
    bool *is_gone = arena_new(&memory, bool, n);
    m.kills = arena_new(&memory, kill_set, n);
    for (int32_t k = 0; k < n; k++) {
        m.kills[k] = distill_kills_of(d, k, &memory);
    }
    qsort(loads, (size_t)n, sizeof *loads, by_load);
    for (ptrdiff_t i = 0; i < n; i++) {
        int32_t from = loads[i].database;
        int tries = 0;
        for (ptrdiff_t k = i + 1; k < n && tries < MERGE_TRIES; k++) {
            int32_t to = loads[k].database;
            bool fits =
                loads[k].n_killed <= MERGE_KILLS
                && suite_rows(&d->kept.ptr[from]) + suite_rows(&d->kept.ptr[to])
                       <= MERGE_ROWS;
            tries += fits;
            if (fits && merge_into(&m, from, to, memory)) {
                is_gone[from] = true;
                m.kills[to] = distill_kills_of(d, to, &memory);
                loads[k].n_killed += loads[i].n_killed;
                break;
            }
        }
    }
    close_gaps(d, is_gone, memory);
}
