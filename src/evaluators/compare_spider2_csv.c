/*
 * compare_spider2_csv.c - see compare_spider2_csv.h.
 *
 * Method      The file is never written. A cell that is no text reads back as
 *             what it was, a text as what it spells; one look at all cells
 *             tells the kind of the column, a second one makes its cells.
 *
 * Cost        Linear. Sorting, where it cannot be avoided, prints every number.
 */
#include "evaluators/compare_spider2_csv.h"

#include "base/order.h"
#include "table/value_python.h"

#include <math.h>
#include <stdlib.h>

// What the text of one cell reads back as.
typedef enum cell_kind {
    CELL_MISSING,
    CELL_INT,
    CELL_FLOAT,
    CELL_BOOL,
    CELL_TEXT,
} cell_kind;

enum {
    MAX_NUMBER_TEXT =
        100  // longer ones stay texts; str_to_double's limit is near
};

// The texts that pandas reads as missing.
static bool is_missing_text(str s)
{
    // One of them has a blank in it.
    return s.len == 0 || str_equal(s, S("#N/A N/A"))
           || str_among(s, "#N/A #NA -1.#IND -1.#QNAN -NaN -nan 1.#IND NA "
                           "1.#QNAN <NA> N/A NULL NaN nan None n/a null");
}

static bool is_bool_text(str s, bool *out)
{
    *out = str_among(s, "True TRUE true");
    return *out || str_among(s, "False FALSE false");
}

static ptrdiff_t count_digits(str s)
{
    ptrdiff_t n = 0;
    while (n < s.len && is_digit(s.ptr[n])) {
        n++;
    }
    return n;
}

static str skip_sign(str s)
{
    bool has_sign = s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+');
    return str_skip(s, has_sign);
}

static bool is_infinity(str s)
{
    return str_among_fold(s, "inf infinity");
}

// number -> [sign] ( inf | digits [. digits] | . digits ) [e [sign] digits]
static cell_kind kind_of_number_text(str s)
{
    bool is_short = s.len <= MAX_NUMBER_TEXT;
    s = skip_sign(str_trim(s));
    if (s.len == 0 || !is_short) {
        return CELL_TEXT;
    }
    if (count_digits(s) == s.len) {
        return CELL_INT;
    }
    bool begins = is_digit(s.ptr[0]) || s.ptr[0] == '.' || is_infinity(s);
    bool is_hex = str_find_fold(s, S("x"), 0) >= 0;
    return begins && !is_hex && str_to_double(s, NULL) ? CELL_FLOAT : CELL_TEXT;
}

static cell_kind kind_of_text(str s)
{
    bool b = false;
    if (is_missing_text(s)) {
        return CELL_MISSING;
    }
    return is_bool_text(s, &b) ? CELL_BOOL : kind_of_number_text(s);
}

static cell_kind kind_of_cell(value v)
{
    switch ((value_kind)v.kind) {
    case VALUE_NULL: return CELL_MISSING;
    case VALUE_INT: return CELL_INT;
    case VALUE_REAL: return isnan(v.real) ? CELL_MISSING : CELL_FLOAT;
    case VALUE_BOOL: return CELL_BOOL;
    case VALUE_TEXT:
    case VALUE_DECIMAL:
    case VALUE_OTHER: return kind_of_text(value_bytes(v));
    case VALUE_BLOB:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT: break;
    }
    return CELL_TEXT;
}

static double number_of(value v)
{
    if (!value_has_bytes(v)) {
        return value_to_double(v);
    }
    double d = 0;
    str s = str_trim(value_bytes(v));
    s = str_skip(s, s.len > 0 && s.ptr[0] == '+');
    return str_to_double(s, &d) ? d : 0;
}

static csv_kind kind_of_column(const table *t, ptrdiff_t column)
{
    bool seen[CELL_TEXT + 1] = {false};
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        seen[kind_of_cell(table_at(t, r, column))] = true;
    }
    bool has_number = seen[CELL_INT] || seen[CELL_FLOAT];
    if (seen[CELL_TEXT] || (seen[CELL_BOOL] && has_number)) {
        return CSV_TEXT;
    }
    if (seen[CELL_BOOL]) {
        return CSV_BOOL;
    }
    return seen[CELL_INT] && !seen[CELL_FLOAT] && !seen[CELL_MISSING]
               ? CSV_INT
               : CSV_FLOAT;
}

static value int_of(value v)
{
    int64_t i = 0;
    if (v.kind == VALUE_INT) {
        return v;
    }
    str s = str_trim(value_bytes(v));
    s = str_skip(s, s.len > 0 && s.ptr[0] == '+');
    return str_to_int(s, &i) ? value_int(i) : value_real(number_of(v));
}

static value bool_of(value v)
{
    bool b = v.i != 0;
    if (v.kind != VALUE_BOOL) {
        is_bool_text(value_bytes(v), &b);
    }
    return (value){.i = b, .kind = VALUE_BOOL};
}

static value text_of(value v, arena *a)
{
    if (v.kind == VALUE_TEXT) {
        return v;
    }
    buf b = buf_new(a);
    value_add_python(&b, v);
    return value_text(buf_str(&b));
}

static value cell_of(csv_kind kind, value v, arena *a)
{
    if (kind_of_cell(v) == CELL_MISSING) {
        return value_int(0);
    }
    switch (kind) {
    case CSV_INT: return int_of(v);
    case CSV_FLOAT: return value_real(number_of(v));
    case CSV_BOOL: return bool_of(v);
    case CSV_TEXT: break;
    }
    return text_of(v, a);
}

static void note_cell(csv_column *c, value v)
{
    hash128 key = value_python_key(v);
    c->bag = key_bag_add(c->bag, key);
    c->list = key_append(c->list, key);
    if (v.kind != VALUE_TEXT) {
        double d = value_to_double(v);
        c->least = fmin(c->least, d);
        c->most = fmax(c->most, d);
    }
}

static csv_column column_of(arena *a, const table *t, ptrdiff_t column)
{
    csv_column c = {.kind = kind_of_column(t, column), .n = t->n_rows};
    c.cells = arena_new(a, value, t->n_rows);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        c.cells[r] = cell_of(c.kind, table_at(t, r, column), a);
    }
    return c;
}

// A table of numbers with one floating column is one block of floats.
static bool is_block_of_floats(const csv_table *t)
{
    bool has_float = false;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        csv_kind kind = t->columns[c].kind;
        if (kind == CSV_TEXT || kind == CSV_BOOL) {
            return false;
        }
        has_float = has_float || kind == CSV_FLOAT;
    }
    return has_float;
}

static void ints_to_floats(csv_column *c)
{
    if (c->kind == CSV_INT) {
        c->kind = CSV_FLOAT;
        for (ptrdiff_t r = 0; r < c->n; r++) {
            c->cells[r] = value_real(value_to_double(c->cells[r]));
        }
    }
}

csv_table csv_from_table(arena *a,
                         const table *t,
                         const int32_t *which,
                         ptrdiff_t n)
{
    csv_table out = {arena_new(a, csv_column, n), n};
    for (ptrdiff_t c = 0; c < n; c++) {
        out.columns[c] = column_of(a, t, which ? which[c] : c);
    }
    bool is_block = is_block_of_floats(&out);
    for (ptrdiff_t c = 0; c < n; c++) {
        csv_column *column = &out.columns[c];
        if (is_block) {
            ints_to_floats(column);
        }
        column->least = INFINITY;
        column->most = -INFINITY;
        for (ptrdiff_t r = 0; r < column->n; r++) {
            note_cell(column, column->cells[r]);
        }
    }
    return out;
}

typedef struct sort_item {
    str text;
    value cell;
} sort_item;

ORDER(compare_items,
      sort_item,
      ORDER_TEXT(text),
      ORDER_OF(a->cell.kind != VALUE_TEXT, b->cell.kind != VALUE_TEXT))

void csv_sort(csv_column *c, arena scratch)
{
    if (c->is_sorted) {
        return;
    }
    sort_item *items = arena_new(&scratch, sort_item, c->n);
    for (ptrdiff_t r = 0; r < c->n; r++) {
        value text = text_of(c->cells[r], &scratch);
        items[r] = (sort_item){value_bytes(text), c->cells[r]};
    }
    qsort(items, (size_t)c->n, sizeof *items, compare_items);
    for (ptrdiff_t r = 0; r < c->n; r++) {
        c->cells[r] = items[r].cell;
    }
    c->is_sorted = true;
}
