/*
 * row_pool.c - which values the columns of one instance draw from.
 *
 * Method      Of all that is worth a try an instance uses a little, so that
 *             values meet: columns of one class have one to three values in
 *             common, others a few of their constants with their neighbors.
 *
 * Invariant   A pool is drawn once for an instance, when it is first asked for.
 *
 * Cost        A few dozen values for each column.
 *
 * Source      definitions/equivalence.md#values
 */
#include "engine/instance.h"
#include "sample/row_internal.h"

#include <assert.h>

const value *row_pick(row_builder *b, const value_list *list)
{
    return list->len > 0 ? &list->ptr[rng_below(&b->r, list->len)] : NULL;
}

static void add_fitting(row_builder *b, value_list *out, int32_t id, value v)
{
    if (pool_fit(b->m, id, &v, b->a)
        && !value_breaks_check(b->m, id, v, b->a)) {
        *vec_push(b->a, out) = v;
    }
}

void row_add_common(row_builder *b, value_list *out, int32_t id, ptrdiff_t n)
{
    ptrdiff_t n_common = b->m->common[pool_shape(b->m, id)].len;
    for (ptrdiff_t i = 0; i < n && n_common > 0; i++) {
        const value *v = pool_common(b->m, id, rng_below(&b->r, n_common));
        if (v) {
            *vec_push(b->a, out) = *v;
        }
    }
}

enum {
    ORIGINALS = 4,  // values that are drawn from the rows there are
};

static void add_original(row_builder *b, value_list *out, int32_t id)
{
    const column_facts *f = &b->m->columns[id];
    const instance *real = b->m->o.original;
    ptrdiff_t n_rows = real->tables[f->table].n_rows;
    for (int i = 0; i < ORIGINALS && n_rows > 0; i++) {
        ptrdiff_t row = rng_below(&b->r, n_rows);
        value v = instance_at(real, f->table, row, f->column);
        if (!value_is_null(v)) {
            add_fitting(b, out, id, v);
        }
    }
}

enum {
    FOCUS = 9,  // constants beyond these are drawn from
};

// The constants of the column and what lies near, some more than others.
static void add_near(row_builder *b, value_list *out, int32_t id)
{
    const value_list *near = &b->m->columns[id].near;
    for (ptrdiff_t i = 0; i < near->len && i < FOCUS; i++) {
        const value *v = near->len > FOCUS ? row_pick(b, near) : &near->ptr[i];
        *vec_push(b->a, out) = *v;
        *vec_push(b->a, out) = *v;
    }
}

// Two days that are a step of the queries apart, and one that is not.
static void add_step(row_builder *b, value_list *out, int32_t id)
{
    const value_list *steps = &b->m->columns[id].steps;
    ptrdiff_t at = 2 * (ptrdiff_t)rng_below(&b->r, steps->len / 2);
    for (ptrdiff_t i = 0; i < 4; i++) {
        *vec_push(b->a, out) = steps->ptr[at + i % 2];
    }
    row_add_common(b, out, id, 1);
}

static value_list draw_pool(row_builder *b, int32_t id)
{
    value_list out = {0};
    if (b->m->columns[id].steps.len > 0 && chance(&b->r, 0.5)) {
        add_step(b, &out, id);
        return out;
    }
    if (b->has_odd) {
        pool_add_odd(b->m, id, &out, b->a);
    }
    if (b->m->columns[id].near.len > 0 && chance(&b->r, 0.8)) {
        add_near(b, &out, id);
        row_add_common(b, &out, id, 2);
    } else {
        row_add_common(b, &out, id, b->is_dense ? 3 : 6);
    }
    if (b->m->o.original && chance(&b->r, 0.5)) {
        add_original(b, &out, id);
    }
    for (int64_t i = 0; out.len == 0 && i < 40; i++) {
        add_fitting(b, &out, id, pool_plain(b->m, id, i, b->a));
    }
    return out;
}

// A few values for all columns of a class, so that joins meet.
static const value_list *shared_pool(row_builder *b, int32_t id)
{
    static const ptrdiff_t sizes[] = {1, 2, 2, 3};
    int32_t class = partition_root(&b->m->classes, id);
    value_list *shared = &b->shared[class];
    if (!shared->ptr) {
        value_list all = draw_pool(b, id);
        ptrdiff_t n = sizes[rng_below(&b->r, countof(sizes))];
        vec_push(b->a, shared);
        shared->len = 0;
        for (ptrdiff_t i = 0; i < n && all.len > 0; i++) {
            *vec_push(b->a, shared) = *row_pick(b, &all);
        }
    }
    return shared;
}

// Does the class hold other columns than this one?
static bool is_joined(const sampler *m, int32_t id)
{
    return sampler_class(m, id)->n_read > m->columns[id].is_read;
}

const value_list *row_pool(row_builder *b, int32_t id)
{
    assert(id >= 0 && id < b->m->n_columns);
    value_list *pool = &b->pools[id];
    if (pool->ptr) {
        return pool;
    }
    if (b->is_alike) {
        *pool = b->m->columns[id].alike;
    } else if (is_joined(b->m, id) && chance(&b->r, 0.85)) {
        const value_list *shared = shared_pool(b, id);
        for (ptrdiff_t i = 0; i < shared->len; i++) {
            add_fitting(b, pool, id, shared->ptr[i]);
        }
    }
    if (pool->len == 0) {
        *pool = draw_pool(b, id);
    }
    return pool;
}
