/*
 * sampler.c - what a sampler knows, and the recipe of each instance.
 *
 * Method      The number of an instance decides its recipe: the first ones are
 *             aimed at the queries (aim.c), then aimed, templated and random
 *             ones alternate; from SKEW_FROM on children are spread unevenly
 *             over few parents. Sizes grow with the number, so small
 *             counterexamples come first. The random numbers of an instance
 *             depend only on the seed and its number.
 *
 * Invariant   Instance `no` does not depend on which instances were made
 *             before.
 *
 * Cost        As rows.c; what a query says is read once, when it is added.
 *
 * Source      definitions/equivalence.md#recipes
 */
#include "base/hash.h"
#include "sample/sample_internal.h"

#include <assert.h>

static const uint8_t sizes[][6] = {
    // The first is how many follow.
    {2, 0, 1},    {1, 1},    {2, 1, 2},       {2, 2, 3},
    {3, 1, 2, 3}, {2, 3, 4}, {4, 2, 3, 4, 5}, {5, 4, 5, 6, 7, 8},
};

enum {
    SIZE_STEP = 6,     // instances of one row of sizes
    ROWS_DEFAULT = 8,  // of a table at most
    OFTEN_MAX = 40,    // thresholds that every third instance meets
    ROWS_SKEWED = 16,
    SKEW_EVERY = 12,  // with LIMIT, for ties among groups
    SKEW_FIRST = 7,
    ODD_EVERY = 11,   // instances with texts that are no dates
    SKEW_LATE = 150,  // from here on every third instance, without LIMIT
    SKEW_OFTEN = 3,
    SKEW_FROM = 300,     // instances with unlike numbers of children
    CONCENTRATE = 10,    // every tenth instance has one group
    ONE_ROW = 6,         // an instance of one row a table
    SOME_ROWS = 30,      // of two to four
    AIM_WITH_NULLS = 5,  // an aimed instance that has some
};

static bool may_be_null(const sampler *m, const schema_table *t, int32_t c)
{
    return !t->columns[c].is_rowid
           && (!m->o.assume.not_null || !schema_never_null(t, c));
}

static void number_columns(sampler *m)
{
    m->first = arena_new(m->a, int32_t, m->s->n_tables + 1);
    for (ptrdiff_t t = 0; t < m->s->n_tables; t++) {
        m->first[t] = m->n_columns;
        m->n_columns += (int32_t)m->s->tables[t].n_columns;
    }
    m->columns = arena_new(m->a, column_facts, m->n_columns);
    for (int32_t t = 0; t < m->s->n_tables; t++) {
        const schema_table *table = &m->s->tables[t];
        for (int32_t c = 0; c < table->n_columns; c++) {
            m->columns[m->first[t] + c] = (column_facts){
                .table = t,
                .column = c,
                .may_be_null = may_be_null(m, table, c),
                .type = type_read(&table->columns[c], m->s),
            };
            partition_add(&m->classes, m->a);
        }
    }
}

// A row may differ from another one in what no query reads: in an index or not
// (deleted_at IS NULL).
static void read_indexes(sampler *m, int32_t table, arena scratch)
{
    const schema_table *t = &m->s->tables[table];
    for (ptrdiff_t i = 0; i < t->n_indexes; i++) {
        for (const ast *k = t->indexes[i].keys; k; k = k->next) {
            reading_add_named(&m->reads, table, k);
        }
        if (t->indexes[i].where) {
            reading_add_named(&m->reads, table, t->indexes[i].where);
            facts_read_check(m, table, t->indexes[i].where, scratch);
        }
    }
}

static void read_schema(sampler *m, arena scratch)
{
    m->code = arena_new(m->a, table_code, m->s->n_tables);
    for (ptrdiff_t i = 0; i < m->s->n_keys; i++) {
        const schema_key *k = &m->s->keys[i];
        for (ptrdiff_t p = 0; k->parent >= 0 && p < k->n; p++) {
            int32_t child = m->first[k->child] + k->columns[p];
            m->columns[child].is_foreign |= k->is_sound;
            if (k->targets[p] >= 0) {
                int32_t parent = m->first[k->parent] + k->targets[p];
                m->columns[parent].is_target |= k->parent == k->child;
                partition_join(&m->classes, child, parent);
            }
        }
    }
    for (int32_t t = 0; t < m->s->n_tables; t++) {
        const schema_table *table = &m->s->tables[t];
        for (ptrdiff_t u = 0; u < table->n_uniques; u++) {
            for (ptrdiff_t i = 0; i < table->uniques[u].n; i++) {
                int32_t c = table->uniques[u].columns[i];
                m->columns[m->first[t] + c].is_key = true;
            }
        }
        read_indexes(m, t, scratch);
        rules_read(m, t, scratch);
    }
}

// SQLite keeps such tables itself.
static bool is_internal(const schema_table *t)
{
    return t->view || str_starts_fold(t->name, S("sqlite_"));
}

// What is read, and the parents that its rows need.
static void find_wanted(sampler *m)
{
    for (ptrdiff_t t = 0; t < m->s->n_tables; t++) {
        m->is_wanted[t] =
            !is_internal(&m->s->tables[t]) && (m->is_read[t] || m->o.fills_all);
    }
    bool grows = m->o.assume.foreign_keys;
    while (grows) {
        grows = false;
        for (ptrdiff_t i = 0; i < m->s->n_keys; i++) {
            const schema_key *k = &m->s->keys[i];
            if (k->is_sound && m->is_wanted[k->child]
                && !m->is_wanted[k->parent]) {
                m->is_wanted[k->parent] = true;
                grows = true;
            }
        }
    }
}

sampler *sampler_new(arena *a,
                     const schema *s,
                     const binding *const *queries,
                     ptrdiff_t n,
                     const sample_options *options,
                     arena scratch)
{
    sampler *m = arena_new(a, sampler, 1);
    m->a = a;
    m->s = s;
    m->o = *options;
    m->given_rows = options->max_rows;
    number_columns(m);
    m->reads = reading_new(a, s);
    m->is_read = m->reads.tables;
    m->is_wanted = arena_new(a, bool, s->n_tables);
    m->order = schema_order(a, s);
    for (ptrdiff_t i = 0; i < n; i++) {
        sampler_add(m, queries[i], scratch);
    }
    read_schema(m, scratch);
    return m;
}

void sampler_add(sampler *m, const binding *query, arena scratch)
{
    reading_add(&m->reads, query);
    sampled_query q = facts_read(m, query, scratch);
    m->threshold = q.threshold > m->threshold ? q.threshold : m->threshold;
    m->limit = q.limit > m->limit ? q.limit : m->limit;
    *vec_push(m->a, &m->queries) = q;
    m->is_ready = false;
}

// Which columns are read. Texts that are compared with numbers are numerals;
// texts of a class that one of its columns takes for the same may be met as
// such.
static void read_classes(sampler *m)
{
    m->of_class = arena_new(m->a, class_facts, m->n_columns);
    for (int32_t id = 0; id < m->n_columns; id++) {
        column_facts *f = &m->columns[id];
        value_shape shape = pool_read_shape(m, id);
        class_facts *class = sampler_class(m, id);
        schema_collation own =
            m->s->tables[f->table].columns[f->column].collation;
        f->is_read = m->reads.columns[f->table][f->column];
        class->n_read += f->is_read;
        class->is_stepped |= f->is_stepped;
        class->has_number |= shape == SHAPE_INTEGER || shape == SHAPE_REAL;
        class->collation = own != COLLATION_BINARY ? own : class->collation;
    }
    for (int32_t id = 0; id < m->n_columns; id++) {
        class_facts *class = sampler_class(m, id);
        if (pool_read_shape(m, id) == SHAPE_TEXT && class->has_number) {
            m->columns[id].is_numeral = true;
            class->has_numeral = true;
        }
        m->columns[id].shape = pool_read_shape(m, id);
    }
}

static void get_ready(sampler *m)
{
    if (!m->is_ready) {
        read_classes(m);
        find_wanted(m);
        pool_prepare(m);
    }
}

static ptrdiff_t rows_max(const sampler *m)
{
    ptrdiff_t k =
        (ptrdiff_t)(m->threshold > m->limit ? m->threshold : m->limit);
    return m->o.max_rows > 0      ? m->o.max_rows
           : k + 2 > ROWS_DEFAULT ? k + 2
                                  : ROWS_DEFAULT;
}

// With a group for each count about the threshold.
static ptrdiff_t aimed_rows_max(const sampler *m)
{
    return m->o.max_rows == 0 && m->threshold > 1
               ? 3 * (ptrdiff_t)m->threshold + ROWS_DEFAULT
               : rows_max(m);
}

// How many rows a table shall have in instance `no`.
static ptrdiff_t draw_size(row_builder *b, int64_t no)
{
    const sampler *m = b->m;
    int64_t row = no / SIZE_STEP;
    if (row >= countof(sizes) - 1) {
        static const uint8_t later[] = {0, 2, 3, 6, 7};
        row = later[(no / 2) % countof(later)];
    }
    assert(row >= 0 && row < countof(sizes));
    ptrdiff_t n = sizes[row][1 + rng_below(&b->r, sizes[row][0])];
    if (m->threshold > 0 && m->threshold <= OFTEN_MAX && no % 3 == 2) {
        n = (ptrdiff_t)m->threshold + rng_below(&b->r, 3);
    }
    return n < rows_max(m) ? n : rows_max(m);
}

static void want_rows(row_builder *b, int32_t table, ptrdiff_t n)
{
    assert(table >= 0 && table < b->m->s->n_tables);
    for (ptrdiff_t i = 0; i < n; i++) {
        builder_want(b, table);
    }
}

static bool is_parent(const sampler *m, int32_t table)
{
    for (ptrdiff_t i = 0; i < m->s->n_keys; i++) {
        if (m->s->keys[i].parent == table && m->s->keys[i].child != table) {
            return true;
        }
    }
    return false;
}

static void recipe_random(row_builder *b, int64_t no)
{
    for (ptrdiff_t i = 0; i < b->m->order.n; i++) {
        int32_t t = b->m->order.tables[i];
        if (b->m->is_wanted[t]) {
            ptrdiff_t n = draw_size(b, no);
            // A parent that nobody reads need not be empty.
            want_rows(b, t, n == 0 && !b->m->is_read[t] ? 1 : n);
        }
    }
}

// Unlike numbers of children to a few parents, few values: by the rows that a
// query keeps, or by chance.
static void recipe_skew(row_builder *b, int64_t no)
{
    const sampler *m = b->m;
    b->is_dense = true;
    b->is_skewed = true;
    b->is_uneven = chance(&b->r, 0.5);
    b->has_spellings = chance(&b->r, 0.5);
    b->from_pool = 0;
    if (m->o.max_rows == 0 && b->max_rows < ROWS_SKEWED) {
        b->max_rows = ROWS_SKEWED;
    }
    if (m->queries.len > 0 && no % 4 != 0) {
        skew_want(b, &m->queries.ptr[no % m->queries.len]);
        return;
    }
    for (ptrdiff_t i = 0; i < m->order.n; i++) {
        int32_t t = m->order.tables[i];
        if (m->is_wanted[t]) {
            want_rows(b, t,
                      is_parent(m, t) ? 3 + rng_below(&b->r, 3)
                                      : 4 + rng_below(&b->r, 7));
        }
    }
}

// One parent for all children, about as many as the threshold asks for.
static void recipe_concentrate(row_builder *b)
{
    b->nulls = 0;
    for (ptrdiff_t i = 0; i < b->m->order.n; i++) {
        int32_t t = b->m->order.tables[i];
        ptrdiff_t k = (ptrdiff_t)b->m->threshold;
        if (b->m->is_wanted[t]) {
            want_rows(
                b, t,
                is_parent(b->m, t) && k > 1 ? 1 : k - 1 + rng_below(&b->r, 4));
        }
    }
}

// Which of the aimed instances number `no` is, in the order of the queries; -1:
// none. The first ones are, and later every fourth: the others find what no
// one aimed at.
static int64_t aimed_no(const sampler *m, int64_t no)
{
    return m->queries.len == 0 ? -1
           : no < SAMPLE_AIMED ? no
           : no % 4 == 0       ? no / 4 + 1
                               : -1;
}

// Is it one of unlike groups? Some late ones are: what small databases do not
// show may take groups of several rows, some of them NULL. With LIMIT some of
// all are, for ties among groups.
static bool is_skewed(const sampler *m, int64_t no)
{
    bool is_turn = m->limit > 0
                       ? no % SKEW_EVERY == SKEW_FIRST
                       : no >= SKEW_LATE && no % SKEW_OFTEN == SKEW_OFTEN - 1;
    return no >= SKEW_FROM || is_turn;
}

void sampler_shrink(sampler *m, int64_t rows)
{
    bool is_less = rows > 0 && (m->given_rows == 0 || rows < m->given_rows);
    m->o.max_rows = is_less ? (int32_t)rows : m->given_rows;
}

instance sampler_make(sampler *m, int64_t no, arena *a)
{
    assert(no >= 0);
    get_ready(m);
    row_builder b = builder_new(m, hash_mix(m->o.seed, (uint64_t)no), a);
    b.max_rows = rows_max(m);
    b.has_odd = no % ODD_EVERY == ODD_EVERY - 1;
    int64_t aimed = aimed_no(m, no);
    if (aimed >= 0) {
        b.max_rows = aimed_rows_max(m);
    }
    if (is_skewed(m, no)) {
        recipe_skew(&b, no);
    } else if (m->threshold > 0 && no % CONCENTRATE == CONCENTRATE - 1) {
        recipe_concentrate(&b);
    } else if (aimed >= 0) {
        aim_want(&b, &m->queries.ptr[aimed % m->queries.len],
                 aimed / m->queries.len);
    } else if (no % 2 == 1 && m->queries.len > 0) {
        template_want(&b, &m->queries.ptr[no / 2 % m->queries.len], no);
    } else {
        recipe_random(&b, no);
    }
    return builder_finish(&b);
}

// What one of the instances is like on which a proof is tried.
typedef struct trial_recipe {
    enum {
        TRY_NONE,  // no rows at all
        TRY_ONE,   // row a table
        TRY_SOME,
        TRY_AIMED,  // at the second query
    } rows;
    double nulls;    // share of them
    bool is_alike;   // texts are equal to others and not the same
    bool lacks;      // rows in the last of several tables that are read
    uint8_t chance;  // which of the random numbers: of twenty, those by which
                     // most wrong proofs show for the work
} trial_recipe;

// Each is to show what rules lean on where it is not so: a value that is no
// NULL, a row, a partner, one row for each value, equal values that are the
// same, rows of one group that are alike. Of few rows several instances show
// more than one of many.
static const trial_recipe trials[] = {
    {TRY_ONE, 1, false, false, 9},    {TRY_NONE, 0, false, false, 0},
    {TRY_AIMED, 0.5, true, false, 6}, {TRY_AIMED, 0.2, false, true, 11},
    {TRY_SOME, 0.2, true, false, 7},  {TRY_SOME, 0.2, true, false, 4},
    {TRY_SOME, 0.2, true, false, 10}, {TRY_SOME, 0.4, false, false, 16},
};
_Static_assert(countof(trials) == SAMPLE_TRIALS, "one recipe each");

// The last of the tables that are read, when there are several; -1: one.
static int32_t last_read(const sampler *m)
{
    ptrdiff_t n = 0;
    int32_t last = -1;
    for (ptrdiff_t i = 0; i < m->order.n; i++) {
        bool is_read = m->is_read[m->order.tables[i]];
        n += is_read;
        last = is_read ? m->order.tables[i] : last;
    }
    return n > 1 ? last : -1;
}

instance sampler_try(sampler *m, int64_t no, arena *a)
{
    assert(no >= 0 && no < SAMPLE_TRIALS);
    const trial_recipe *r = &trials[no];
    get_ready(m);
    row_builder b = builder_new(m, hash_mix(m->o.seed, r->chance), a);
    b.max_rows = aimed_rows_max(m);
    b.is_alike = r->is_alike;
    b.lacks = r->lacks ? last_read(m) : -1;
    ptrdiff_t n = m->queries.len;
    if (r->rows == TRY_AIMED && n > 0) {
        aim_want(&b, &m->queries.ptr[n - 1], AIM_WITH_NULLS);
    } else if (r->rows != TRY_NONE) {
        recipe_random(&b, r->rows == TRY_ONE ? ONE_ROW : SOME_ROWS);
    }
    b.nulls = r->nulls;
    return builder_finish(&b);
}

instance sampler_aim(sampler *m, const binding *query, int64_t no, arena *a)
{
    assert(no >= 0);
    get_ready(m);
    row_builder b =
        builder_new(m, hash_mix(m->o.seed ^ 0x61696d, (uint64_t)no), a);
    b.max_rows = aimed_rows_max(m);
    const sampled_query *q = m->queries.ptr;
    while (q->binding != query) {
        q++;
        assert(q < m->queries.ptr + m->queries.len);  // it was added
    }
    aim_want(&b, q, no);
    return builder_finish(&b);
}
