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
#include "table/value_key.h"

#include <assert.h>
#include <string.h>

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
                 "scratch databases can be made only in SQLite, DuckDB and "
                 "PostgreSQL");
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
    s->order = schema_order(s->a, s->schema);
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

bool scratch_is_one_program(scratch_query *q, scratch_query *other)
{
    assert(q->owner == other->owner);
    const scratch_driver *driver = q->owner->driver;
    return driver->is_one_program && driver->is_one_program(q, other);
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

// For the texts of a filling, and the tree of a query.
static const ptrdiff_t TEXT_BYTES = (ptrdiff_t)64 << 20;

bool scratch_texts_open(scratch_texts *t, diag *d)
{
    return (arena_store_open(&t->store, TEXT_BYTES)
            && arena_store_open(&t->filling_store, TEXT_BYTES))
           || diag_add(d, (diag_place){0},
                       "no address space (see `ulimit -v`)");
}

void scratch_texts_close(scratch_texts *t)
{
    arena_store_close(&t->store);
    arena_store_close(&t->filling_store);
}

// Does a row refer to another one of its table that is not yet placed?
static bool waits(const instance *i,
                  int32_t no,
                  ptrdiff_t row,
                  const bool *is_placed)
{
    bool found = false;
    for (ptrdiff_t k = 0; !found && k < i->schema->n_keys; k++) {
        const schema_key *key = &i->schema->keys[k];
        bool is_own = key->child == no && key->parent == no && key->is_sound;
        ptrdiff_t parent = is_own ? instance_parent(i, key, row) : -1;
        found = parent >= 0 && parent != row && !is_placed[parent];
    }
    return found;
}

// Moves rows behind the rows that they refer to, the others stay in order. What
// waits for itself comes last, and DuckDB says so.
static void put_parents_first(const instance *i,
                              int32_t no,
                              ptrdiff_t *order,
                              arena scratch)
{
    ptrdiff_t n = i->tables[no].n_rows;
    bool *is_placed = arena_new(&scratch, bool, n);
    for (ptrdiff_t n_placed = 0; n_placed < n; n_placed++) {
        ptrdiff_t at = n_placed;
        while (at < n && waits(i, no, order[at], is_placed)) {
            at++;
        }
        at = at < n ? at : n_placed;
        ptrdiff_t row = order[at];
        memmove(&order[n_placed + 1], &order[n_placed],
                (size_t)(at - n_placed) * sizeof *order);
        order[n_placed] = row;
        is_placed[row] = true;
    }
}

void scratch_add_rows(scratch_db *s,
                      buf *out,
                      int32_t no,
                      const instance *of_all,
                      scratch_order order,
                      bool one_by_one)
{
    const instance_table *rows = &of_all->tables[no];
    const schema_table *of = &s->schema->tables[no];
    const dialect d = s->engine->driver->dialect;
    ptrdiff_t n = rows->n_rows;
    scratch_line_up(s, no, n, order);
    ptrdiff_t *list = s->pending.ptr;
    for (ptrdiff_t i = 0; order.reversed && i < n / 2; i++) {
        swap_rows(list, i, n - 1 - i);
    }
    if (one_by_one) {
        put_parents_first(of_all, no, list, *s->a);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        bool begins = i == 0 || one_by_one;
        if (begins) {
            buf_add(out, i == 0 ? S("") : S(";"));
            instance_add_insert(out, of, d);
            instance_add_columns(out, of, d);
        }
        buf_add(out, begins ? S(" VALUES ") : S(","));
        instance_add_row(out, of, rows->cells + list[i] * of->n_columns, d);
    }
    buf_add(out, n > 0 ? S(";") : S(""));
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
