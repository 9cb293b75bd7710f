/*
 * read_statements.c - SQL in statements that a semicolon ends, over as many
 * lines as they like.
 *
 * Method      A semicolon outside of quotes and comments ends a statement; the
 *             last one needs none. What is blank or comment alone is nothing.
 *             Blank lines end no session here.
 */
#include "base/str.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "read/reader.h"

static const json *statements_value(const dataset *set, ptrdiff_t i, arena *a)
{
    return reader_text_value(str_trim(reader_slice(set, i)), (str){0}, a);
}

static bool statements_open(dataset *set, arena *a, diag *d, arena scratch)
{
    (void)d;
    reader_cursor cursor = reader_cursor_at_start(set);
    str text = set->text;
    ptrdiff_t end = cursor.offset;
    for (ptrdiff_t at = end; at < text.len; at = end + 1) {
        at = json_scan_space(text, at);
        end = extract_statement_end(text, at);
        str sql = str_sub(text, at, end);
        if (extract_skip(sql, 0) == sql.len) {
            continue;
        }
        arena temp = scratch;
        const json *value = reader_text_value(str_trim(sql), (str){0}, &temp);
        record r = reader_record(set, value, &temp);
        r.line = reader_line_at(&cursor, at);
        reader_add(set, a, &r, at, sql.len);
    }
    return true;
}

const reader reader_statements = {statements_open, statements_value};
