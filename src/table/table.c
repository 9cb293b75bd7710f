/*
 * table.c - access to a result table, copies of it, and rows as text.
 *
 * Method      Cells lie in one array, row by row. A copy needs two allocations:
 *             one for the cells and one for all bytes of all texts, since a
 *             million small texts would be slow to allocate one by one.
 *
 * Invariant   table_size counts the bytes of all texts, so the second block
 *             holds them.
 *
 * Cost        Linear in the cells and bytes.
 */
#include "table/table.h"

#include "base/utf8.h"

#include <assert.h>
#include <string.h>

enum {
    SHOW_TEXT = 40,  // characters of a text in a shown row
    SHOW_ROW = 160,  // bytes of a shown row, about
};

table table_project(arena *a,
                    const table *t,
                    const int32_t *places,
                    ptrdiff_t n)
{
    value *cells = arena_new(a, value, t->n_rows * n);
    str *names = arena_new(a, str, n);
    for (ptrdiff_t c = 0; c < n; c++) {
        ptrdiff_t from = places ? places[c] : c;
        names[c] = t->names[from];
        for (ptrdiff_t r = 0; r < t->n_rows; r++) {
            cells[r * n + c] = table_at(t, r, from);
        }
    }
    return (table){
        .n_rows = t->n_rows, .n_columns = n, .names = names, .cells = cells};
}

value table_at(const table *t, ptrdiff_t r, ptrdiff_t c)
{
    assert(r >= 0 && r < t->n_rows && c >= 0 && c < t->n_columns);
    return t->cells[r * t->n_columns + c];
}

static ptrdiff_t table_count_cells(const table *t)
{
    return t->n_rows * t->n_columns;
}

ptrdiff_t table_size(const table *t)
{
    assert(t->n_rows >= 0 && t->n_columns >= 0);
    ptrdiff_t size = 0;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        size += (ptrdiff_t)sizeof(str) + t->names[c].len;
    }
    ptrdiff_t n = table_count_cells(t);
    for (ptrdiff_t i = 0; i < n; i++) {
        size += (ptrdiff_t)sizeof(value) + value_bytes(t->cells[i]).len;
    }
    return size + 2 * (ptrdiff_t) _Alignof(value);
}

// Copies s to *to and moves *to past it.
static const char *copy_bytes(char **to, str s)
{
    if (s.len == 0) {
        return "";
    }
    char *start = memcpy(*to, s.ptr, (size_t)s.len);
    *to += s.len;
    return start;
}

table table_copy(arena *a, const table *t)
{
    assert(t->n_columns > 0 || t->n_rows == 0);
    ptrdiff_t n = table_count_cells(t);
    str *names = arena_new(a, str, t->n_columns);
    value *cells = arena_new(a, value, n);
    // One block for all bytes: a million small texts are one allocation.
    ptrdiff_t rest = table_size(t) - n * (ptrdiff_t)sizeof(value)
                     - t->n_columns * (ptrdiff_t)sizeof(str);
    char *const block = arena_new(a, char, rest);
    char *to = block;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        names[c].ptr = copy_bytes(&to, t->names[c]);
        names[c].len = t->names[c].len;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        cells[i] = t->cells[i];
        if (value_has_bytes(cells[i])) {
            cells[i].bytes = copy_bytes(&to, value_bytes(t->cells[i]));
        }
    }
    assert(to - block <= rest);
    table copy = *t;
    copy.names = names;
    copy.cells = cells;
    return copy;
}

static bool is_invalid_text(value v)
{
    return v.kind == VALUE_TEXT && !utf8_is_valid(value_bytes(v));
}

bool table_has_invalid_text(const table *t)
{
    return table_has(t, is_invalid_text);
}

static bool is_there(value v)
{
    return !value_is_null(v);
}

bool table_is_null(const table *t)
{
    return !table_has(t, is_there);
}

table table_change(arena *a,
                   const table *t,
                   value (*change)(value v, arena *a, const void *context),
                   const void *context)
{
    ptrdiff_t n = table_count_cells(t);
    value *cells = arena_new(a, value, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        cells[i] = change(t->cells[i], a, context);
    }
    table changed = *t;
    changed.cells = cells;
    return changed;
}

static value drop_invalid(value v, arena *a, const void *context)
{
    (void)context;
    return is_invalid_text(v) ? value_text(utf8_drop_invalid(a, value_bytes(v)))
                              : v;
}

table table_drop_invalid(arena *a, const table *t)
{
    return table_has_invalid_text(t) ? table_change(a, t, drop_invalid, NULL)
                                     : *t;
}

str table_show_row(arena *a, const table *t, ptrdiff_t r)
{
    assert(r >= 0 && r < t->n_rows);
    buf b = buf_new(a);
    buf_char(&b, '(');
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        if (c > 0) {
            buf_add(&b, S(", "));
        }
        if (b.len > SHOW_ROW) {
            buf_add(&b, S("..."));
            break;
        }
        value_show(&b, table_at(t, r, c), SHOW_TEXT);
    }
    buf_char(&b, ')');
    return buf_str(&b);
}

bool value_of_json(value *out, const json *j)
{
    switch (j->kind) {
    case JSON_KIND_NULL: *out = value_null(); return true;
    case JSON_KIND_INT: *out = value_int(j->i); return true;
    case JSON_KIND_REAL: *out = value_real(j->real); return true;
    case JSON_KIND_STRING: *out = value_text(j->text); return true;
    case JSON_KIND_FALSE:
    case JSON_KIND_TRUE:
        *out = (value){.i = j->kind == JSON_KIND_TRUE, .kind = VALUE_BOOL};
        return true;
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT: break;
    }
    return false;
}

static void add_cell(buf *out, value v, arena scratch)
{
    switch ((value_kind)v.kind) {
    case VALUE_NULL: buf_add(out, S("null")); break;
    case VALUE_INT: buf_int(out, v.i); break;
    case VALUE_REAL: json_add_double(out, v.real); break;
    case VALUE_TEXT: json_add_text(out, value_bytes(v)); break;
    case VALUE_BLOB:
    case VALUE_BOOL:
    case VALUE_DECIMAL:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT:
    case VALUE_OTHER: json_add_text(out, value_shown(&scratch, v, 0)); break;
    }
}

void table_add_json(buf *out, const table *t, arena scratch)
{
    table_add_rows(out, t, add_cell, scratch);
}

void table_add_rows(buf *out,
                    const table *t,
                    void (*add)(buf *out, value v, arena scratch),
                    arena scratch)
{
    buf_char(out, '[');
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        json_next(out);
        buf_char(out, '[');
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            json_next(out);
            add(out, table_at(t, r, c), scratch);
        }
        buf_char(out, ']');
    }
    buf_char(out, ']');
}
