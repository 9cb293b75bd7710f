/*
 * distill_vary.c - random steps from one database to a similar one.
 *
 * Method      One to MOST_STEPS steps: a row duplicated (with fresh keys), rows
 *             dropped, a cell given another row's value, a neighboring number,
 *             a NULL, or a literal of the queries. Foreign keys take values of
 *             their parent.
 *
 * Invariants  (1) The base is copied first and never changed.
 *             (2) The result may break a constraint; the engine refuses it
 *                 then.
 *             (3) The same random numbers give the same result.
 *
 * Cost        Linear in the rows, for each step.
 */
#include "suite/distill_vary.h"

#include "base/places.h"
#include "relation/relation_values.h"

#include <assert.h>

enum {
    MOST_STEPS = 4,
    MOST_COPIES = 4,
    MOST_ROWS = 300,  // of a table that still grows
};

typedef struct variation {
    instance rows;
    const vary_values *values;
    rng *random;
    arena *a;
} variation;

static void add_literal(vary_values *out, arena *a, const ast *n)
{
    static const int near[] = {0, -1, 1};
    int64_t whole = 0;
    double real = 0;
    if (n->kind == AST_STRING) {
        *vec_push(a, out) = value_text(ast_string(a, n));
    } else if (n->kind == AST_DOUBT) {
        *vec_push(a, out) = value_text(n->text);
    } else if (n->kind == AST_NUMBER && str_to_int(n->text, &whole)
               && whole < INT64_MAX) {
        for (int i = 0; i < countof(near); i++) {
            *vec_push(a, out) = value_int(whole + near[i]);
        }
    } else if (n->kind == AST_NUMBER && str_to_double(n->text, &real)) {
        for (int i = 0; i < countof(near); i++) {
            *vec_push(a, out) = value_real(real + 0.001 * near[i]);
        }
    }
}

void vary_literals(vary_values *out, arena *a, const ast *query)
{
    node_list all = relation_nodes_of(a, query, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        add_literal(out, a, all.ptr[i]);
    }
}

static const schema_table *table_of(const variation *m, int32_t t)
{
    assert(t >= 0 && t < m->rows.schema->n_tables);
    return &m->rows.schema->tables[t];
}

static value *cell_of(variation *m, int32_t t, ptrdiff_t row, ptrdiff_t column)
{
    assert(row >= 0 && row < m->rows.tables[t].n_rows);
    assert(column >= 0 && column < table_of(m, t)->n_columns);
    ptrdiff_t width = table_of(m, t)->n_columns;
    return &m->rows.tables[t].cells[row * width + column];
}

static bool is_key(const schema_table *t, ptrdiff_t column)
{
    bool found = false;
    for (ptrdiff_t u = 0; u < t->n_uniques; u++) {
        found |= places_have(t->uniques[u].columns, t->uniques[u].n, column);
    }
    return found;
}

static bool is_child(const schema *s, int32_t table, ptrdiff_t column)
{
    bool found = false;
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        found |=
            key->child == table && places_have(key->columns, key->n, column);
    }
    return found;
}

// A value like the one that is there, which no row of the table has.
static value fresh(variation *m, int32_t t, ptrdiff_t column, value like)
{
    if (like.kind == VALUE_TEXT) {
        char letter = (char)('a' + rng_below(m->random, 26));
        return value_text(
            arena_printf(m->a, "%.*s%c", STR_ARG(value_bytes(like)), letter));
    }
    int64_t most = 0;
    for (ptrdiff_t r = 0; r < m->rows.tables[t].n_rows; r++) {
        value v = *cell_of(m, t, r, column);
        most = v.kind == VALUE_INT && v.i > most ? v.i : most;
    }
    return most < INT64_MAX ? value_int(most + 1) : like;
}

// A value of the same column in another row, or in the parent.
static value another(variation *m, int32_t t, ptrdiff_t column, value old)
{
    const schema *s = m->rows.schema;
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        for (ptrdiff_t i = 0; i < key->n; i++) {
            bool fits = key->child == t && key->columns[i] == column
                        && key->parent >= 0 && key->targets[i] >= 0
                        && m->rows.tables[key->parent].n_rows > 0;
            if (fits) {
                ptrdiff_t row =
                    rng_below(m->random, m->rows.tables[key->parent].n_rows);
                return *cell_of(m, key->parent, row, key->targets[i]);
            }
        }
    }
    ptrdiff_t n = m->rows.tables[t].n_rows;
    return n > 0 ? *cell_of(m, t, rng_below(m->random, n), column) : old;
}

static void duplicate(variation *m, int32_t t, ptrdiff_t row)
{
    const schema_table *table = table_of(m, t);
    instance_table *rows = &m->rows.tables[t];
    ptrdiff_t width = table->n_columns;
    if (rows->n_rows >= MOST_ROWS) {
        return;
    }
    value *cells = arena_copy(m->a, rows->cells, rows->n_rows * width, width);
    for (ptrdiff_t c = 0; c < width; c++) {
        value old = rows->cells[row * width + c];
        bool must_differ = is_key(table, c);
        cells[rows->n_rows * width + c] = !must_differ ? old
                                          : is_child(m->rows.schema, t, c)
                                              ? another(m, t, c, old)
                                              : fresh(m, t, c, old);
    }
    *rows = (instance_table){cells, rows->n_rows + 1};
}

static void drop(variation *m, int32_t t, ptrdiff_t row)
{
    assert(row >= 0 && row < m->rows.tables[t].n_rows);
    instance_table *rows = &m->rows.tables[t];
    ptrdiff_t width = table_of(m, t)->n_columns;
    for (ptrdiff_t i = row * width; i < (rows->n_rows - 1) * width; i++) {
        rows->cells[i] = rows->cells[i + width];
    }
    rows->n_rows--;
}

static value moved(variation *m, value v)
{
    int64_t step = rng_below(m->random, 2) == 0 ? 1 : -1;
    return v.kind == VALUE_REAL ? value_real(v.real + (double)step * 0.001)
           : v.kind == VALUE_INT && v.i > INT64_MIN && v.i < INT64_MAX
               ? value_int(v.i + step)
               : v;
}

// Does a literal of this sort belong into the column?
static bool suits(const schema_column *c, value v)
{
    bool is_text = c->kind == KIND_TEXT || c->kind == KIND_ANY;
    return value_is_null(v) || (v.kind == VALUE_TEXT) == is_text;
}

static void change_cell(variation *m, int32_t t, ptrdiff_t row)
{
    const schema_table *table = table_of(m, t);
    ptrdiff_t column = rng_below(m->random, table->n_columns);
    value *cell = cell_of(m, t, row, column);
    const vary_values *values = m->values;
    switch (rng_below(m->random, 5)) {
    case 0:
    case 1: *cell = another(m, t, column, *cell); break;
    case 2: *cell = moved(m, *cell); break;
    case 3:
        if (!schema_never_null(table, (int32_t)column)
            && !table->columns[column].is_not_null) {
            *cell = value_null();
        }
        break;
    default:
        if (values->len > 0) {
            value v = values->ptr[rng_below(m->random, values->len)];
            *cell = suits(&table->columns[column], v) ? v : *cell;
        }
    }
}

// A table that has rows; -1: there is none.
static int32_t choose_table(variation *m)
{
    ptrdiff_t n = m->rows.schema->n_tables;
    ptrdiff_t start = rng_below(m->random, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        int32_t t = (int32_t)((start + i) % n);
        if (m->rows.tables[t].n_rows > 0) {
            return t;
        }
    }
    return -1;
}

static void step(variation *m)
{
    int32_t t = choose_table(m);
    if (t < 0) {
        return;
    }
    ptrdiff_t row = rng_below(m->random, m->rows.tables[t].n_rows);
    switch (rng_below(m->random, 8)) {
    case 0:
    case 1: duplicate(m, t, row); break;
    case 2: drop(m, t, row); break;
    case 3:
        for (ptrdiff_t n = 1 + rng_below(m->random, MOST_COPIES); n > 0; n--) {
            duplicate(m, t, row);
        }
        break;
    default: change_cell(m, t, row); break;
    }
}

instance vary(const instance *from,
              const vary_values *values,
              rng *random,
              arena *a)
{
    variation m = {instance_copy(a, from), values, random, a};
    for (ptrdiff_t n = 1 + rng_below(random, MOST_STEPS);
         from->schema->n_tables > 0 && n > 0; n--) {
        step(&m);
    }
    return m.rows;
}
