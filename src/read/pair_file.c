/*
 * pair_file.c - a text is a table unless it begins as JSON does. What parts its
 * cells is the first of comma, semicolon and tab under which both queries of a
 * pair have a column in the first row; every row must then have as many cells
 * as that one. The text is read once, and kept once more as JSON.
 */
#include "read/pair_file.h"

#include "base/json_write.h"
#include "read/csv_scan.h"
#include "read/encoding.h"

const char pair_lefts[] = "left q1 gold query1 sql1";
const char pair_rights[] = "right q2 pred query2 sql2";

// A table with names in its first row becomes objects of JSON. False with a
// message.
static bool pairs_of_table(str *out,
                           str path,
                           str text,
                           arena *a,
                           diag *d,
                           arena scratch)
{
    csv_row names = {0};
    csv_row row = {0};
    str *keys = NULL;
    ptrdiff_t at = 0;
    bool has[2] = {false, false};
    const char *separator = ",;\t";
    for (; *separator && !(has[0] && has[1]); separator++) {
        at = 0;
        csv_scan_row(text, &at, *separator, &scratch, &names);
        keys = arena_new(&scratch, str, names.len);
        for (ptrdiff_t i = 0; i < names.len; i++) {
            str name = csv_cell_text(&scratch, names.ptr[i]);
            keys[i] = arena_lower(&scratch, str_trim(name));
            has[0] |= str_among(keys[i], pair_lefts);
            has[1] |= str_among(keys[i], pair_rights);
        }
    }
    if (!has[0] || !has[1]) {
        return diag_add(d, (diag_place){.file = path, .line = 1},
                        "pairs are objects of JSON, or a table with the "
                        "columns left and right (or q1 and q2, gold and pred)");
    }
    for (ptrdiff_t i = 0; i < names.len; i++) {
        for (ptrdiff_t k = 0; k < i; k++) {
            if (keys[i].len > 0 && str_equal(keys[i], keys[k])) {
                return diag_add(d, (diag_place){.file = path, .line = 1},
                                "two columns are called %.*s",
                                STR_ARG(keys[i]));
            }
        }
    }
    csv_status status;
    buf lines = buf_new(a);
    ptrdiff_t from = at;
    while ((status = csv_scan_row(text, &at, separator[-1], &scratch, &row))
           == CSV_ROW) {
        if (csv_row_is_blank(&row)) {
            from = at;
            continue;
        }
        if (row.n != names.n) {
            return diag_add(d, diag_locate(path, text, from),
                            "this row has %td cell%s, the first row of the "
                            "file has %td",
                            row.n, plural(row.n), names.n);
        }
        from = at;
        buf_char(&lines, '{');
        for (ptrdiff_t i = 0; i < row.len; i++) {
            json_write(&lines,
                       member_text_if_any(keys[i],
                                          csv_cell_text(&scratch, row.ptr[i])));
        }
        buf_add(&lines, S("}\n"));
    }
    *out = buf_str(&lines);
    return status == CSV_END
           || diag_add(d, diag_locate(path, text, at),
                       "a quote is never closed");
}

bool pair_file_text(str *text,
                    arena *a,
                    str bytes,
                    str path,
                    str encoding,
                    diag *d,
                    arena scratch)
{
    ptrdiff_t n_replaced = 0;
    if (!encoding_read(text, &n_replaced, a, bytes, path, encoding, d)) {
        return false;
    }
    *text = str_skip(*text, str_starts(*text, S("\xEF\xBB\xBF")) ? 3 : 0);
    str first = str_sub(str_trim(*text), 0, 1);
    return first.len == 0 || str_find(S("{["), first, 0) >= 0
           || pairs_of_table(text, path, *text, a, d, scratch);
}
