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

#include <assert.h>
#include <string.h>

// The offset of the quote that closes the cell whose text begins at `from`;
// -1 when there is none.
static ptrdiff_t closing_quote(str text, ptrdiff_t from)
{
    ptrdiff_t i = from;
    while (i < text.len) {
        const char *hit = memchr(text.ptr + i, '"', (size_t)(text.len - i));
        if (!hit) {
            return -1;
        }
        i = hit - text.ptr;
        if (i + 1 == text.len || text.ptr[i + 1] != '"') {
            return i;
        }
        i += 2;
    }
    return -1;
}

// Whether the row ends at i; *next is past the line break.
static bool ends_row(str text, ptrdiff_t i, ptrdiff_t *next)
{
    if (i >= text.len) {
        *next = text.len;
        return true;
    }
    if (text.ptr[i] == '\n') {
        *next = i + 1;
        return true;
    }
    bool is_crlf =
        text.ptr[i] == '\r' && i + 1 < text.len && text.ptr[i + 1] == '\n';
    bool is_last = text.ptr[i] == '\r' && i + 1 == text.len;
    *next = is_crlf || is_last ? i + 1 + is_crlf : i;
    return is_crlf || is_last;
}

static ptrdiff_t plain_end(str text, ptrdiff_t i, char delimiter)
{
    ptrdiff_t next = 0;
    while (!ends_row(text, i, &next) && text.ptr[i] != delimiter) {
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
    ptrdiff_t close = cell->is_quoted ? closing_quote(text, begin) : begin;
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
        if (ends_row(text, end, at)) {
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
    if (str_find(raw, S("\""), 0) == raw.len - 1) {
        return str_sub(raw, 0, raw.len - 1);
    }
    char *out = arena_new(a, char, raw.len);
    ptrdiff_t n = 0;
    bool is_inside = true;
    for (ptrdiff_t i = 0; i < raw.len; i++) {
        if (is_inside && raw.ptr[i] == '"') {
            is_inside = i + 1 < raw.len && raw.ptr[i + 1] == '"';
            i += is_inside ? 1 : 0;
            if (!is_inside) {
                continue;
            }
        }
        out[n++] = raw.ptr[i];
    }
    assert(n <= raw.len);
    return (str){out, n};
}
