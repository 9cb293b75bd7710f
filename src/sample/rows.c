/*
 * rows.c - rows that are legal by construction.
 *
 * Method      Tables in the order of their foreign keys, parents first. A row
 *             takes its foreign keys from whole rows of its parents, its keys
 *             from small numbers, the rest from the working pool of the
 *             instance. What breaks a key or a check is drawn anew, ATTEMPTS
 *             times in all; in the last two the wanted cells give way, too.
 *
 * Invariant   An instance may have fewer rows than were wanted, but never a row
 *             that SQLite refuses.
 *
 * Cost        For each row a scan over the rows of its table (keys) and of its
 *             parents; instances are small.
 *
 * Source      definitions/equivalence.md#values and #rows
 */
#include "sample/row_internal.h"

#include <assert.h>

bool chance(rng *r, double share)
{
    assert(share >= 0);
    return (double)rng_below(r, 1 << 20) < share * (1 << 20);
}

row_builder builder_new(const sampler *m, uint64_t seed, arena *a)
{
    row_builder b = {
        .m = m, .a = a, .r = {seed}, .from_pool = 0.3, .lacks = -1};
    b.wanted = arena_new(a, wanted_table, m->s->n_tables);
    b.tables = arena_new(a, instance_table, m->s->n_tables);
    b.room = arena_new(a, ptrdiff_t, m->s->n_tables);
    b.pools = arena_new(a, value_list, m->n_columns);
    b.shared = arena_new(a, value_list, m->n_columns);
    b.is_dense = chance(&b.r, 0.6);
    static const double nulls[] = {0, 0, 0.1, 0.35};
    b.nulls = nulls[rng_below(&b.r, countof(nulls))];
    b.has_spellings = chance(&b.r, 0.3);
    return b;
}

wanted_row *builder_want(row_builder *b, int32_t table)
{
    assert(table >= 0 && table < b->m->s->n_tables);
    ptrdiff_t n = b->m->s->tables[table].n_columns;
    value *cells = arena_new(b->a, value, n);
    bool *is_set = arena_new(b->a, bool, n);
    wanted_row *row = vec_push(b->a, &b->wanted[table]);
    *row = (wanted_row){cells, is_set};
    return row;
}

void builder_want_cell(row_builder *b, wanted_row *row, int32_t id, value v)
{
    assert(id >= 0 && id < b->m->n_columns);
    if (pool_fit(b->m, id, &v, b->a)) {
        int32_t column = b->m->columns[id].column;
        row->cells[column] = v;
        row->is_set[column] = true;
    }
}

value row_draw_key(row_builder *b, const row_draft *d, int32_t column)
{
    assert(d->attempt < ATTEMPTS);
    int32_t id = row_id(b, d, column);
    ptrdiff_t n = b->tables[d->table].n_rows;
    const value *v = NULL;
    double share = b->m->columns[id].steps.len > 0 ? 0.8 : b->from_pool;
    if (d->attempt < ATTEMPTS / 2 && chance(&b->r, share)) {
        v = row_pick(b, row_pool(b, id));
    }
    if (!v && d->attempt < ATTEMPTS / 2) {
        return pool_plain(b->m, id, rng_below(&b->r, n < 5 ? 5 : 39), b->a);
    }
    // Soon a value that nobody can have yet.
    return v ? *v
             : pool_plain(b->m, id, n + rng_below(&b->r, 4 + 4 * d->attempt),
                          b->a);
}

static value draw(row_builder *b, const row_draft *d, int32_t column)
{
    int32_t id = row_id(b, d, column);
    const column_facts *f = &b->m->columns[id];
    bool nullable = row_may_be_null(b, d->table, column);
    if (f->is_key && nullable && chance(&b->r, b->nulls)) {
        return value_null();
    }
    if (f->is_key) {
        value v = row_draw_key(b, d, column);
        if (!value_breaks_check(b->m, id, v, b->a)) {
            return v;
        }
    }
    if (nullable
        && (!(f->is_read || b->m->o.fills_all) || chance(&b->r, b->nulls)
            || d->attempt + 1 == ATTEMPTS)) {
        return value_null();
    }
    const value *v = row_pick(b, row_pool(b, id));
    return v ? *v : pool_plain(b->m, id, 0, b->a);
}

// The row that has the same key; NULL: none.
static const value *find_twin(const row_builder *b,
                              const row_draft *d,
                              const schema_unique *u)
{
    for (ptrdiff_t r = 0; r < b->tables[d->table].n_rows; r++) {
        const value *row = row_at(b, d->table, r);
        bool same = true;
        for (ptrdiff_t i = 0; same && i < u->n; i++) {
            int32_t c = u->columns[i];
            same = !value_is_null(d->cells[c])
                   && values_equal(b->m, row_id(b, d, c), d->cells[c], row[c]);
        }
        if (same) {
            return row;
        }
    }
    return NULL;
}

static bool breaks_unique(const row_builder *b, const row_draft *d)
{
    const schema_table *t = row_table(b, d->table);
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        if (find_twin(b, d, &t->uniques[i])) {
            return true;
        }
    }
    ptrdiff_t n_rows = t->n_indexes > 0 ? b->tables[d->table].n_rows : 0;
    bool breaks = false;
    for (ptrdiff_t r = 0; !breaks && r < n_rows; r++) {
        breaks = rows_break_index(b->m, d->table, d->cells,
                                  row_at(b, d->table, r), b->a);
    }
    return breaks;
}

static bool breaks_not_null(const row_builder *b, const row_draft *d)
{
    for (int32_t c = 0; c < row_table(b, d->table)->n_columns; c++) {
        if (value_is_null(d->cells[c]) && !row_may_be_null(b, d->table, c)) {
            return true;
        }
    }
    return false;
}

static bool is_legal(row_builder *b, row_draft *d)
{
    const sample_assume *assume = &b->m->o.assume;
    return !row_breaks_check(b->m, d->table, d->cells, b->a)
           && !breaks_not_null(b, d) && !(assume->keys && breaks_unique(b, d))
           && (!assume->foreign_keys || row_has_parents(b, d));
}

// A row of the table that the draft is to look like but for its keys, as two
// things of one name do; NULL: none.
static const value *look_alike(row_builder *b, const row_draft *d)
{
    ptrdiff_t n_rows = b->tables[d->table].n_rows;
    bool copies = b->is_skewed && n_rows > 0 && chance(&b->r, 0.4);
    return copies ? row_at(b, d->table, rng_below(&b->r, n_rows)) : NULL;
}

// Fills what is open. False when that leads nowhere.
static bool fill(row_builder *b, row_draft *d)
{
    const schema_table *t = row_table(b, d->table);
    const value *alike = look_alike(b, d);
    for (ptrdiff_t i = 0; i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        if (!b->m->o.assume.foreign_keys || k->child != d->table
            || !k->is_sound) {
            continue;
        }
        if (schema_key_is_late(&b->m->order, k)) {
            row_leave_open(b, d, k);
        } else if (!row_fill_key(b, d, k)) {
            return false;
        }
    }
    for (int32_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].generated) {
            d->cells[c] = value_null();
        } else if (!d->is_set[c]) {
            const column_facts *f = &b->m->columns[row_id(b, d, c)];
            bool copies = alike && !f->is_key && !f->is_foreign;
            row_set(d, c, copies ? alike[c] : draw(b, d, c));
        }
    }
    return is_legal(b, d);
}

static void keep(row_builder *b, const row_draft *d)
{
    instance_table *rows = &b->tables[d->table];
    ptrdiff_t width = row_table(b, d->table)->n_columns;
    if (rows->n_rows == b->room[d->table]) {
        ptrdiff_t room = b->room[d->table] == 0 ? 8 : 2 * b->room[d->table];
        rows->cells = arena_copy(b->a, rows->cells, rows->n_rows * width,
                                 (room - rows->n_rows) * width);
        b->room[d->table] = room;
    }
    assert(rows->n_rows < b->room[d->table]);
    for (ptrdiff_t c = 0; c < width; c++) {
        rows->cells[rows->n_rows * width + c] = d->cells[c];
    }
    rows->n_rows++;
}

// Is the wanted row there already, under its primary key?
static bool is_there(row_builder *b, const row_draft *d, const wanted_row *w)
{
    const schema_unique *u = schema_primary(row_table(b, d->table));
    for (ptrdiff_t i = 0; u && i < u->n; i++) {
        if (!w->is_set[u->columns[i]]) {
            return false;
        }
    }
    return u && b->m->o.assume.keys && find_twin(b, d, u);
}

// What is wanted gives way when it cannot be had.
static bool holds_on(const row_draft *d, const wanted_row *w)
{
    return w && d->attempt + 2 < ATTEMPTS;
}

static void start(row_builder *b, row_draft *d, const wanted_row *w)
{
    for (int32_t c = 0; c < row_table(b, d->table)->n_columns; c++) {
        d->is_set[c] = holds_on(d, w) && w->is_set[c];
        d->cells[c] = d->is_set[c] ? w->cells[c] : value_null();
    }
}

// The late keys of the row that was kept last, unless they are as wanted.
static void note_open(row_builder *b, const row_draft *d, const wanted_row *w)
{
    for (ptrdiff_t i = 0; i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        if (k->child == d->table && schema_key_is_late(&b->m->order, k)
            && !(holds_on(d, w)
                 && row_key_cells(k, w->cells, w->is_set).are_set)) {
            *vec_push(b->a, &b->open) =
                (open_key){k, b->tables[d->table].n_rows - 1};
        }
    }
}

static void make_row(row_builder *b, int32_t table, const wanted_row *w)
{
    assert(table >= 0 && table < b->m->s->n_tables);
    ptrdiff_t n = row_table(b, table)->n_columns;
    row_draft d = {.table = table};
    d.cells = arena_new(b->a, value, n);
    d.is_set = arena_new(b->a, bool, n);
    if (n == 0 || b->tables[table].n_rows >= b->max_rows || table == b->lacks) {
        return;
    }
    for (; d.attempt < ATTEMPTS; d.attempt++) {
        start(b, &d, w);
        if (w && d.attempt == 0 && is_there(b, &d, w)) {
            return;
        }
        if (fill(b, &d)) {
            keep(b, &d);
            note_open(b, &d, w);
            return;
        }
    }
}

row_draft row_draft_of(row_builder *b, int32_t table, ptrdiff_t row)
{
    ptrdiff_t n = row_table(b, table)->n_columns;
    row_draft d = {.table = table, .is_set = arena_new(b->a, bool, n)};
    d.cells = arena_copy(b->a, b->tables[table].cells + row * n, n, 0);
    for (ptrdiff_t c = 0; c < n; c++) {
        d.is_set[c] = true;
    }
    return d;
}

void row_swap_last(row_builder *b, int32_t table, ptrdiff_t row)
{
    instance_table *rows = &b->tables[table];
    ptrdiff_t n = row_table(b, table)->n_columns;
    for (ptrdiff_t c = 0; c < n; c++) {
        value *one = &rows->cells[row * n + c];
        value *last = &rows->cells[(rows->n_rows - 1) * n + c];
        value kept = *one;
        *one = *last;
        *last = kept;
    }
}

// All rows are there: the row is taken out of its table, gets its parent, and
// comes back.
static void settle(row_builder *b, open_key open)
{
    const schema_key *k = open.key;
    row_draft d = row_draft_of(b, k->child, open.row);
    for (ptrdiff_t i = 0; i < k->n; i++) {
        d.is_set[k->columns[i]] = false;
    }
    row_swap_last(b, k->child, open.row);
    instance_table *rows = &b->tables[k->child];
    rows->n_rows--;
    if (row_fill_key(b, &d, k) && is_legal(b, &d)) {
        keep(b, &d);
    } else {
        rows->n_rows++;
    }
    row_swap_last(b, k->child, open.row);
}

static void settle_all(row_builder *b)
{
    for (ptrdiff_t i = 0; i < b->open.len; i++) {
        settle(b, b->open.ptr[i]);
    }
    bool has_late = false;
    for (ptrdiff_t i = 0; !has_late && i < b->m->s->n_keys; i++) {
        has_late = schema_key_is_late(&b->m->order, &b->m->s->keys[i]);
    }
    if (has_late) {
        row_drop_orphans(b);
    }
}

instance builder_finish(row_builder *b)
{
    const sampler *m = b->m;
    for (int32_t t = 0; t < m->s->n_tables; t++) {
        if (m->s->tables[t].is_filled && m->is_wanted[t]
            && b->wanted[t].len == 0) {
            builder_want(b, t);
        }
    }
    for (ptrdiff_t i = m->order.n; i-- > 0 && m->o.assume.foreign_keys;) {
        row_want_parents(b, m->order.tables[i]);
    }
    for (ptrdiff_t i = 0; i < m->order.n; i++) {
        int32_t t = m->order.tables[i];
        for (ptrdiff_t r = 0; r < b->wanted[t].len; r++) {
            make_row(b, t, &b->wanted[t].ptr[r]);
        }
    }
    if (m->o.assume.foreign_keys) {
        settle_all(b);
    }
    return (instance){.schema = m->s, .tables = b->tables};
}
