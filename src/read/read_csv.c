/*
 * read_csv.c - CSV and TSV with a row of column names.
 *
 * Method      The separator (comma, TAB, semicolon or |) is what a first line
 *             `sep=;` says, else the one under which the first row has most
 *             names that field.def knows. Without any such name a table is told
 *             by its rows: as many cells in each, and in one column SQL; a word
 *             and SQL need no names. Each row is read where it stands, as an
 *             object whose members are its cells (read_json.h). Every row must
 *             have as many cells as the first; rows are cut by csv_scan.h.
 */
#include "base/json.h"
#include "read/csv_scan.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "read/read_json.h"

enum {
    HEADER_BYTES = 1 << 20,  // no row of names is longer
    ROWS_LOOKED_AT = 20,
};

struct csv_header {
    char delimiter;
    ptrdiff_t n_columns;
    const str *names;
    bool is_bare;       // no row of names: an id and SQL in each
    ptrdiff_t from;     // of the first row
    ptrdiff_t n_odd;    // cells with text after their closing quote
    ptrdiff_t odd_row;  // offset of the first
};

// The separator that a first line `sep=;` names, and the offset of what follows
// it; 0: there is no such line.
static char named_separator(str text, ptrdiff_t *start)
{
    str line = str_sub(text, 0, 8);
    line = str_trim(str_cut(&line, '\n'));
    bool is_separator = str_starts_fold(line, S("sep=")) && line.len <= 5;
    str after = str_skip(text, 4);
    char c = is_separator && after.len > 0 && after.ptr[0] != '\r'
                 ? after.ptr[0]
                 : '\t';
    ptrdiff_t end = str_find(text, S("\n"), 0);
    *start = is_separator && end >= 0 ? end + 1 : 0;
    return *start > 0 ? c : '\0';
}

static struct csv_header header_of(const csv_row *row, char delimiter, arena *a)
{
    str *names = arena_new(a, str, row->len);
    struct csv_header h = {delimiter, row->n, names, .is_bare = false};
    for (ptrdiff_t i = 0; i < row->len; i++) {
        names[i] = arena_str(a, str_trim(csv_cell_text(a, row->ptr[i])));
    }
    return h;
}

// How many kinds of fields the names say; 0 when none is SQL or a question.
static ptrdiff_t header_score(const struct csv_header *h,
                              field_aliases own,
                              bool kinds[FIELD_COUNT])
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < h->n_columns && i < CSV_MOST_CELLS; i++) {
        kinds[field_find_in(own, h->names[i]).kind] = true;
    }
    for (int k = FIELD_NONE + 1; k < FIELD_COUNT; k++) {
        n += kinds[k];
    }
    bool is_useful = kinds[FIELD_GOLD] || kinds[FIELD_SQL] || kinds[FIELD_PRED]
                     || kinds[FIELD_QUESTION];
    return is_useful ? n : 0;
}

// A line with nothing on it, or the rule under the names of a Markdown table,
// |---|:-:|.
static bool is_blank(const csv_row *row, char delimiter)
{
    bool is_rule = row->n > 1 && delimiter == '|';
    bool has_dash = false;
    for (ptrdiff_t i = 0; i < row->len && is_rule; i++) {
        str cell = row->ptr[i].raw;
        for (ptrdiff_t k = 0; k < cell.len && is_rule; k++) {
            char c = cell.ptr[k];
            has_dash |= c == '-';
            is_rule = c == '-' || c == ':' || is_space(c);
        }
    }
    return csv_row_is_blank(row) || (is_rule && has_dash);
}

// Names that say nothing over rows with SQL in one of their columns.
static bool is_table(str text, char delimiter, arena scratch)
{
    csv_row row = {0};
    ptrdiff_t at = 0;
    ptrdiff_t n = 0;
    ptrdiff_t rows = 0;
    vec_of(bool) has_sql = {0};
    bool is_first = true;
    while (rows < ROWS_LOOKED_AT
           && csv_scan_row(text, &at, delimiter, &scratch, &row) == CSV_ROW) {
        if (is_blank(&row, delimiter)) {
            continue;
        }
        if (row.n < 2 || (!is_first && row.n != n)) {
            return false;
        }
        n = row.n;
        for (ptrdiff_t i = 0; i < row.len; i++) {
            str cell = str_trim(csv_cell_text(&scratch, row.ptr[i]));
            bool is_sql = extract_starts_query(cell);
            if (is_first && (is_sql || cell.len == 0)) {
                return false;
            }
            if (is_first) {
                *vec_push(&scratch, &has_sql) = true;
            } else if (i < has_sql.len) {
                has_sql.ptr[i] &= is_sql;
            }
        }
        rows += !is_first;
        is_first = false;
    }
    bool has = false;
    for (ptrdiff_t i = 0; i < has_sql.len; i++) {
        has |= has_sql.ptr[i];
    }
    return has && rows > 0;
}

// Rows of a word and SQL, without names.
static bool is_bare_table(str text, char delimiter, arena scratch)
{
    csv_row row = {0};
    ptrdiff_t at = 0;
    ptrdiff_t n = 0;
    ptrdiff_t n_sql = 0;
    while (n < ROWS_LOOKED_AT
           && csv_scan_row(text, &at, delimiter, &scratch, &row) == CSV_ROW) {
        if (is_blank(&row, delimiter)) {
            continue;
        }
        str id = str_trim(csv_cell_text(&scratch, row.ptr[0]));
        if (row.n != 2 || !reader_is_db_name(id) || extract_starts_sql(id)) {
            return false;
        }
        n_sql += extract_starts_sql(csv_cell_text(&scratch, row.ptr[1]));
        n++;
    }
    return n_sql * 2 > n;
}

static struct csv_header bare_header(char delimiter)
{
    static const str names[] = {S_INIT("id"), S_INIT("sql")};
    return (struct csv_header){delimiter, countof(names), names,
                               .is_bare = true};
}

// Finds the best reading of the row at the start of `text` and gives its
// score; at most 0 when none of its names helps.
static ptrdiff_t header_find(str text,
                             field_aliases own,
                             struct csv_header *best,
                             ptrdiff_t *start,
                             arena *a)
{
    static const char delimiters[] = {',', '\t', ';', '|'};
    ptrdiff_t best_score = -1;
    char said = named_separator(text, start);
    text = str_sub(text, *start, *start + HEADER_BYTES);
    for (ptrdiff_t k = 0; k < countof(delimiters); k++) {
        char delimiter = said ? said : delimiters[k];
        csv_row row = {0};
        ptrdiff_t at = 0;
        bool kinds[FIELD_COUNT] = {0};
        if (csv_scan_row(text, &at, delimiter, a, &row) != CSV_ROW) {
            continue;
        }
        struct csv_header h = header_of(&row, delimiter, a);
        ptrdiff_t score = header_score(&h, own, kinds);
        score = score == 0 && is_table(text, delimiter, *a) ? 1 : score;
        if (score == 0 && is_bare_table(text, delimiter, *a)) {
            h = bare_header(delimiter);
            score = 1;
        }
        if (score > best_score) {
            *best = h;
            best_score = score;
        }
    }
    return best_score;
}

dataset_format reader_csv_format(str text, field_aliases own, arena scratch)
{
    struct csv_header h = {0};
    ptrdiff_t start = 0;
    // SELECT id, question FROM t is a list of column names, too.
    if (extract_starts_sql(text)
        || header_find(text, own, &h, &start, &scratch) <= 0) {
        return FORMAT_COUNT;
    }
    bool kinds[FIELD_COUNT] = {0};
    header_score(&h, own, kinds);
    bool is_defog = kinds[FIELD_QUESTION] && kinds[FIELD_DB] && kinds[FIELD_SQL]
                    && kinds[FIELD_CATEGORY];
    return is_defog ? FORMAT_DEFOG_CSV : FORMAT_CSV;
}

// The row as an object; columns without a name are left out.
static const json *object_of(const struct csv_header *h,
                             const csv_row *row,
                             arena *a)
{
    json *object = arena_new(a, json, 1);
    json **next = &object->child;
    object->kind = JSON_KIND_OBJECT;
    for (ptrdiff_t i = 0; i < row->len; i++) {
        if (h->names[i].len > 0) {
            json *m = arena_new(a, json, 1);
            m->kind = JSON_KIND_STRING;
            m->key = h->names[i];
            m->text = csv_cell_text(a, row->ptr[i]);
            *next = m;
            next = &m->next;
            object->n++;
        }
    }
    return object;
}

static void count_odd(struct csv_header *h, const csv_row *row, ptrdiff_t from)
{
    for (ptrdiff_t i = 0; i < row->len; i++) {
        if (row->ptr[i].is_odd && h->n_odd++ == 0) {
            h->odd_row = from;
        }
    }
}

static bool add_row(json_walk *w,
                    const csv_row *row,
                    ptrdiff_t from,
                    ptrdiff_t end,
                    arena scratch)
{
    struct csv_header *h = w->set->header;
    if (row->n != h->n_columns) {
        diag_place place = reader_place(w->set, from);
        place.column = 0;
        return diag_add(w->d, place,
                        "this row has %td cell%s, the first row of the file "
                        "has %td",
                        row->n, plural(row->n), h->n_columns);
    }
    if (w->is_first) {
        count_odd(h, row, from);
    }
    const json *object = object_of(h, row, &scratch);
    return read_json_add(w, object, from, end, scratch);
}

static bool each_row(json_walk *w)
{
    const struct csv_header *h = w->set->header;
    ptrdiff_t at = h->from;
    csv_status status = CSV_ROW;
    while (w->d->messages.len < DIAG_MAX) {
        arena temp = w->scratch;
        csv_row row = {0};
        ptrdiff_t from = at;
        status = csv_scan_row(w->text, &at, h->delimiter, &temp, &row);
        if (status != CSV_ROW) {
            break;
        }
        if (!is_blank(&row, h->delimiter)) {
            add_row(w, &row, from, at, temp);
        }
    }
    return status != CSV_UNCLOSED
           || diag_add(w->d, reader_place(w->set, at),
                       "this quote is never closed; a quote inside a cell is "
                       "written twice");
}

// Of two columns with one name nobody knows which counts, where any does.
static bool are_distinct(const dataset *set,
                         const struct csv_header *h,
                         diag *d)
{
    for (ptrdiff_t i = 0; i < h->n_columns && i < CSV_MOST_CELLS; i++) {
        bool counts = field_find_in(set->names, h->names[i]).kind != FIELD_NONE;
        for (ptrdiff_t k = 0; k < i && counts; k++) {
            if (str_equal(h->names[i], h->names[k])) {
                return diag_add(
                    d, (diag_place){.file = set->file.path, .line = 1},
                    "two columns are called %.*s", STR_ARG(h->names[i]));
            }
        }
    }
    return true;
}

static bool csv_open(dataset *set, arena *a, diag *d, arena scratch)
{
    ptrdiff_t at = json_scan_space(set->file.bytes, reader_start(set));
    ptrdiff_t skipped = 0;
    struct csv_header *h = arena_new(a, struct csv_header, 1);
    if (header_find(str_skip(set->file.bytes, at), set->names, h, &skipped, a)
        <= 0) {
        return diag_add(d, (diag_place){.file = set->file.path, .line = 1},
                        "no column name that assay knows for SQL or a question "
                        "(the names are in 'assay help formats')");
    }
    arena temp = scratch;
    csv_row row = {0};
    h->from = at + skipped;
    if (!h->is_bare) {
        csv_scan_row(set->file.bytes, &h->from, h->delimiter, &temp, &row);
    }
    set->header = h;
    bool ok =
        are_distinct(set, h, d) && read_json_open(set, a, d, scratch, each_row);
    if (h->n_odd > 0) {
        diag_place odd = reader_place(set, h->odd_row);
        reader_note(set, a,
                    "%td cell%s text after the closing quote, first in line "
                    "%lld; a quote inside a cell is written twice",
                    h->n_odd, h->n_odd == 1 ? " has" : "s have",
                    (long long)odd.line);
    }
    return ok;
}

static const json *csv_object(const dataset *set, ptrdiff_t i, arena *a)
{
    csv_row row = {0};
    ptrdiff_t at = 0;
    csv_scan_row(reader_slice(set, i), &at, set->header->delimiter, a, &row);
    return object_of(set->header, &row, a);
}

static record csv_record(const dataset *set, ptrdiff_t i, arena *a)
{
    return read_json_record(set, csv_object(set, i, a), a).r;
}

const reader reader_csv = {csv_open, csv_record, csv_object};
