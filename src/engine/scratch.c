/*
 * scratch.c - what scratch databases of all systems have in common.
 *
 * Method      A scratch database is an engine of its own and a driver's struct
 *             that begins with scratch_db; the driver's table does the rest.
 *             The order in which rows are inserted is drawn here, so that it is
 *             the same in every system.
 *
 * Invariant   scratch_line_up makes a permutation of the rows: the leading row
 *             goes where a scan begins, the others are shuffled.
 */
#include "base/rng.h"
#include "engine/scratch_driver.h"

#include <assert.h>

// Not yet connected to anything.
static scratch_db *scratch_in(arena *a,
                              engine *e,
                              const schema *tables,
                              scratch_limits limits)
{
    const scratch_driver *driver = e->driver->scratch;
    scratch_db *s = arena_alloc(a, driver->size, _Alignof(max_align_t), 1);
    s->driver = driver;
    s->engine = e;
    s->schema = tables;
    s->limits = limits;
    s->a = a;
    return s;
}

// The same with an engine of its own.
static scratch_db *scratch_new(arena *a,
                               const schema *tables,
                               const engine_options *options,
                               scratch_limits limits,
                               diag *d)
{
    engine_options inner = *options;
    bool is_server = options->scratch_url.len > 0;
    inner.driver = is_server ? engine_driver_of(options->scratch_url) : NULL;
    if (is_server && (!inner.driver || !inner.driver->scratch)) {
        diag_add(d, (diag_place){0},
                 "scratch databases are made in SQLite, DuckDB and "
                 "PostgreSQL only");
        return NULL;
    }
    inner.limits.max_rows = limits.max_rows;
    inner.limits.max_bytes = limits.max_bytes;
    inner.is_small = true;
    engine *e = engine_open(&inner, d);
    if (!e) {
        return NULL;
    }
    scratch_db *s = scratch_in(a, e, tables, limits);
    s->has_own_engine = true;
    return s;
}

// Makes the tables; NULL when that fails.
static scratch_db *with_tables(scratch_db *s, str ddl, diag *d)
{
    s->n_order = instance_order(&s->order, s->a, s->schema);
    if (!s->driver->open(s, ddl, d)) {
        scratch_close(s);
        return NULL;
    }
    return s;
}

scratch_db *scratch_open(arena *a,
                         const schema *tables,
                         str ddl,
                         const engine_options *options,
                         scratch_limits limits,
                         diag *d)
{
    scratch_db *s = scratch_new(a, tables, options, limits, d);
    return s ? with_tables(s, ddl, d) : NULL;
}

scratch_db *scratch_open_beside(arena *a, scratch_db *like, str ddl, diag *d)
{
    assert(scratch_can_load(like));
    return with_tables(scratch_in(a, like->engine, like->schema, like->limits),
                       ddl, d);
}

scratch_db *scratch_open_images(arena *a,
                                const schema *tables,
                                str image,
                                const engine_options *options,
                                scratch_limits limits,
                                diag *d)
{
    scratch_db *s = scratch_new(a, tables, options, limits, d);
    bool ok = s && s->driver->open_image && s->driver->open_image(s, image, d);
    if (s && !ok) {
        scratch_close(s);
        return NULL;
    }
    return s;
}

void scratch_show(scratch_db *s, str image)
{
    assert(s->driver->show);
    s->driver->show(s, image);
}

int64_t scratch_limit_ms(const scratch_db *s)
{
    enum {
        LEAST_MS = 500,
        STEPS_PER_MS = 20000,  // of SQLite's
    };
    int64_t ms = LEAST_MS + s->limits.steps / STEPS_PER_MS;
    int64_t most = s->engine->options.limits.timeout_ms;
    return most > 0 && most < ms ? most : ms;  // a watch kills what goes on
}

void scratch_close(scratch_db *s)
{
    if (s) {
        s->driver->close(s);
        if (s->has_own_engine) {
            engine_close(s->engine);
        }
    }
}

scratch_query *scratch_prepare(scratch_db *s,
                               str sql,
                               execution *failed,
                               arena *a)
{
    assert(failed);
    return s->driver->prepare(s, sql, failed, a);
}

void scratch_forget(scratch_query *q)
{
    if (q) {
        q->owner->driver->forget(q);
    }
}

const schema *scratch_schema(const scratch_db *s)
{
    return s->schema;
}

bool scratch_reads_random(const scratch_query *q)
{
    return q->reads_random;
}

bool scratch_reads_state(const scratch_query *q)
{
    return q->reads_state;
}

ptrdiff_t scratch_columns(const scratch_query *q)
{
    return q->n_columns;
}

execution scratch_run(scratch_query *q, engine_stop stop, arena *a)
{
    assert(q && q->owner);
    return q->owner->driver->run(q, stop, a);
}

static void swap_rows(ptrdiff_t *rows, ptrdiff_t a, ptrdiff_t b)
{
    ptrdiff_t row = rows[a];
    rows[a] = rows[b];
    rows[b] = row;
}

void scratch_line_up(scratch_db *s,
                     int32_t no,
                     ptrdiff_t n,
                     scratch_order order)
{
    assert(no >= 0 && no < s->schema->n_tables);
    assert(n >= 0 && order.lead >= 0);
    s->pending.len = 0;
    for (ptrdiff_t r = 0; r < n; r++) {
        *vec_push(s->a, &s->pending) = r;
    }
    if (order.shuffle == 0 || n == 0) {
        return;
    }
    assert(s->pending.len == n);
    ptrdiff_t *rows = s->pending.ptr;
    rng random = {order.shuffle + (uint64_t)no};
    ptrdiff_t first = order.reversed ? n - 1 : 0;
    swap_rows(rows, first, order.lead % n);
    // The others, beside it.
    for (ptrdiff_t i = n - 1; i > 1; i--) {
        ptrdiff_t shift = order.reversed ? 0 : 1;
        swap_rows(rows, i - 1 + shift, rng_below(&random, i) + shift);
    }
}

bool scratch_fill(scratch_db *s,
                  const instance *rows,
                  scratch_order order,
                  diag *d)
{
    assert(rows->tables || s->schema->n_tables == 0);
    return s->driver->fill(s, rows, order, d);
}

bool scratch_can_load(const scratch_db *s)
{
    return s->driver->load;
}

bool scratch_load(scratch_db *s, str sql, diag *d)
{
    assert(scratch_can_load(s));
    return s->driver->load(s, sql, d);
}

bool scratch_is_lost(const scratch_db *s)
{
    return s->is_lost;
}

str scratch_image(scratch_db *s, arena *a)
{
    return s->driver->image ? s->driver->image(s, a) : (str){0};
}
