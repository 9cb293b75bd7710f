/*
 * object_file.c - a text is a table unless it begins as JSON does. What parts
 * its cells is the first of comma, semicolon and tab under which the first row
 * has the names that are asked for. Each row becomes an object in the line that
 * it has in the table. The text is read once, and kept once more as JSON.
 */
#include "read/object_file.h"

#include "base/json_write.h"
#include "base/words.h"
#include "read/csv_scan.h"
#include "read/encoding.h"

const char pair_lefts[] = "left q1 gold query1 sql1";
const char pair_rights[] = "right q2 pred query2 sql2";

static bool has_pairs(const str *names, ptrdiff_t n)
{
    bool has_left = false;
    bool has_right = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        has_left |= str_among(names[i], pair_lefts);
        has_right |= str_among(names[i], pair_rights);
    }
    return has_left && has_right;
}

const object_table pair_table = {
    has_pairs,
    "pairs are objects of JSON, or a table with the columns left and right (or "
    "q1 and q2, gold and pred)",
    .is_strict = true,
};

// A table that is read.
typedef struct table_reader {
    const object_table *how;
    str path;
    str text;
    ptrdiff_t at;
    char separator;
    str *names;
    ptrdiff_t n_names;
    ptrdiff_t n_before;  // blank rows, before the names
    diag *d;
} table_reader;

static bool refuse(const table_reader *t, const char *why)
{
    return diag_add(t->d, (diag_place){.file = t->path, .line = 1}, "%s", why);
}

static bool read_names(table_reader *t, arena *scratch)
{
    bool is_found = false;
    for (const char *mark = ",;\t"; *mark && !is_found; mark++) {
        csv_row row = {0};
        t->at = 0;
        t->separator = *mark;
        t->n_before = -1;
        do {
            t->n_before++;
        } while (csv_scan_row(t->text, &t->at, *mark, scratch, &row) == CSV_ROW
                 && csv_row_is_blank(&row));
        t->names = arena_new(scratch, str, row.len);
        t->n_names = row.len;
        for (ptrdiff_t i = 0; i < row.len; i++) {
            str name = str_trim(csv_cell_text(scratch, row.ptr[i]));
            t->names[i] = t->how->is_strict ? arena_lower(scratch, name) : name;
        }
        is_found = t->how->has_names(t->names, t->n_names);
    }
    for (ptrdiff_t i = 0; i < t->n_names && t->how->is_strict; i++) {
        if (is_found && t->names[i].len > 0
            && words_in(t->names, i, t->names[i]) >= 0) {
            return refuse(
                t, arena_cstr(scratch, arena_printf(scratch,
                                                    "two columns are called "
                                                    "%.*s",
                                                    STR_ARG(t->names[i]))));
        }
    }
    return is_found || refuse(t, t->how->expected);
}

static void add_row(buf *lines,
                    const table_reader *t,
                    const csv_row *row,
                    arena scratch)
{
    json_write(lines, json_begin('{'));
    for (ptrdiff_t i = 0; i < row->len && i < t->n_names; i++) {
        str cell = csv_cell_text(&scratch, row->ptr[i]);
        json_write(lines, member_if(cell.len > 0 || !t->how->is_strict,
                                    member_text(t->names[i], cell)));
    }
    buf_char(lines, '}');
}

// Each row in its line, so that messages can name it.
static bool add_rows(buf *lines, table_reader *t, arena scratch)
{
    csv_row row = {0};
    csv_status status;
    ptrdiff_t from = t->at;
    for (ptrdiff_t i = 0; i < t->n_before; i++) {
        buf_char(lines, '\n');
    }
    while (
        (status = csv_scan_row(t->text, &t->at, t->separator, &scratch, &row))
        == CSV_ROW) {
        bool is_blank = csv_row_is_blank(&row);
        if (t->how->is_strict && !is_blank && row.n != t->n_names) {
            return diag_add(t->d, diag_locate(t->path, t->text, from),
                            "this row has %td cell%s, the first row of the "
                            "file has %td",
                            row.n, plural(row.n), t->n_names);
        }
        from = t->at;
        buf_char(lines, '\n');
        if (!is_blank) {
            add_row(lines, t, &row, scratch);
        }
    }
    return status == CSV_END
           || diag_add(t->d, diag_locate(t->path, t->text, t->at),
                       "a quote is never closed");
}

bool object_file_text(str *text,
                      arena *a,
                      str bytes,
                      str path,
                      str encoding,
                      const object_table *table,
                      diag *d,
                      arena scratch)
{
    ptrdiff_t n_replaced = 0;
    if (!encoding_read(text, &n_replaced, a, bytes, path, encoding, d)) {
        return false;
    }
    *text = str_skip(*text, str_starts(*text, S("\xEF\xBB\xBF")) ? 3 : 0);
    str first = str_sub(str_trim(*text), 0, 1);
    if (first.len == 0 || str_find(S("{["), first, 0) >= 0) {
        return true;
    }
    table_reader t = {.how = table, .path = path, .text = *text, .d = d};
    buf lines = buf_new(a);
    bool ok = read_names(&t, &scratch) && add_rows(&lines, &t, scratch);
    *text = buf_str(&lines);
    return ok;
}
