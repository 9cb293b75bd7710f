/*
 * rows.c - rows that are legal by construction.
 *
 * Method      Tables in the order of their foreign keys, parents first. A row
 *             takes its foreign keys from whole rows of its parents, its keys
 *             from small numbers, the rest from the working pool of the
 *             instance. What breaks a key or a check is drawn anew a few
 *             times, and then given up: an instance may have fewer rows than
 *             were wanted, never a row that SQLite refuses.
 *
 * Source      equivalence.md 5.3 and 5.5
 */
#include "engine/instance.h"
#include "sample/sample_part.h"

bool chance(rng *r, double share)
{
    return (double)rng_below(r, 1 << 20) < share * (1 << 20);
}

builder builder_new(const sampler *m, uint64_t seed, arena *a)
{
    builder b = {.m = m, .a = a, .r = {seed}, .from_pool = 0.3};
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

wanted_row *builder_want(builder *b, int32_t table)
{
    ptrdiff_t n = b->m->s->tables[table].n_columns;
    value *cells = arena_new(b->a, value, n);
    bool *is_set = arena_new(b->a, bool, n);
    wanted_row *row = vec_push(b->a, &b->wanted[table]);
    *row = (wanted_row){cells, is_set};
    return row;
}

bool builder_want_cell(builder *b, wanted_row *row, int32_t id, value v)
{
    if (!pool_fit(b->m, id, &v, b->a)) {
        return false;
    }
    int32_t column = b->m->columns[id].column;
    row->cells[column] = v;
    row->is_set[column] = true;
    return true;
}

static const schema_table *table_of(const builder *b, int32_t table)
{
    return &b->m->s->tables[table];
}

static bool may_be_null(const builder *b, int32_t table, int32_t column)
{
    const schema_table *t = table_of(b, table);
    return !t->columns[column].is_rowid
           && (!b->m->o.assume.not_null || !schema_never_null(t, column));
}

static const value *pick(builder *b, const value_list *list)
{
    return list->len > 0 ? &list->ptr[rng_below(&b->r, list->len)] : NULL;
}

static void add_fitting(builder *b, value_list *out, int32_t id, value v)
{
    if (pool_fit(b->m, id, &v, b->a)
        && !value_breaks_check(b->m, id, v, b->a)) {
        *vec_push(b->a, out) = v;
    }
}

static void add_common(builder *b, value_list *out, int32_t id, ptrdiff_t n)
{
    const value_list *common = &b->m->common[pool_shape(b->m, id)];
    for (ptrdiff_t i = 0; i < n; i++) {
        const value *v = pick(b, common);
        if (v) {
            add_fitting(b, out, id, *v);
        }
    }
}

static void add_original(builder *b, value_list *out, int32_t id, ptrdiff_t n)
{
    const column_facts *f = &b->m->columns[id];
    const instance *real = b->m->o.original;
    ptrdiff_t n_rows = real ? real->tables[f->table].n_rows : 0;
    for (ptrdiff_t i = 0; i < n && n_rows > 0; i++) {
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
static void add_near(builder *b, value_list *out, int32_t id)
{
    const value_list *near = &b->m->columns[id].near;
    for (ptrdiff_t i = 0; i < near->len && i < FOCUS; i++) {
        const value *v = near->len > FOCUS ? pick(b, near) : &near->ptr[i];
        *vec_push(b->a, out) = *v;
        *vec_push(b->a, out) = *v;
    }
}

static value_list draw_pool(builder *b, int32_t id)
{
    value_list out = {0};
    if (b->m->columns[id].near.len > 0 && chance(&b->r, 0.8)) {
        add_near(b, &out, id);
        add_common(b, &out, id, 2);
    } else {
        add_common(b, &out, id, b->is_dense ? 3 : 6);
    }
    if (b->m->o.original && chance(&b->r, 0.5)) {
        add_original(b, &out, id, 4);
    }
    for (int64_t i = 0; out.len == 0 && i < 40; i++) {
        add_fitting(b, &out, id, pool_plain(b->m, id, i, b->a));
    }
    return out;
}

// A few values for all columns of a class, so that joins meet.
static const value_list *shared_pool(builder *b, int32_t id)
{
    static const ptrdiff_t sizes[] = {1, 2, 2, 3};
    int32_t class = facts_class(b->m, id);
    value_list *shared = &b->shared[class];
    if (!shared->ptr) {
        value_list all = draw_pool(b, id);
        ptrdiff_t n = sizes[rng_below(&b->r, countof(sizes))];
        vec_push(b->a, shared);
        shared->len = 0;
        for (ptrdiff_t i = 0; i < n && all.len > 0; i++) {
            *vec_push(b->a, shared) = *pick(b, &all);
        }
    }
    return shared;
}

// Does the class hold other columns than this one?
static bool is_joined(const sampler *m, int32_t id)
{
    int32_t class = facts_class(m, id);
    for (int32_t other = 0; other < m->n_columns; other++) {
        if (other != id && m->columns[other].is_read
            && facts_class(m, other) == class) {
            return true;
        }
    }
    return false;
}

static const value_list *pool_of(builder *b, int32_t id)
{
    value_list *pool = &b->pools[id];
    if (pool->ptr) {
        return pool;
    }
    if (is_joined(b->m, id) && chance(&b->r, 0.85)) {
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

// A row under construction.
typedef struct draft {
    int32_t table;
    value *cells;
    bool *is_set;
    int attempt;
} draft;

static int32_t id_of(const builder *b, const draft *d, int32_t column)
{
    return b->m->first[d->table] + column;
}

static void set(draft *d, int32_t column, value v)
{
    d->cells[column] = v;
    d->is_set[column] = true;
}

static value draw_key(builder *b, const draft *d, int32_t column)
{
    int32_t id = id_of(b, d, column);
    ptrdiff_t n = b->tables[d->table].n_rows;
    const value *v = NULL;
    if (d->attempt < ATTEMPTS / 2 && chance(&b->r, b->from_pool)) {
        v = pick(b, pool_of(b, id));
    }
    if (!v && d->attempt < ATTEMPTS / 2) {
        return pool_plain(b->m, id, rng_below(&b->r, n < 5 ? 5 : 39), b->a);
    }
    // Soon a value that nobody can have yet.
    return v ? *v
             : pool_plain(b->m, id, n + rng_below(&b->r, 4 + 4 * d->attempt),
                          b->a);
}

static value draw(builder *b, const draft *d, int32_t column)
{
    int32_t id = id_of(b, d, column);
    const column_facts *f = &b->m->columns[id];
    bool nullable = may_be_null(b, d->table, column);
    const schema_unique *primary = schema_primary(table_of(b, d->table));
    bool leads = primary && primary->columns[primary->n - 1] == column;
    if (f->is_key && nullable && !leads && chance(&b->r, b->nulls)) {
        return value_null();
    }
    if (f->is_key) {
        value v = draw_key(b, d, column);
        if (!value_breaks_check(b->m, id, v, b->a)) {
            return v;
        }
    }
    if (nullable
        && (!(f->is_read || b->m->o.fills_all) || chance(&b->r, b->nulls)
            || d->attempt + 1 == ATTEMPTS)) {
        return value_null();
    }
    const value *v = pick(b, pool_of(b, id));
    return v ? *v : pool_plain(b->m, id, 0, b->a);
}

// Do the cells of the draft that are set allow this parent row?
static bool allows(const builder *b,
                   const draft *d,
                   const schema_key *k,
                   const value *parent)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        value p = parent[k->targets[i]];
        int32_t id = b->m->first[k->parent] + k->targets[i];
        value v = pool_as(b->m, id, d->cells[k->columns[i]], b->a);
        // SQLite finds no rowid for 7.0.
        bool is_rowid = table_of(b, k->parent)->columns[k->targets[i]].is_rowid;
        bool fits =
            values_equal(b->m, id, v, p) && !(is_rowid && v.kind == VALUE_REAL);
        if (value_is_null(p) || (d->is_set[k->columns[i]] && !fits)) {
            return false;
        }
    }
    return true;
}

// A number in a text may be written in several ways.
static void spell_anew(builder *b, value *v, value from)
{
    bool is_numeral = v->kind == VALUE_TEXT
                      && (from.kind == VALUE_INT || from.kind == VALUE_REAL);
    if (is_numeral && b->has_spellings && chance(&b->r, 0.4)) {
        *v = value_text(arena_printf(b->a, "0%.*s", STR_ARG(value_bytes(*v))));
    }
}

static bool copy_parent(builder *b,
                        draft *d,
                        const schema_key *k,
                        const value *parent)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        value v = parent[k->targets[i]];
        if (!pool_fit(b->m, id_of(b, d, k->columns[i]), &v, b->a)) {
            return false;
        }
        spell_anew(b, &v, parent[k->targets[i]]);
        set(d, k->columns[i], v);
    }
    return allows(b, d, k, parent);
}

// One NULL frees the whole key.
static bool make_null(builder *b, draft *d, const schema_key *k)
{
    for (int pass = 0; pass < 2; pass++) {
        for (ptrdiff_t i = 0; i < k->n; i++) {
            int32_t c = k->columns[i];
            bool is_null = d->is_set[c] && value_is_null(d->cells[c]);
            bool may = may_be_null(b, d->table, c) && (pass || !d->is_set[c]);
            if (is_null || may) {
                set(d, c, value_null());
                return true;
            }
        }
    }
    return false;
}

static bool has_null(const draft *d, const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        int32_t c = k->columns[i];
        if (d->is_set[c] && value_is_null(d->cells[c])) {
            return true;
        }
    }
    return false;
}

static bool is_wholly_set(const draft *d, const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        if (!d->is_set[k->columns[i]]) {
            return false;
        }
    }
    return true;
}

// The row as its own parent.
static bool refer_to_itself(builder *b, draft *d, const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        int32_t target = k->targets[i];
        int32_t c = k->columns[i];
        value v = d->is_set[target] ? d->cells[target]
                  : d->is_set[c]    ? d->cells[c]
                                    : draw_key(b, d, target);
        if (value_is_null(v)
            || !pool_fit(b->m, id_of(b, d, target), &v, b->a)) {
            return false;
        }
        set(d, target, v);
        if (!pool_fit(b->m, id_of(b, d, c), &v, b->a)) {
            return false;
        }
        set(d, c, v);
    }
    return true;
}

// How likely a parent is chosen: in skewed instances some get far more
// children than others.
static ptrdiff_t weight_of(const builder *b, ptrdiff_t row)
{
    static const uint8_t weights[] = {5, 2, 8, 1, 3};
    return b->is_skewed && b->is_uneven ? weights[row % countof(weights)] : 1;
}

// Is each parent one row's only?
static bool is_one_to_one(const builder *b, const schema_key *k)
{
    const schema_table *t = table_of(b, k->child);
    for (ptrdiff_t u = 0; u < t->n_uniques; u++) {
        if (t->uniques[u].n == 1 && k->n == 1
            && t->uniques[u].columns[0] == k->columns[0]) {
            return true;
        }
    }
    return false;
}

// Does another row have this parent already?
static bool is_taken(const builder *b,
                     const draft *d,
                     const schema_key *k,
                     const value *parent)
{
    const instance_table *rows = &b->tables[d->table];
    ptrdiff_t width = table_of(b, d->table)->n_columns;
    int32_t id = b->m->first[k->parent] + k->targets[0];
    for (ptrdiff_t r = 0; r < rows->n_rows; r++) {
        value v = rows->cells[r * width + k->columns[0]];
        if (!value_is_null(v)
            && values_equal(b->m, id, pool_as(b->m, id, v, b->a),
                            parent[k->targets[0]])) {
            return true;
        }
    }
    return false;
}

// Gives the draft a parent, or NULL in its place.
static bool fill_key(builder *b, draft *d, const schema_key *k)
{
    const instance_table *parents = &b->tables[k->parent];
    ptrdiff_t width = table_of(b, k->parent)->n_columns;
    if (has_null(d, k)) {
        return true;
    }
    if (!is_wholly_set(d, k) && chance(&b->r, b->nulls) && make_null(b, d, k)) {
        return true;
    }
    ptrdiff_t n = 0;
    const value *chosen = NULL;
    bool one_to_one = is_one_to_one(b, k);
    for (ptrdiff_t i = 0; i < parents->n_rows; i++) {
        const value *row = parents->cells + i * width;
        if (allows(b, d, k, row) && !(one_to_one && is_taken(b, d, k, row))) {
            ptrdiff_t weight = weight_of(b, i);
            n += weight;
            chosen = rng_below(&b->r, n) < weight ? row : chosen;
        }
    }
    if (chosen && copy_parent(b, d, k, chosen)) {
        return true;
    }
    bool itself =
        k->parent == k->child && (is_wholly_set(d, k) || !chance(&b->r, 0.7));
    return (itself && refer_to_itself(b, d, k)) || make_null(b, d, k)
           || (k->parent == k->child && refer_to_itself(b, d, k));
}

// A row that is its own parent is compared as it stands: 1 is not '1' there.
static bool is_own_row(const builder *b, const draft *d, const schema_key *k)
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

// Two foreign keys may share columns: the later one may have changed what the
// earlier one took.
static bool has_parents(const builder *b, const draft *d)
{
    for (ptrdiff_t i = 0; i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        const instance_table *parents =
            k->parent >= 0 ? &b->tables[k->parent] : NULL;
        if (k->child != d->table || !k->is_sound || has_null(d, k)) {
            continue;
        }
        bool found = k->parent == d->table && is_own_row(b, d, k);
        ptrdiff_t width = table_of(b, k->parent)->n_columns;
        for (ptrdiff_t r = 0; !found && r < parents->n_rows; r++) {
            found = allows(b, d, k, parents->cells + r * width);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

// The row that has the same key; NULL: none.
static const value *find_twin(const builder *b,
                              const draft *d,
                              const schema_unique *u)
{
    const instance_table *rows = &b->tables[d->table];
    ptrdiff_t width = table_of(b, d->table)->n_columns;
    for (ptrdiff_t r = 0; r < rows->n_rows; r++) {
        const value *row = rows->cells + r * width;
        bool same = true;
        for (ptrdiff_t i = 0; same && i < u->n; i++) {
            int32_t c = u->columns[i];
            same = !value_is_null(d->cells[c])
                   && values_equal(b->m, id_of(b, d, c), d->cells[c], row[c]);
        }
        if (same) {
            return row;
        }
    }
    return NULL;
}

static bool breaks_unique(const builder *b, const draft *d)
{
    const schema_table *t = table_of(b, d->table);
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        if (find_twin(b, d, &t->uniques[i])) {
            return true;
        }
    }
    return false;
}

static bool breaks_not_null(const builder *b, const draft *d)
{
    for (int32_t c = 0; c < table_of(b, d->table)->n_columns; c++) {
        if (value_is_null(d->cells[c]) && !may_be_null(b, d->table, c)) {
            return true;
        }
    }
    return false;
}

static bool is_legal(builder *b, draft *d)
{
    const sample_assume *assume = &b->m->o.assume;
    return !row_breaks_check(b->m, d->table, d->cells, b->a)
           && !breaks_not_null(b, d) && !(assume->keys && breaks_unique(b, d))
           && (!assume->foreign_keys || has_parents(b, d));
}

// A row of the table that the draft is to look like but for its keys, as two
// things of one name do; NULL: none.
static const value *look_alike(builder *b, const draft *d)
{
    const instance_table *rows = &b->tables[d->table];
    if (!b->is_skewed || rows->n_rows == 0 || !chance(&b->r, 0.4)) {
        return NULL;
    }
    ptrdiff_t width = table_of(b, d->table)->n_columns;
    return rows->cells + rng_below(&b->r, rows->n_rows) * width;
}

// Fills what is open. False when that leads nowhere.
static bool fill(builder *b, draft *d)
{
    const schema_table *t = table_of(b, d->table);
    const value *alike = look_alike(b, d);
    for (ptrdiff_t i = 0; i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        if (b->m->o.assume.foreign_keys && k->child == d->table && k->is_sound
            && !fill_key(b, d, k)) {
            return false;
        }
    }
    for (int32_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].generated) {
            d->cells[c] = value_null();
        } else if (!d->is_set[c]) {
            const column_facts *f = &b->m->columns[id_of(b, d, c)];
            bool copies = alike && !f->is_key && !f->is_foreign;
            set(d, c, copies ? alike[c] : draw(b, d, c));
        }
    }
    return is_legal(b, d);
}

static void keep(builder *b, const draft *d)
{
    instance_table *rows = &b->tables[d->table];
    ptrdiff_t width = table_of(b, d->table)->n_columns;
    if (rows->n_rows == b->room[d->table]) {
        ptrdiff_t room = b->room[d->table] == 0 ? 8 : 2 * b->room[d->table];
        value *cells = arena_new(b->a, value, room * width);
        for (ptrdiff_t i = 0; i < rows->n_rows * width; i++) {
            cells[i] = rows->cells[i];
        }
        rows->cells = cells;
        b->room[d->table] = room;
    }
    for (ptrdiff_t c = 0; c < width; c++) {
        rows->cells[rows->n_rows * width + c] = d->cells[c];
    }
    rows->n_rows++;
}

// Is the wanted row there already, under its primary key?
static bool is_there(builder *b, const draft *d, const wanted_row *w)
{
    const schema_unique *u = schema_primary(table_of(b, d->table));
    for (ptrdiff_t i = 0; u && i < u->n; i++) {
        if (!w->is_set[u->columns[i]]) {
            return false;
        }
    }
    return u && b->m->o.assume.keys && find_twin(b, d, u);
}

static void start(builder *b, draft *d, const wanted_row *w)
{
    // What is wanted gives way when it cannot be had.
    bool holds_on = w && d->attempt + 2 < ATTEMPTS;
    for (int32_t c = 0; c < table_of(b, d->table)->n_columns; c++) {
        d->is_set[c] = holds_on && w->is_set[c];
        d->cells[c] = d->is_set[c] ? w->cells[c] : value_null();
    }
}

static void make_row(builder *b, int32_t table, const wanted_row *w)
{
    ptrdiff_t n = table_of(b, table)->n_columns;
    draft d = {.table = table};
    d.cells = arena_new(b->a, value, n);
    d.is_set = arena_new(b->a, bool, n);
    if (n == 0 || b->tables[table].n_rows >= b->max_rows) {
        return;
    }
    for (; d.attempt < ATTEMPTS; d.attempt++) {
        start(b, &d, w);
        if (w && d.attempt == 0 && is_there(b, &d, w)) {
            return;
        }
        if (fill(b, &d)) {
            keep(b, &d);
            return;
        }
    }
}

static bool is_wanted_cell(const wanted_row *w, int32_t column)
{
    return w->is_set[column] && !value_is_null(w->cells[column]);
}

// Does the row go with what is wanted of its parent?
static bool is_parent_of(const builder *b,
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
static bool needs_some_parent(const builder *b, const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        if (may_be_null(b, k->child, k->columns[i])) {
            return false;
        }
    }
    return is_one_to_one(b, k) || b->wanted[k->parent].len == 0;
}

// A wanted child wants its parents.
static void want_parent(builder *b, const wanted_row *w, const schema_key *k)
{
    ptrdiff_t n_wanted = 0;
    for (ptrdiff_t i = 0; i < k->n; i++) {
        int32_t c = k->columns[i];
        if (w->is_set[c] && value_is_null(w->cells[c])) {
            return;
        }
        n_wanted += w->is_set[c];
    }
    const wanted_table *parents = &b->wanted[k->parent];
    bool is_there = n_wanted == 0 && !needs_some_parent(b, k);
    for (ptrdiff_t r = 0; n_wanted > 0 && r < parents->len; r++) {
        is_there = is_there || is_parent_of(b, &parents->ptr[r], w, k);
    }
    if (is_there) {
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

static void want_parents(builder *b, int32_t table)
{
    for (ptrdiff_t i = 0; i < b->m->s->n_keys; i++) {
        const schema_key *k = &b->m->s->keys[i];
        bool counts = k->child == table && k->is_sound && k->parent != table;
        for (ptrdiff_t r = 0; counts && r < b->wanted[table].len; r++) {
            want_parent(b, &b->wanted[table].ptr[r], k);
        }
    }
}

instance builder_finish(builder *b)
{
    const sampler *m = b->m;
    for (ptrdiff_t i = m->n_order; i-- > 0 && m->o.assume.foreign_keys;) {
        want_parents(b, m->order[i]);
    }
    for (ptrdiff_t i = 0; i < m->n_order; i++) {
        int32_t t = m->order[i];
        for (ptrdiff_t r = 0; r < b->wanted[t].len; r++) {
            make_row(b, t, &b->wanted[t].ptr[r]);
        }
    }
    return (instance){.schema = m->s, .tables = b->tables};
}
