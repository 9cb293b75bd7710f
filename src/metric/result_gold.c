/*
 * result_gold.c - see result_gold.h.
 *
 * Invariants  (1) A value and its text in a file are read as the same value:
 *                 a result is equal to itself written and read.
 *             (2) What a number's text says beyond the number is kept: 007 and
 *                 +7 stay texts.
 *
 * Cost        Linear in the cells.
 */
#include "metric/result_gold.h"

#include "read/csv_scan.h"

#include <math.h>

// A moment at midnight is a day, one with a zone the same in UTC.
static value plain_time(value v)
{
    const int64_t day = (int64_t)86400 * 1000000;
    bool is_moment = v.kind == VALUE_TIMESTAMP || v.kind == VALUE_INSTANT;
    if (is_moment && v.i % day == 0) {
        return (value){.i = v.i / day, .kind = VALUE_DATE};
    }
    v.kind = is_moment ? VALUE_TIMESTAMP : v.kind;
    return v;
}

// What a text in a file spells.
static value spelt(str s)
{
    value v = value_text(s);
    int64_t i = 0;
    double d = 0;
    bool is_whole = false;
    if (json_is_number(s, &is_whole)) {
        if (is_whole && str_to_int(s, &i)) {
            return value_int(i);
        }
        if (is_whole) {
            v.kind = VALUE_DECIMAL;
            return v;
        }
        return str_to_double(s, &d) && isfinite(d) ? value_real(d) : v;
    }
    bool is_true = str_among_fold(s, "true");
    if (is_true || str_among_fold(s, "false")) {
        return (value){.i = is_true, .kind = VALUE_BOOL};
    }
    return value_read_time(s, &v) ? plain_time(v) : value_text(s);
}

typedef struct file_form {
    bool has_types;
    bool is_alone;  // each value, in its row
} file_form;

// A value as it comes back from a file.
static value through_file(value v, arena *a, const void *context)
{
    (void)a;
    const file_form *f = context;
    value time;
    switch ((value_kind)v.kind) {
    case VALUE_TEXT:
        if (!f->has_types) {
            return f->is_alone && v.len == 0 ? value_null()
                                             : spelt(value_bytes(v));
        }
        return value_read_time(value_bytes(v), &time) ? plain_time(time) : v;
    case VALUE_OTHER: return spelt(value_bytes(v));
    case VALUE_BLOB: return value_text(value_bytes(v));
    case VALUE_NULL:
    case VALUE_INT:
    case VALUE_REAL:
    case VALUE_BOOL:
    case VALUE_DECIMAL: break;
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT: return plain_time(v);
    }
    return v;
}

static table table_through_file(arena *a, const table *t, bool has_types)
{
    const file_form f = {has_types, t->n_columns == 1};
    return table_change(a, t, through_file, &f);
}

typedef vec_of(value) cell_list;

// An empty cell is missing, one in quotes an empty text; alone in its row it
// needs the quotes, and is missing.
static value cell_of(csv_cell cell, ptrdiff_t n_columns, arena *a)
{
    str text = csv_cell_text(a, cell);
    bool is_text = cell.is_quoted && n_columns > 1;
    return text.len == 0 && !is_text ? value_null() : value_text(text);
}

static str broken_row(arena *a, ptrdiff_t row, ptrdiff_t n, ptrdiff_t wanted)
{
    return arena_printf(a, "row %td has %td cell%s, the row of names %td", row,
                        n, plural(n), wanted);
}

static void read_csv(result_gold *g, str text, arena *a)
{
    csv_row row = {0};
    ptrdiff_t at = str_starts(text, S("\xEF\xBB\xBF")) ? 3 : 0;
    if (csv_scan_row(text, &at, ',', a, &row) != CSV_ROW) {
        g->error = S("there is no row of names");
        return;
    }
    table t = {.n_columns = row.len};
    str *names = arena_new(a, str, row.len);
    for (ptrdiff_t i = 0; i < row.len; i++) {
        names[i] = csv_cell_text(a, row.ptr[i]);
    }
    cell_list cells = {0};
    csv_status status;
    bool has_blank = false;
    while ((status = csv_scan_row(text, &at, ',', a, &row)) == CSV_ROW) {
        if (csv_row_is_blank(&row)) {
            has_blank = true;
            continue;
        }
        if (has_blank && t.n_columns == 1) {
            g->doubt = S("an empty line between rows of one cell: nobody knows "
                         "whether it is a row");
        }
        t.n_rows++;
        if (row.n != t.n_columns && g->error.len == 0) {
            g->error = broken_row(a, t.n_rows, row.n, t.n_columns);
        }
        for (ptrdiff_t i = 0; i < t.n_columns && i < row.len; i++) {
            *vec_push(a, &cells) = cell_of(row.ptr[i], t.n_columns, a);
        }
    }
    if (status == CSV_UNCLOSED) {
        g->error = S("a quote is never closed");
    }
    t.names = names;
    t.cells = cells.ptr;
    g->written = t;
}

/* Rows of JSON. */

static value json_value(const json *e)
{
    value v = value_null();
    value_of_json(&v, e);
    return e->kind == JSON_KIND_REAL && e->text.len > 0 ? spelt(e->text) : v;
}

static const json *cell_at(const json *row, const str *names, ptrdiff_t i)
{
    return row->kind == JSON_KIND_OBJECT ? json_get(row, names[i])
                                         : json_at(row, i);
}

// The names of the columns: as given, or those of the first row.
static str *names_of(const json *given, const json *first, table *t, arena *a)
{
    const json *from = given ? given : first;
    t->n_columns = from ? from->n : 0;
    str *names = arena_new(a, str, t->n_columns);
    const json *m = from ? from->child : NULL;
    for (ptrdiff_t i = 0; m; m = m->next, i++) {
        names[i] = given                             ? m->text
                   : first->kind == JSON_KIND_OBJECT ? m->key
                                                     : (str){0};
    }
    return names;
}

static void read_rows(result_gold *g,
                      const json *given,
                      const json *rows,
                      arena *a)
{
    table t = {.n_rows = rows->n};
    str *names = names_of(given, rows->child, &t, a);
    value *cells = arena_new(a, value, t.n_rows * t.n_columns);
    ptrdiff_t r = 0;
    for (const json *row = rows->child; row; row = row->next, r++) {
        bool is_row =
            row->kind == JSON_KIND_ARRAY || row->kind == JSON_KIND_OBJECT;
        if (!is_row || row->n != t.n_columns) {
            g->error = is_row ? broken_row(a, r + 1, row->n, t.n_columns)
                              : S("rows must be lists or objects");
            return;
        }
        for (ptrdiff_t c = 0; c < t.n_columns; c++) {
            const json *m = cell_at(row, names, c);
            if (!m || m->child) {
                g->error = m ? arena_printf(
                               a, "row %td holds a list as a value", r + 1)
                             : arena_printf(a, "row %td has no '%.*s'", r + 1,
                                            STR_ARG(names[c]));
                return;
            }
            cells[r * t.n_columns + c] = json_value(m);
        }
    }
    t.names = names;
    t.cells = cells;
    g->has_no_names = !given && rows->n == 0;
    g->written = t;
}

static void read_inside(result_gold *g, const json *e, arena *a)
{
    const json *rows = json_get(e, S("rows"));
    const json *names = json_get(e, S("columns"));
    g->has_types = true;
    if (e->kind == JSON_KIND_ARRAY) {
        read_rows(g, NULL, e, a);
    } else if (rows && rows->kind == JSON_KIND_ARRAY) {
        read_rows(g, names && names->kind == JSON_KIND_ARRAY ? names : NULL,
                  rows, a);
    } else if (e->kind == JSON_KIND_OBJECT) {
        g->error = S("an object without rows");
    } else {
        value *cell = arena_new(a, value, 1);
        *cell = json_value(e);
        g->written = (table){.n_rows = 1,
                             .n_columns = 1,
                             .names = arena_new(a, str, 1),
                             .cells = cell};
    }
}

// Columns from the end become those from the start; one that is not there is
// left for the rules that compare all the same.
static void place_columns(result_gold *g, const record_result *r, arena *a)
{
    int32_t *which = arena_new(a, int32_t, r->n_which);
    int32_t n = (int32_t)g->written.n_columns;
    for (ptrdiff_t i = 0; i < r->n_which; i++) {
        which[i] = r->which[i] < 0 ? r->which[i] + n : r->which[i];
        if (which[i] < 0 || which[i] >= n) {
            g->doubt =
                arena_printf(a,
                             "condition_cols names column %d; the result "
                             "has %d",
                             (int)r->which[i], (int)n);
        }
    }
    g->which = which;
    g->n_which = r->n_which;
}

result_gold result_gold_read(arena *a, const record_result *r)
{
    result_gold g = {.error = r->error};
    if (g.error.len == 0 && r->inside) {
        read_inside(&g, r->inside, a);
    } else if (g.error.len == 0 && r->rows) {
        g.written = *r->rows;
        g.has_types = true;
    } else if (g.error.len == 0) {
        read_csv(&g, r->csv, a);
    }
    if (g.error.len > 0) {
        str name = r->name.len > 0 ? r->name : S("gold_result");
        g.error = str_starts(g.error, name)
                      ? g.error
                      : arena_printf(a, "%.*s: %.*s", STR_ARG(name),
                                     STR_ARG(g.error));
        return g;
    }
    place_columns(&g, r, a);
    g.read = table_through_file(a, &g.written, g.has_types);
    return g;
}

table result_gold_rows(arena *a, const result_gold *g, const table *rows)
{
    table out = table_through_file(a, rows, g->has_types);
    if (g->has_no_names && out.n_rows == 0) {
        out.n_columns = 0;
    }
    return out;
}
