/*
 * csv_scan.c - rows and cells of CSV, one pass.
 *
 * Method      A row ends at LF, CRLF, a last CR, or the end of the text; a lone
 *             CR inside of a line belongs to its cell. A cell that begins with
 *             a quote runs to the first quote that is not doubled, and from
 *             there, as the tolerant readers do, to the next delimiter: what
 *             stands in between is kept and the cell is marked odd. Cells are
 *             slices of the text; only a cell with a quote to drop is copied,
 *             by csv_cell_text.
 *
 * Invariants  (1) *at only grows, and after CSV_ROW it is past at least one
 *                 byte: a caller's loop ends.
 *             (2) row->n counts all cells; only the first CSV_MOST_CELLS are
 *                 kept, so that one line of commas cannot take all memory.
 *
 * Cost        linear in the bytes of the row; memchr runs over quoted text.
 */
#include "read/csv_scan.h"

#include "base/buf.h"

#include <assert.h>

// The bytes of the line break at text[i], or of the end of the text; -1: the
// row goes on.
static int break_at(str text, ptrdiff_t i)
{
    bool is_return = i < text.len && text.ptr[i] == '\r';
    ptrdiff_t end = i + is_return;
    return end >= text.len         ? is_return
           : text.ptr[end] == '\n' ? is_return + 1
                                   : -1;
}

static ptrdiff_t plain_end(str text, ptrdiff_t i, char delimiter)
{
    while (break_at(text, i) < 0 && text.ptr[i] != delimiter) {
        i++;
    }
    return i;
}

// The cell that begins at text[from]; *end is past it. False when its quote
// is never closed.
static bool scan_cell(str text,
                      ptrdiff_t from,
                      char delimiter,
                      csv_cell *cell,
                      ptrdiff_t *end)
{
    *cell = (csv_cell){.is_quoted = from < text.len && text.ptr[from] == '"'};
    ptrdiff_t begin = cell->is_quoted ? from + 1 : from;
    ptrdiff_t close =
        cell->is_quoted ? str_find_close(text, '"', begin) : begin;
    if (close < 0) {
        return false;
    }
    *end = plain_end(text, close + cell->is_quoted, delimiter);
    cell->is_odd = cell->is_quoted && *end > close + 1;
    cell->raw = str_sub(text, begin, *end);
    return true;
}

csv_status csv_scan_row(str text,
                        ptrdiff_t *at,
                        char delimiter,
                        arena *a,
                        csv_row *row)
{
    *row = (csv_row){.ptr = row->ptr, .cap = row->cap, .from = *at};
    if (*at >= text.len) {
        return CSV_END;
    }
    ptrdiff_t from = *at;
    assert(from >= 0);
    for (;;) {
        csv_cell cell;
        ptrdiff_t end = 0;
        if (!scan_cell(text, from, delimiter, &cell, &end)) {
            *at = from;
            return CSV_UNCLOSED;
        }
        if (row->n++ < CSV_MOST_CELLS) {
            *vec_push(a, row) = cell;
        }
        assert(end >= from && end <= text.len);
        int size = break_at(text, end);
        if (size >= 0) {
            *at = end + size;
            assert(*at > from || *at == text.len);  // invariant 1
            return CSV_ROW;
        }
        assert(text.ptr[end] == delimiter);
        from = end + 1;
    }
}

bool csv_row_is_blank(const csv_row *row)
{
    bool is_blank = true;
    for (ptrdiff_t i = 0; i < row->len; i++) {
        is_blank &=
            !row->ptr[i].is_quoted && str_trim(row->ptr[i].raw).len == 0;
    }
    return is_blank;
}

str csv_cell_text(arena *a, csv_cell cell)
{
    str raw = cell.raw;
    if (!cell.is_quoted) {
        return raw;
    }

    ptrdiff_t close = str_find_close(raw, '"', 0);
    str inside = buf_replaced(a, str_sub(raw, 0, close), S("\"\""), S("\""));
    if (close + 1 == raw.len) {
        return inside;
    }
    buf out = buf_new(a);
    buf_add(&out, inside);
    buf_add(&out, str_skip(raw, close + 1));
    return buf_str(&out);
}
