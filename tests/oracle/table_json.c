/*
 * table_json.c - a table read from JSON; the form is in table_json.h.
 *
 * Method      A cell's JSON type is its kind; kinds that JSON lacks are objects
 *             with one member (date, ts, blob).
 *
 * Cost        Linear in the text.
 */
#include "oracle/table_json.h"

// {"date": …}, {"ts": …} or {"blob": …}
static bool read_object(value *out, arena *a, const json *j)
{
    const json *m = j->child;
    if (j->n != 1 || m->kind != JSON_KIND_STRING) {
        return false;
    }
    if (str_equal(m->key, S("blob"))) {
        return value_read_blob(a, m->text, out);
    }
    if (!value_read_time(m->text, out)) {
        return false;
    }
    return out->kind == VALUE_DATE ? str_equal(m->key, S("date"))
                                   : str_equal(m->key, S("ts"));
}

static bool read_cell(value *out, arena *a, const json *j)
{
    switch (j->kind) {
    case JSON_KIND_NULL: *out = value_null(); return true;
    case JSON_KIND_FALSE:
    case JSON_KIND_TRUE:
        *out = (value){.i = j->kind == JSON_KIND_TRUE, .kind = VALUE_BOOL};
        return true;
    case JSON_KIND_INT: *out = value_int(j->i); return true;
    case JSON_KIND_REAL: *out = value_real(j->real); return true;
    case JSON_KIND_STRING:
        *out = value_text(arena_str(a, j->text));
        return true;
    case JSON_KIND_OBJECT: return read_object(out, a, j);
    case JSON_KIND_ARRAY: break;
    }
    return false;
}

static bool read_names(table *out, arena *a, const json *columns, diag *d)
{
    str *names = arena_new(a, str, columns->n);
    for (const json *j = columns->child; j; j = j->next) {
        if (j->kind != JSON_KIND_STRING) {
            return diag_add(d, (diag_place){0},
                            "the name of column %td of a table is not a text",
                            out->n_columns + 1);
        }
        names[out->n_columns++] = arena_str(a, j->text);
    }
    out->names = names;
    return true;
}

static bool read_row(value *cells,
                     const table *t,
                     arena *a,
                     const json *row,
                     diag *d)
{
    if (row->kind != JSON_KIND_ARRAY || row->n != t->n_columns) {
        return diag_add(d, (diag_place){0},
                        "row %td of a table is not a list of %td values",
                        t->n_rows + 1, t->n_columns);
    }
    ptrdiff_t c = 0;
    for (const json *j = row->child; j; j = j->next, c++) {
        if (!read_cell(&cells[c], a, j)) {
            return diag_add(d, (diag_place){0},
                            "row %td, column %td of a table is not a value",
                            t->n_rows + 1, c + 1);
        }
    }
    return true;
}

bool table_from_json(table *out, arena *a, const json *j, diag *d)
{
    *out = (table){0};
    const json *columns = json_get(j, S("columns"));
    const json *rows = json_get(j, S("rows"));
    if (!columns || columns->kind != JSON_KIND_ARRAY || !rows
        || rows->kind != JSON_KIND_ARRAY) {
        return diag_add(d, (diag_place){0},
                        "a table is written {\"columns\": […], \"rows\": […]}");
    }
    if (!read_names(out, a, columns, d)) {
        return false;
    }
    if (out->n_columns == 0 && rows->n > 0) {
        return diag_add(d, (diag_place){0},
                        "a table without columns has no rows");
    }
    value *cells = arena_new(a, value, rows->n * out->n_columns);
    out->cells = cells;
    for (const json *row = rows->child; row; row = row->next) {
        if (!read_row(cells + out->n_rows * out->n_columns, out, a, row, d)) {
            return false;
        }
        out->n_rows++;
    }
    return true;
}
