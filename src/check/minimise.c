/*
 * minimise.c - see minimise.h.
 *
 * Method      Rows: children first, a table whole, then its halves and theirs,
 *             the later first, until none can go; a parent together with the
 *             rows that refer to it: the same rows stay as if each were tried
 *             from the last, in fewer tries. Values: each of the plain ones in
 *             place of a value wherever it stands (keys and what refers to
 *             them change together), then in single cells. What is left could
 *             not be had plainer, so that a NULL or a constant in a witness
 *             says something. Then rows once more.
 *             What was tried is remembered: a fifth of the tries repeat one.
 *
 * Cost        MAX_STEPS databases at most, a few dozen mostly.
 */
#include "check/minimise.h"

#include "base/clock.h"
#include "check/legal.h"
#include "table/value_key.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_STEPS = 2000,  // databases tried
    MAX_TRIED = 256,   // of these remembered
};

typedef struct minimiser {
    pair *p;
    instance at;  // the smallest so far; its cells are ours to change
    finding least;
    const reading *reads;
    unsigned assume;
    table_order order;
    ptrdiff_t steps_left;
    int64_t end_ns;  // 0: never
    key_set tried;
    bool *was_witness;  // by number in `tried`
    arena temporary;
    arena scratch;
} minimiser;

static bool is_witness(minimiser *m)
{
    if (m->steps_left-- <= 0
        || (m->end_ns > 0 && clock_limit_ns() > m->end_ns)) {
        return false;
    }
    hash128 key = instance_key(&m->at);
    ptrdiff_t no = key_set_find(&m->tried, key);
    if (no >= 0) {
        return m->was_witness[no];
    }
    arena a = m->temporary;
    bool holds = legal_instance(&m->at, m->assume)
                 && pair_try(m->p, &m->at, &a, m->scratch).finding >= m->least;
    if (m->tried.n < MAX_TRIED) {
        m->was_witness[key_set_add(&m->tried, key)] = holds;
    }
    return holds;
}

static ptrdiff_t width_of(const minimiser *m, int32_t t)
{
    assert(t >= 0 && t < m->at.schema->n_tables);
    return m->at.schema->tables[t].n_columns;
}

static void drop_rows(minimiser *m, int32_t t, ptrdiff_t from, ptrdiff_t to)
{
    instance_table *rows = &m->at.tables[t];
    ptrdiff_t width = width_of(m, t);
    assert(from >= 0 && from < to && to <= rows->n_rows);
    memmove(rows->cells + from * width, rows->cells + to * width,
            (size_t)((rows->n_rows - to) * width) * sizeof(value));
    rows->n_rows -= to - from;
}

// Drops rows that lack the parent which this key wants. Were there any?
static bool drop_orphans_of(minimiser *m, const schema_key *key)
{
    bool changed = false;
    ptrdiff_t n =
        schema_key_is_complete(key) ? m->at.tables[key->child].n_rows : 0;
    for (ptrdiff_t r = n - 1; r >= 0; r--) {
        if (instance_parent(&m->at, key, r) == -1) {
            drop_rows(m, key->child, r, r + 1);
            changed = true;
        }
    }
    return changed;
}

// Drops rows whose parent is gone, until there are none.
static void drop_orphans(minimiser *m)
{
    const schema *s = m->at.schema;
    bool changed = true;
    while (changed) {
        changed = false;
        for (ptrdiff_t k = 0; k < s->n_keys; k++) {
            changed |= drop_orphans_of(m, &s->keys[k]);
        }
    }
}

// The rows as they were, for when a step fails.
static instance saved(const minimiser *m, arena *a)
{
    return instance_copy(a, &m->at);
}

static void restore(minimiser *m, const instance *before)
{
    for (int32_t t = 0; t < m->at.schema->n_tables; t++) {
        instance_table *to = &m->at.tables[t];
        const instance_table *from = &before->tables[t];
        assert(from->n_rows
               >= to->n_rows);  // steps take rows away, never add any
        ptrdiff_t n = from->n_rows * width_of(m, t);
        if (n > 0) {
            memcpy(to->cells, from->cells, (size_t)n * sizeof(value));
        }
        to->n_rows = from->n_rows;
    }
}

// Keeps what was done to the rows since `before` when it is still a witness.
static bool keep(minimiser *m, const instance *before)
{
    bool kept = is_witness(m);
    if (!kept) {
        restore(m, before);
    }
    return kept;
}

// Tries to do without these rows of a table: all of them, or else some of the
// later half, then of the earlier one. Fewer may be there by now.
static bool fewer_of(minimiser *m, int32_t t, ptrdiff_t from, ptrdiff_t to)
{
    ptrdiff_t n = m->at.tables[t].n_rows;
    to = to < n ? to : n;
    if (from >= to) {
        return false;
    }
    arena start = m->temporary;
    instance before = saved(m, &m->temporary);
    drop_rows(m, t, from, to);
    drop_orphans(m);
    bool changed = keep(m, &before);
    m->temporary = start;
    if (!changed && to - from > 1) {
        ptrdiff_t middle = from + (to - from) / 2;
        changed = fewer_of(m, t, middle, to);
        changed |= fewer_of(m, t, from, middle);
    }
    return changed;
}

static bool fewer_rows(minimiser *m)
{
    bool changed = false;
    for (ptrdiff_t i = m->order.n - 1; i >= 0; i--) {
        int32_t t = m->order.tables[i];
        changed |= fewer_of(m, t, 0, m->at.tables[t].n_rows);
    }
    return changed;
}

// The plain values of each kind, plainest first.
static const char *const plain_texts[] = {"a", "b", ""};
static const int64_t plain_numbers[] = {1, 0, 2};
static const char *const plain_date = "2020-01-01";
static const char *const plain_moment = "2020-01-01 00:00:00";
static const char *const plain_time = "10:00:00";

enum {
    N_PLAIN = 3,
};

// What has one plain value only.
static bool is_date(const schema_column *c)
{
    return c->kind == KIND_DATE || c->kind == KIND_TIME
           || c->kind == KIND_TIMESTAMP;
}

static str plain_of(const schema_column *c)
{
    return str_from(c->kind == KIND_TIME        ? plain_time
                    : c->kind == KIND_TIMESTAMP ? plain_moment
                                                : plain_date);
}

// The k-th plain value in place of v in a column.
static value plain_value(const schema_column *c, value v, int k)
{
    bool is_number = value_is_null(v) ? c->affinity != AFFINITY_TEXT
                                            && c->affinity != AFFINITY_BLOB
                                      : value_is_number(v);
    bool is_blob =
        value_is_null(v) ? c->kind == KIND_BYTES : v.kind == VALUE_BLOB;
    assert(k >= 0 && k < N_PLAIN);
    str text = str_from(plain_texts[k]);
    if (is_date(c) && !value_is_number(v)) {
        return value_text(plain_of(c));
    }
    return is_number ? value_int(plain_numbers[k])
           : is_blob ? value_blob(text)
                     : value_text(text);
}

// May the column hold it? Whoever assumes types wants what is declared: a
// number in its place is a number, but a text may be of another kind.
static bool may_hold(const minimiser *m, const schema_column *c, value v)
{
    if ((m->assume & ASSUME_TYPES) == 0 || c->is_off_type) {
        return true;
    }
    switch ((int)c->kind) {
    case KIND_BOOLEAN: return v.kind == VALUE_INT && v.i >= 0 && v.i <= 1;
    case KIND_BYTES: return v.kind == VALUE_BLOB;
    case KIND_TEXT: return v.kind == VALUE_TEXT;
    case KIND_TIME:
    case KIND_DATE:
    case KIND_TIMESTAMP:
        return v.kind == VALUE_TEXT && str_equal(value_bytes(v), plain_of(c));
    default: return true;
    }
}

static bool is_kind_of(value v, value plain)
{
    return value_is_null(v) || value_is_number(v) == value_is_number(plain);
}

// Puts `to` in place of all NULLs of a column.
static void replace_nulls(minimiser *m, int32_t t, ptrdiff_t column, value to)
{
    ptrdiff_t width = width_of(m, t);
    for (ptrdiff_t r = 0; r < m->at.tables[t].n_rows; r++) {
        value *cell = &m->at.tables[t].cells[r * width + column];
        if (value_is_null(*cell)) {
            *cell = to;
        }
    }
}

// Puts `to` in place of `from` wherever it stands.
static void replace_all(minimiser *m, value from, value to)
{
    for (int32_t t = 0; t < m->at.schema->n_tables; t++) {
        ptrdiff_t width = width_of(m, t);
        for (ptrdiff_t i = 0; i < m->at.tables[t].n_rows * width; i++) {
            value *cell = &m->at.tables[t].cells[i];
            const schema_column *c =
                &m->at.schema->tables[t].columns[i % width];
            if (cell->kind == from.kind && value_equal(*cell, from)
                && may_hold(m, c, to)) {
                *cell = to;
            }
        }
    }
}

// Tries plainer values for one cell, here alone or everywhere.
static void plainer_cell(minimiser *m, int32_t t, ptrdiff_t no, bool everywhere)
{
    assert(t >= 0 && t < m->at.schema->n_tables);
    const schema_column *c =
        &m->at.schema->tables[t].columns[no % width_of(m, t)];
    value *cell = &m->at.tables[t].cells[no];
    value was = *cell;
    for (int k = 0; k < N_PLAIN && m->steps_left > 0; k++) {
        value plain = plain_value(c, was, k);
        if (value_same(was, plain)) {
            return;
        }
        if (!is_kind_of(was, plain) || (is_date(c) && k > 0)
            || !may_hold(m, c, plain)) {
            continue;
        }
        arena start = m->temporary;
        instance before = saved(m, &m->temporary);
        if (everywhere && value_is_null(was)) {
            replace_nulls(m, t, no % width_of(m, t), plain);
        } else if (everywhere) {
            replace_all(m, was, plain);
        } else {
            *cell = plain;
        }
        bool kept = keep(m, &before);
        m->temporary = start;
        if (kept) {
            return;
        }
    }
}

// What nobody reads is only made plain, never filled.
static bool is_worth_it(const minimiser *m, int32_t t, ptrdiff_t no, int pass)
{
    assert(no >= 0 && no < m->at.tables[t].n_rows * width_of(m, t));
    ptrdiff_t column = no % width_of(m, t);
    return !m->at.schema->tables[t].columns[column].generated
           && (m->reads->columns[t][column]
               || (pass == 0 && !value_is_null(m->at.tables[t].cells[no])));
}

static void plainer_table(minimiser *m, int32_t t, int pass)
{
    ptrdiff_t width = width_of(m, t);
    for (ptrdiff_t c = 0; c < m->at.tables[t].n_rows * width; c++) {
        if (is_worth_it(m, t, c, pass)) {
            plainer_cell(m, t, c, pass == 0);
        }
    }
}

static void plainer_values(minimiser *m)
{
    for (int pass = 0; pass < 2; pass++) {
        for (ptrdiff_t i = m->order.n - 1; i >= 0; i--) {
            plainer_table(m, m->order.tables[i], pass);
        }
    }
}

instance minimise(pair *p,
                  const instance *rows,
                  finding least,
                  const reading *reads,
                  const check_options *o,
                  arena *a,
                  arena temporary,
                  arena scratch)
{
    minimiser m = {
        .p = p,
        .at = instance_copy(a, rows),
        .least = least,
        .reads = reads,
        .assume = o->assume,
        .steps_left = MAX_STEPS,
        .end_ns =
            o->timeout_ms > 0 ? clock_limit_ns() + o->timeout_ms * 500000 : 0,
        .tried = key_set_new(&temporary, MAX_TRIED),
        .was_witness = arena_new(&temporary, bool, MAX_TRIED),
        .scratch = scratch,
    };
    m.temporary = temporary;
    // Several orders of the rows show no more than that they are stable.
    bool was_hasty = p->is_hasty;
    p->is_hasty = was_hasty || least > FINDING_STABLE;
    m.order = schema_order(a, rows->schema);
    while (fewer_rows(&m)) {
    }
    plainer_values(&m);
    while (fewer_rows(&m)) {
    }
    p->is_hasty = was_hasty;
    return m.at;
}
