/*
 * csv_table.c - see csv_table.h.
 *
 * Method      The first row is cut by each separator in turn, and the names it
 *             gives are scored. Its end is looked for in HEADER_BYTES only, for
 *             under a wrong separator a quote may never close.
 */
#include "read/csv_table.h"

#include "base/words.h"
#include "read/literal.h"
#include "read/member_value.h"

enum {
    HEADER_BYTES = 1 << 20,  // no row of names is longer
};

// The separator that a first line `sep=;` names, and the offset of what follows
// it; 0: there is no such line.
static char named_separator(str text, ptrdiff_t *start)
{
    str line = str_sub(text, 0, 9);
    line = str_strip(str_cut(&line, '\n'), "\"", "\"\r");
    bool is_separator = str_starts_fold(line, S("sep=")) && line.len <= 5;
    char c = line.len > 4 ? line.ptr[4] : '\t';
    ptrdiff_t end = str_find(text, S("\n"), 0);
    *start = is_separator && end >= 0 ? end + 1 : 0;
    return *start > 0 ? c : '\0';
}

// The line under the names of a Markdown table, |---|:-:|.
static bool is_rule(const csv_row *row)
{
    bool is_rule = row->n > 1;
    bool has_dash = false;
    for (ptrdiff_t i = 0; i < row->len && is_rule; i++) {
        str cell = row->ptr[i].raw;
        has_dash |= str_find(cell, S("-"), 0) >= 0;
        is_rule = str_strip(cell, "-: \t\v\f\r", "").len == 0;
    }
    return is_rule && has_dash;
}

csv_status csv_table_next(const csv_table *t,
                          ptrdiff_t *at,
                          csv_row *row,
                          diag *d,
                          arena *a)
{
    csv_status status;
    do {
        status = csv_scan_row(t->text, at, t->delimiter, a, row);
    } while (status == CSV_ROW
             && ((row->n == 1 && csv_row_is_blank(row))
                 || (t->delimiter == '|' && is_rule(row))));
    if (status == CSV_UNCLOSED && d) {
        diag_add(d, diag_locate(t->path, t->text, *at),
                 "this quote is never closed; a quote inside a cell is written "
                 "twice");
    }
    return status;
}

static bool is_tab(char c)
{
    return c == '\t';
}

bool csv_table_find(csv_table *best,
                    str path,
                    str text,
                    ptrdiff_t from,
                    csv_score *score,
                    const void *with,
                    arena *a)
{
    static const char delimiters[] = {',', '\t', ';', '|'};
    ptrdiff_t start = 0;
    ptrdiff_t most = 0;
    char said = named_separator(str_skip(text, from), &start);
    str head = str_sub(text, 0, from + start + HEADER_BYTES);
    for (ptrdiff_t k = 0; k < countof(delimiters); k++) {
        char delimiter = said ? said : delimiters[k];
        ptrdiff_t first = from + start;
        // The first name may be empty.
        first = is_tab(delimiter) ? str_run_before(text, first, is_tab) : first;
        csv_row row = {0};
        csv_table t = {.path = path,
                       .text = head,
                       .delimiter = delimiter,
                       .start = first,
                       .from = first};
        if (csv_table_next(&t, &t.from, &row, NULL, a) != CSV_ROW) {
            continue;
        }
        str *names = arena_new(a, str, row.len);
        for (ptrdiff_t i = 0; i < row.len; i++) {
            names[i] = arena_str(a, str_trim(csv_cell_text(a, row.ptr[i])));
        }
        t.names = names;
        t.n_names = row.len;
        t.n_columns = row.n;
        ptrdiff_t n = score(&t, with, *a);
        if (n > most) {
            *best = t;
            most = n;
        }
    }
    best->text = text;
    return most > 0;
}

bool csv_table_fits(const csv_table *t, const csv_row *row, diag *d)
{
    if (row->n == t->n_columns) {
        return true;
    }
    diag_place place = diag_locate(t->path, t->text, row->from);
    place.column = 0;
    return diag_add(d, place,
                    "this row has %td cell%s, the first row of the file has "
                    "%td",
                    row->n, plural(row->n), t->n_columns);
}

json csv_cell_value(arena *a, csv_cell cell)
{
    str text = csv_cell_text(a, cell);
    bool may_be = str_starts(text, S("[")) || str_starts(text, S("{"));
    ptrdiff_t end = 0;
    str data = may_be ? literal_as_json(text, 0, &end, a) : (str){0};
    const json *v = data.len > 0 ? json_parse(a, data, NULL) : NULL;
    return end == text.len && value_talk(v).is_one
               ? *v
               : (json){.kind = JSON_KIND_STRING, .text = text};
}

const json *csv_table_object(const csv_table *t, const csv_row *row, arena *a)
{
    json *object = arena_new(a, json, 1);
    json **next = &object->child;
    object->kind = JSON_KIND_OBJECT;
    for (ptrdiff_t i = 0; i < row->len && i < t->n_names; i++) {
        if (t->names[i].len > 0) {
            *next = arena_new(a, json, 1);
            **next = csv_cell_value(a, row->ptr[i]);
            (*next)->key = t->names[i];
            next = &(*next)->next;
            object->n++;
        }
    }
    return object;
}

str csv_table_twice(const csv_table *t)
{
    for (ptrdiff_t i = 0; i < t->n_names; i++) {
        if (t->names[i].len > 0 && words_in(t->names, i, t->names[i]) >= 0) {
            return t->names[i];
        }
    }
    return (str){0};
}
