/*
 * write_csv.c - CSV with our own column names, and with Defog's.
 *
 * Method      A column is left out of all rows when no record can have a value
 *             for it. A cell is quoted when it holds a comma, a quote or a line
 *             break, or begins or ends with white space, which some readers
 *             would trim.
 */
#include "read/writer.h"

static bool needs_quotes(str cell)
{
    for (ptrdiff_t i = 0; i < cell.len; i++) {
        char c = cell.ptr[i];
        if (c == ',' || c == '"' || c == '\n' || c == '\r') {
            return true;
        }
    }
    return cell.len > 0
           && (is_space(cell.ptr[0]) || is_space(cell.ptr[cell.len - 1]));
}

static void add_cell(buf *out, str cell, arena *scratch)
{
    if (!needs_quotes(cell)) {
        buf_add(out, cell);
        return;
    }
    buf_char(out, '"');
    buf_add(out, buf_replaced(scratch, cell, S("\""), S("\"\"")));
    buf_char(out, '"');
}

// A row of names, or of what a record has under them.
static void add_row(writing *w, const record *r, buf *out)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < WRITER_PARTS; i++) {
        const char *name = writer_name(w, writer_parts[i]);
        if (name) {
            buf_add(out, n++ > 0 ? S(",") : S(""));
            add_cell(out,
                     r ? writer_part(w, r, writer_parts[i]) : str_from(name),
                     &w->scratch);
        }
    }
    buf_char(out, '\n');
}

static void csv_write(writing *w, const record *r, buf *out)
{
    if (w->n == 0) {
        add_row(w, NULL, out);
    }
    add_row(w, r, out);
}

const writer writer_csv = {"", csv_write, ""};
