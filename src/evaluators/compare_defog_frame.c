/*
 * compare_defog_frame.c - a result as the data frame that the reference makes
 * of it: named columns, each of a kind found from all its values.
 *
 * Why         The kind decides what equals what. An integer column with one
 *             NULL becomes floating and is compared with tolerance; a column
 *             of booleans with one NULL does not.
 *
 * Invariants  (1) The columns of a frame are never changed, only its list of
 *                 rows is: dropping repeated rows and sorting are cheap.
 *             (2) NaN is a missing value and stored as NULL.
 *
 * Cost        Linear. 32 bytes a cell.
 */
#include "base/map.h"
#include "evaluators/compare_defog.h"

#include <assert.h>
#include <math.h>

static bool is_missing(value v)
{
    return v.kind == VALUE_NULL || (v.kind == VALUE_REAL && isnan(v.real));
}

static uint32_t bit(value_kind k)
{
    return (uint32_t)1 << k;
}

bool frame_column_has(const frame_column *c, value_kind family)
{
    return (c->families & bit(family)) != 0;
}

static frame_kind kind_of_column(const table *t, ptrdiff_t column)
{
    uint32_t seen = 0;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        seen |= bit((value_kind)table_at(t, r, column).kind);
    }
    uint32_t present = seen & ~bit(VALUE_NULL);
    uint32_t numbers = bit(VALUE_INT) | bit(VALUE_REAL) | bit(VALUE_DECIMAL);
    uint32_t times = bit(VALUE_TIMESTAMP) | bit(VALUE_INSTANT);
    if (present == 0) {
        return FRAME_OBJECT;
    }
    if (seen == bit(VALUE_INT)) {
        return FRAME_INT;
    }
    if (seen == bit(VALUE_BOOL)) {
        return FRAME_BOOL;
    }
    if ((present & ~numbers) == 0) {
        return FRAME_FLOAT;
    }
    return (present & ~times) == 0 ? FRAME_TIME : FRAME_OBJECT;
}

// Integers beyond 2^53 and decimals may differ where their doubles do not.
static bool is_big(value v)
{
    const int64_t limit = (int64_t)1 << 53;
    return v.kind == VALUE_DECIMAL
           || (v.kind == VALUE_INT && (v.i > limit || v.i < -limit));
}

static void note_cell(frame_column *c, value v, hash128 key)
{
    c->bag = key_bag_add(c->bag, key);
    if (v.kind == VALUE_NULL) {
        c->n_missing++;
        return;
    }
    if (!value_is_number(v)) {
        c->families |= bit((value_kind)v.kind);
        return;
    }
    double d = value_to_double(v);
    bool is_first = (c->families & bit(VALUE_REAL)) == 0;
    c->families |= bit(VALUE_REAL);
    c->has_big = c->has_big || is_big(v);
    c->least = is_first || d < c->least ? d : c->least;
    c->most = is_first || d > c->most ? d : c->most;
}

// Arrays and JSON, of which we have the text only.
static bool is_nested(value v)
{
    return v.kind == VALUE_OTHER && v.len > 0
           && (v.bytes[0] == '{' || v.bytes[0] == '[');
}

static frame_column column_from_table(arena *a, const table *t, ptrdiff_t i)
{
    frame_column c = {.name = t->names[i], .kind = kind_of_column(t, i)};
    value *cells = arena_new(a, value, t->n_rows);
    hash128 *keys = arena_new(a, hash128, t->n_rows);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        const value *from = &t->cells[r * t->n_columns + i];
        cells[r] = *from;
        if (c.kind == FRAME_FLOAT && from->kind != VALUE_NULL) {
            cells[r] = value_real(value_to_double(*from));
            c.has_big = c.has_big || is_big(*from);
        }
        if (is_missing(cells[r])) {
            cells[r] = value_null();
        }
        c.has_nested = c.has_nested || is_nested(cells[r]);
        keys[r] = value_key(cells[r]);
        note_cell(&c, cells[r], keys[r]);
    }
    c.cells = cells;
    c.keys = keys;
    return c;
}

frame frame_from_table(arena *a, const table *t)
{
    frame_column *columns = arena_new(a, frame_column, t->n_columns);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        columns[c] = column_from_table(a, t, c);
    }
    int32_t *rows = arena_new(a, int32_t, t->n_rows);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        rows[r] = (int32_t)r;
    }
    return (frame){
        .source = t,
        .columns = columns,
        .n_columns = t->n_columns,
        .rows = rows,
        .n_rows = t->n_rows,
    };
}

value frame_at(const frame *f, ptrdiff_t row, ptrdiff_t column)
{
    assert(row >= 0 && row < f->n_rows && column >= 0 && column < f->n_columns);
    return f->columns[column].cells[f->rows[row]];
}

frame frame_take(arena *a, const frame *f, const int32_t *columns, ptrdiff_t n)
{
    frame taken = *f;
    taken.columns = arena_new(a, frame_column, n);
    taken.n_columns = n;
    for (ptrdiff_t c = 0; c < n; c++) {
        taken.columns[c] = f->columns[columns[c]];
    }
    return taken;
}

static hash128 row_key(const frame *f, ptrdiff_t row)
{
    hash128 key = {0};
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        key = key_append(key, f->columns[c].keys[f->rows[row]]);
    }
    return key;
}

hash128 frame_bag(const frame *f)
{
    hash128 bag = {0};
    for (ptrdiff_t r = 0; r < f->n_rows; r++) {
        bag = key_bag_add(bag, row_key(f, r));
    }
    return bag;
}

static const hash128 *row_keys(arena *a, const frame *f)
{
    hash128 *keys = arena_new(a, hash128, f->n_rows);
    for (ptrdiff_t r = 0; r < f->n_rows; r++) {
        keys[r] = row_key(f, r);
    }
    return keys;
}

ptrdiff_t frame_first_other(const frame *f, const frame *other, arena scratch)
{
    const hash128 *known = row_keys(&scratch, f);
    const hash128 *keys = row_keys(&scratch, other);
    return keys_first_other(keys, other->n_rows, known, f->n_rows, scratch);
}

bool frame_drop_repeated(frame *f, arena *a)
{
    bool has_nested = false;
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        has_nested = has_nested || f->columns[c].has_nested;
    }
    if (has_nested && f->n_columns > 1) {
        return false;
    }
    int32_t *rows = arena_new(a, int32_t, f->n_rows);
    arena scratch = *a;
    const hash128 *keys = row_keys(&scratch, f);
    f->n_rows = keys_distinct(keys, f->n_rows, rows, scratch);
    for (ptrdiff_t r = 0; r < f->n_rows; r++) {
        rows[r] = f->rows[rows[r]];
    }
    f->rows = rows;
    return true;
}

bool frame_names_repeat(const frame *f, arena scratch)
{
    map names = {0};
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        map_add(&names, &scratch, f->columns[c].name);
    }
    return map_count(&names) < f->n_columns;
}

bool frame_name_repeats(const frame *f, ptrdiff_t column)
{
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        if (c != column
            && str_equal(f->columns[c].name, f->columns[column].name)) {
            return true;
        }
    }
    return false;
}

frame frame_names_apart(arena *a, const frame *f)
{
    frame copy = *f;
    copy.columns = arena_copy(a, f->columns, f->n_columns, 0);
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        if (frame_name_repeats(f, c)) {
            str *name = &copy.columns[c].name;
            *name = arena_printf(a, "%.*s_%td", STR_ARG(*name), c);
        }
    }
    return copy;
}
