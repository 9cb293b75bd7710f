// table_text.c - see table_text.h.
#include "table_text.h"

#include <math.h>

static bool read_hex(arena *a, str hex, str *out)
{
    if (hex.len % 2 != 0) {
        return false;
    }
    char *bytes = arena_new(a, char, hex.len / 2 + 1);
    for (ptrdiff_t i = 0; i < hex.len; i += 2) {
        int high = hex_digit(hex.ptr[i]);
        int low = hex_digit(hex.ptr[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes[i / 2] = (char)(high * 16 + low);
    }
    *out = (str){bytes, hex.len / 2};
    return true;
}

static str unquote(arena *a, str inside)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < inside.len; i++) {
        buf_char(&b, inside.ptr[i]);
        i += inside.ptr[i] == '\'';  // of '' the first
    }
    return buf_str(&b);
}

// 'text', x'..', t'..' and o'..'; false when the cell is none of these.
static bool read_quoted(value *out, arena *a, str cell)
{
    char mark = cell.len > 0 && cell.ptr[0] != '\'' ? cell.ptr[0] : '\0';
    str quoted = mark ? str_skip(cell, 1) : cell;
    if (quoted.len < 2 || quoted.ptr[0] != '\'' || !str_ends(quoted, S("'"))) {
        return false;
    }
    str inside = str_sub(quoted, 1, quoted.len - 1);
    str bytes = {0};
    switch (mark) {
    case '\0': *out = value_text(unquote(a, inside)); return true;
    case 'o':
        *out = value_text(unquote(a, inside));
        out->kind = VALUE_OTHER;
        return true;
    case 'x':
    case 't':
        *out = value_text((str){0});
        if (!read_hex(a, inside, &bytes)) {
            return false;
        }
        *out = mark == 'x' ? value_blob(bytes) : value_text(bytes);
        return true;
    default: return false;
    }
}

static bool read_number(value *out, str cell)
{
    int64_t i = 0;
    double d = 0;
    if (str_to_int(cell, &i)) {
        *out = value_int(i);
        return true;
    }
    if (str_equal(cell, S("inf")) || str_equal(cell, S("-inf"))) {
        *out = value_real(cell.len == 3 ? INFINITY : -INFINITY);
        return true;
    }
    if (str_equal(cell, S("nan"))) {
        *out = value_real(NAN);
        return true;
    }
    char first = cell.len > 0 ? cell.ptr[cell.ptr[0] == '-'] : '\0';
    bool is_number = is_digit(first) && str_to_double(cell, &d);
    if (is_number) {
        *out = value_real(d);
        return true;
    }
    str digits = str_sub(cell, 0, cell.len - 1);
    if (is_digit(first) && str_ends(cell, S("f"))
        && str_to_double(digits, &d)) {
        *out = value_single(d);
        return true;
    }
    if (is_digit(first) && str_ends(cell, S("m"))
        && str_to_double(digits, &d)) {
        *out = value_text(digits);
        out->kind = VALUE_DECIMAL;
        return true;
    }
    return false;
}

static value read_cell(arena *a, str cell)
{
    value v = value_text(cell);
    if (str_equal(cell, S("NULL")) || str_equal(cell, S("∅"))) {
        return value_null();
    }
    if (str_equal(cell, S("true")) || str_equal(cell, S("false"))) {
        return (value){.i = cell.len == 4, .kind = VALUE_BOOL};
    }
    if (!read_quoted(&v, a, cell) && !value_read_time(cell, &v)) {
        read_number(&v, cell);
    }
    return v;
}

// Cuts the next cell off the front of *line; a bar inside quotes is text.
static str cut_cell(str *line)
{
    bool in_quotes = false;
    ptrdiff_t i = 0;
    while (i < line->len && (in_quotes || line->ptr[i] != '|')) {
        in_quotes ^= line->ptr[i++] == '\'';
    }
    str cell = str_trim(str_sub(*line, 0, i));
    *line = str_skip(*line, i + 1);
    return cell;
}

static ptrdiff_t count_cells(str line)
{
    ptrdiff_t n = 0;
    do {
        n++;
        bool ends_in_bar = str_ends(line, S("|"));
        cut_cell(&line);
        if (line.len == 0 && ends_in_bar) {
            return n + 1;  // an empty cell after the last bar
        }
    } while (line.len > 0);
    return n;
}

bool table_from_text(table *out, arena *a, str text, diag *d)
{
    *out = (table){0};
    if (str_trim(text).len == 0) {
        return true;
    }
    str header = str_cut(&text, '\n');
    out->n_columns = count_cells(header);
    str *names = arena_new(a, str, out->n_columns);
    for (ptrdiff_t c = 0; c < out->n_columns; c++) {
        names[c] = cut_cell(&header);
    }
    ptrdiff_t max_rows = 1;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        max_rows += text.ptr[i] == '\n';
    }
    value *cells = arena_new(a, value, max_rows * out->n_columns);
    while (text.len > 0) {
        str line = str_cut(&text, '\n');
        if (count_cells(line) != out->n_columns) {
            return diag_add(d, (diag_place){0},
                            "row %td of a table has not %td cells",
                            out->n_rows + 1, out->n_columns);
        }
        for (ptrdiff_t c = 0; c < out->n_columns; c++) {
            cells[out->n_rows * out->n_columns + c] =
                read_cell(a, cut_cell(&line));
        }
        out->n_rows++;
    }
    out->names = names;
    out->cells = cells;
    return true;
}
