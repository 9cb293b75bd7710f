/*
 * row_parent.c - foreign keys: a row takes its key from a whole row of its
 * parent, never column by column.
 *
 * Method      Among the parent's rows that the wanted cells allow one is drawn
 *             by weight; where none is left, one column of the key becomes
 *             NULL, or the row refers to itself. Wanted children want their
 *             parents before any row is made.
 *
 * Invariants  (1) Only sound keys are filled: their targets are a key of a
 *                 table of the schema.
 *             (2) Parents come before children in the order of the tables, so
 *                 they are there when a child is made. Late keys, one of each
 *                 cycle, are settled when all rows are there.
 *
 * Cost        Linear in the rows of the parent, for each row.
 *
 * Source      definitions/equivalence.md#rows, [003 4.1]
 */
#include "sample/row_internal.h"

#include <assert.h>

// Is the value of a child this one of column `id`, as SQLite looks for it?
static bool finds(const row_builder *b, int32_t id, value child, value v)
{
    const column_facts *f = &b->m->columns[id];
    value sought = pool_as(b->m, id, child, b->a);
    // It finds no rowid for 7.0.
    return values_equal(b->m, id, sought, v)
           && !(sought.kind == VALUE_REAL
                && row_table(b, f->table)->columns[f->column].is_rowid);
}

// Do the cells of the draft that are set allow this parent row?
static bool allows(const row_builder *b,
                   const row_draft *d,
                   const schema_key *k,
                   const value *parent)
{
    assert(k->parent >= 0);
    bool allowed = true;
    for (ptrdiff_t i = 0; allowed && i < k->n; i++) {
        value p = parent[k->targets[i]];
        int32_t id = b->m->first[k->parent] + k->targets[i];
        allowed = !value_is_null(p)
                  && (!d->is_set[k->columns[i]]
                      || finds(b, id, d->cells[k->columns[i]], p));
    }
    return allowed;
}

// A number in a text may be written in several ways.
static void spell_anew(row_builder *b, value *v, value from)
{
    bool is_numeral = v->kind == VALUE_TEXT
                      && (from.kind == VALUE_INT || from.kind == VALUE_REAL);
    if (is_numeral && b->has_spellings && chance(&b->r, 0.4)) {
        *v = value_text(arena_printf(b->a, "0%.*s", STR_ARG(value_bytes(*v))));
    }
}

static bool copy_parent(row_builder *b,
                        row_draft *d,
                        const schema_key *k,
                        const value *parent)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        value v = parent[k->targets[i]];
        if (!pool_fit(b->m, row_id(b, d, k->columns[i]), &v, b->a)) {
            return false;
        }
        spell_anew(b, &v, parent[k->targets[i]]);
        row_set(d, k->columns[i], v);
    }
    return allows(b, d, k, parent);
}

// One NULL frees the whole key.
static bool make_null(row_builder *b, row_draft *d, const schema_key *k)
{
    for (int pass = 0; pass < 2; pass++) {
        for (ptrdiff_t i = 0; i < k->n; i++) {
            int32_t c = k->columns[i];
            bool is_null = d->is_set[c] && value_is_null(d->cells[c]);
            bool may =
                row_may_be_null(b, d->table, c) && (pass || !d->is_set[c]);
            if (is_null || may) {
                row_set(d, c, value_null());
                return true;
            }
        }
    }
    return false;
}

key_cells row_key_cells(const schema_key *k,
                        const value *cells,
                        const bool *is_set)
{
    key_cells all = {0};
    for (ptrdiff_t i = 0; i < k->n; i++) {
        int32_t c = k->columns[i];
        all.n_set += is_set[c];
        all.has_null |= is_set[c] && value_is_null(cells[c]);
    }
    all.are_set = all.n_set == k->n;
    return all;
}

// The row as its own parent. DuckDB looks for a parent before it stores a row.
static bool refer_to_itself(row_builder *b, row_draft *d, const schema_key *k)
{
    if (b->m->s->dialect == DIALECT_DUCKDB) {
        return false;
    }
    for (ptrdiff_t i = 0; i < k->n; i++) {
        int32_t target = k->targets[i];
        int32_t c = k->columns[i];
        value v = d->is_set[target] ? d->cells[target]
                  : d->is_set[c]    ? d->cells[c]
                                    : row_draw_key(b, d, target);
        if (value_is_null(v)
            || !pool_fit(b->m, row_id(b, d, target), &v, b->a)) {
            return false;
        }
        row_set(d, target, v);
        if (!pool_fit(b->m, row_id(b, d, c), &v, b->a)) {
            return false;
        }
        row_set(d, c, v);
    }
    return true;
}

// How likely a parent is chosen: in skewed instances some get far more
// children than others.
static ptrdiff_t weight_of(const row_builder *b, ptrdiff_t row)
{
    assert(row >= 0);
    static const uint8_t weights[] = {5, 2, 8, 1, 3};
    return b->is_skewed && b->is_uneven ? weights[row % countof(weights)] : 1;
}

// Is each parent one row's only?
static bool is_one_to_one(const row_builder *b, const schema_key *k)
{
    return k->n == 1 && schema_is_key(row_table(b, k->child), k->columns[0]);
}

// Does another row have this parent already?
static bool is_taken(const row_builder *b,
                     const row_draft *d,
                     const schema_key *k,
                     const value *parent)
{
    assert(k->n == 1);
    int32_t id = b->m->first[k->parent] + k->targets[0];
    for (ptrdiff_t r = 0; r < b->tables[d->table].n_rows; r++) {
        value v = row_at(b, d->table, r)[k->columns[0]];
        if (!value_is_null(v) && finds(b, id, v, parent[k->targets[0]])) {
            return true;
        }
    }
    return false;
}

// Gives the draft a parent, or NULL in its place.
bool row_fill_key(row_builder *b, row_draft *d, const schema_key *k)
{
    assert(k->is_sound && k->parent >= 0 && k->child == d->table);
    key_cells cells = row_key_cells(k, d->cells, d->is_set);
    if (cells.has_null) {
        return true;
    }
    if (!cells.are_set && chance(&b->r, b->nulls) && make_null(b, d, k)) {
        return true;
    }
    ptrdiff_t n = 0;
    const value *chosen = NULL;
    bool one_to_one = is_one_to_one(b, k);
    for (ptrdiff_t i = 0; i < b->tables[k->parent].n_rows; i++) {
        const value *row = row_at(b, k->parent, i);
        if (allows(b, d, k, row) && !(one_to_one && is_taken(b, d, k, row))) {
            ptrdiff_t weight = weight_of(b, i);
            n += weight;
            chosen = rng_below(&b->r, n) < weight ? row : chosen;
        }
    }
    if (chosen && copy_parent(b, d, k, chosen)) {
        return true;
    }
    bool itself = k->parent == k->child
                  && (row_key_cells(k, d->cells, d->is_set).are_set
                      || !chance(&b->r, 0.7));
    return (itself && refer_to_itself(b, d, k)) || make_null(b, d, k)
           || (k->parent == k->child && refer_to_itself(b, d, k));
}

// A row that is its own parent is compared as it stands: 1 is not '1' there.
static bool is_own_row(const row_builder *b,
                       const row_draft *d,
                       const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        value v = d->cells[k->columns[i]];
        value target = d->cells[k->targets[i]];
        int32_t id = b->m->first[k->parent] + k->targets[i];
        if (v.kind != target.kind || !values_equal(b->m, id, v, target)) {
            return false;
        }
    }
    return true;
}

static bool has_parent(const row_builder *b,
                       const row_draft *d,
                       const schema_key *k)
{
    bool found = row_key_cells(k, d->cells, d->is_set).has_null
                 || (k->parent == d->table && is_own_row(b, d, k));
    for (ptrdiff_t r = 0; !found && r < b->tables[k->parent].n_rows; r++) {
        found = allows(b, d, k, row_at(b, k->parent, r));
    }
    return found;
}

// Two foreign keys may share columns: the later one may have changed what the
// earlier one took.
bool row_has_parents(const row_builder *b, const row_draft *d)
{
    bool has_all = true;
    for (ptrdiff_t i = 0; has_all && i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        has_all = k->child != d->table || !k->is_sound
                  || schema_key_is_late(&b->m->order, k) || has_parent(b, d, k);
    }
    return has_all;
}

void row_leave_open(row_builder *b, row_draft *d, const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        int32_t c = k->columns[i];
        if (!d->is_set[c] && row_may_be_null(b, d->table, c)) {
            row_set(d, c, value_null());
        }
    }
}

// Does the row refer to one that is not there?
static bool is_orphan(row_builder *b, int32_t table, ptrdiff_t row)
{
    row_draft d = row_draft_of(b, table, row);
    bool has_all = true;
    for (ptrdiff_t i = 0; has_all && i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        has_all = k->child != table || !k->is_sound || has_parent(b, &d, k);
    }
    return !has_all;
}

static bool drop_an_orphan(row_builder *b)
{
    for (int32_t t = 0; t < b->m->s->n_tables; t++) {
        for (ptrdiff_t r = 0; r < b->tables[t].n_rows; r++) {
            if (is_orphan(b, t, r)) {
                row_swap_last(b, t, r);
                b->tables[t].n_rows--;
                return true;
            }
        }
    }
    return false;
}

void row_drop_orphans(row_builder *b)
{
    while (drop_an_orphan(b)) {  // what refers to an orphan may be the next
    }
}

static bool is_wanted_cell(const wanted_row *w, int32_t column)
{
    return w->is_set[column] && !value_is_null(w->cells[column]);
}

// Does the row go with what is wanted of its parent?
static bool is_parent_of(const row_builder *b,
                         const wanted_row *parent,
                         const wanted_row *w,
                         const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        int32_t target = k->targets[i];
        int32_t id = b->m->first[k->parent] + target;
        value v = w->cells[k->columns[i]];
        if (is_wanted_cell(w, k->columns[i])
            && (!parent->is_set[target] || !pool_fit(b->m, id, &v, b->a)
                || !values_equal(b->m, id, v, parent->cells[target]))) {
            return false;
        }
    }
    return true;
}

// A row that says nothing of its parent must have one all the same, unless the
// key may be NULL.
static bool needs_some_parent(const row_builder *b, const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        if (row_may_be_null(b, k->child, k->columns[i])) {
            return false;
        }
    }
    return is_one_to_one(b, k) || b->wanted[k->parent].len == 0;
}

// A wanted child wants its parents.
static void want_parent(row_builder *b,
                        const wanted_row *w,
                        const schema_key *k)
{
    assert(k->is_sound);
    key_cells cells = row_key_cells(k, w->cells, w->is_set);
    const wanted_table *parents = &b->wanted[k->parent];
    bool is_there = cells.n_set == 0 && !needs_some_parent(b, k);
    for (ptrdiff_t r = 0; cells.n_set > 0 && r < parents->len; r++) {
        is_there = is_there || is_parent_of(b, &parents->ptr[r], w, k);
    }
    if (is_there || cells.has_null) {
        return;
    }
    // The list may move, and `w` with it.
    wanted_row child = *w;
    wanted_row *parent = builder_want(b, k->parent);
    for (ptrdiff_t i = 0; i < k->n; i++) {
        if (is_wanted_cell(&child, k->columns[i])) {
            builder_want_cell(b, parent, b->m->first[k->parent] + k->targets[i],
                              child.cells[k->columns[i]]);
        }
    }
}

void row_want_parents(row_builder *b, int32_t table)
{
    assert(table >= 0 && table < b->m->s->n_tables);
    for (ptrdiff_t i = 0; i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        bool counts = k->child == table && k->is_sound && k->parent != table;
        for (ptrdiff_t r = 0; counts && r < b->wanted[table].len; r++) {
            want_parent(b, &b->wanted[table].ptr[r], k);
        }
    }
}
