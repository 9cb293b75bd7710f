/*
 * read_csv.c - CSV and TSV with a row of column names.
 *
 * Method      A table is told by its names, of which field.def knows most under
 *             the right separator. Without any such name it is told by its
 *             rows: as many cells in each, and in one column SQL; a word and
 *             SQL need no names. Each row is read where it stands, as an object
 *             whose members are its cells (read_json.h). Every row must have as
 *             many cells as the first.
 */
#include "read/csv_table.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "read/read_json.h"

enum {
    ROWS_LOOKED_AT = 20,
};

struct csv_header {
    csv_table table;
    ptrdiff_t n_odd;    // cells with text after their closing quote
    ptrdiff_t odd_row;  // offset of the first
};

// What kinds of fields the names say.
static void find_kinds(const csv_table *t,
                       field_aliases own,
                       bool kinds[FIELD_COUNT])
{
    for (ptrdiff_t i = 0; i < t->n_names; i++) {
        kinds[field_find_in(own, t->names[i]).kind] = true;
    }
}

// Is it a table, though its names say nothing? Rows of as many cells have SQL
// in one of their columns; rows of a word and SQL, and perhaps a database, need
// no names.
static bool is_told_by_rows(csv_table *t, arena scratch)
{
    static const str bare[] = {S_INIT("id"), S_INIT("sql"), S_INIT("db")};
    csv_row row = {0};
    vec_of(ptrdiff_t) n_sql = {0};
    ptrdiff_t n = 0;
    bool are_names = true;
    bool are_words = t->n_columns == 2 || t->n_columns == countof(bare);
    for (ptrdiff_t at = t->start;
         n <= ROWS_LOOKED_AT
         && csv_table_next(t, &at, &row, NULL, &scratch) == CSV_ROW;
         n++) {
        if (row.n < 2 || row.n != t->n_columns) {
            return false;
        }
        for (ptrdiff_t i = 0; i < row.len; i++) {
            json value = csv_cell_value(&scratch, row.ptr[i]);
            str cell = str_trim(value.text);
            bool is_sql =
                value.kind != JSON_KIND_STRING || extract_starts_query(cell);
            *vec_at(&scratch, &n_sql, i) += is_sql;
            are_names &= n > 0 || (!is_sql && cell.len > 0);
            are_words &= i == 1 || (!is_sql && reader_is_db_name(cell));
        }
    }
    bool has_sql = false;
    for (ptrdiff_t i = 0; i < n_sql.len; i++) {
        has_sql |= n_sql.ptr[i] + 1 == n;
    }
    if (has_sql && are_names && n > 1) {
        return true;
    }
    t->names = bare;
    t->n_names = t->n_columns;
    t->from = t->start;
    return are_words && n_sql.ptr[1] * 2 > n;
}

// How many kinds of fields the names say, if they say SQL or a question.
static ptrdiff_t names_score(csv_table *t, const void *own, arena scratch)
{
    bool kinds[FIELD_COUNT] = {0};
    ptrdiff_t n = 0;
    bool is_useful = false;
    find_kinds(t, *(const field_aliases *)own, kinds);
    for (int k = FIELD_NONE + 1; k < FIELD_COUNT; k++) {
        n += kinds[k];
        is_useful |= kinds[k] && field_is_said((field_kind)k);
    }
    return is_useful ? n : is_told_by_rows(t, scratch);
}

dataset_format reader_csv_format(str text, field_aliases own, arena scratch)
{
    csv_table t = {0};
    bool kinds[FIELD_COUNT] = {0};
    // SELECT id, question FROM t is a list of column names, too.
    if (extract_starts_sql(text)
        || !csv_table_find(&t, (str){0}, text, 0, names_score, &own,
                           &scratch)) {
        return FORMAT_COUNT;
    }
    find_kinds(&t, own, kinds);
    bool is_defog = kinds[FIELD_QUESTION] && kinds[FIELD_DB] && kinds[FIELD_SQL]
                    && kinds[FIELD_CATEGORY];
    return is_defog ? FORMAT_DEFOG_CSV : FORMAT_CSV;
}

static void count_odd(struct csv_header *h, const csv_row *row)
{
    for (ptrdiff_t i = 0; i < row->len; i++) {
        if (row->ptr[i].is_odd && h->n_odd++ == 0) {
            h->odd_row = row->from;
        }
    }
}

static bool each_row(json_walk *w)
{
    struct csv_header *h = w->set->header;
    csv_status status = CSV_ROW;
    for (ptrdiff_t at = h->table.from;
         status == CSV_ROW && w->d->messages.len < DIAG_MAX;) {
        arena temp = w->scratch;
        csv_row row = {0};
        status = csv_table_next(&h->table, &at, &row, w->d, &temp);
        // Spreadsheets write such rows below their tables; but a prediction may
        // be empty.
        bool is_none =
            w->set->given.role == DATASET_GOLD && csv_row_is_blank(&row);
        if (status != CSV_ROW || is_none
            || !csv_table_fits(&h->table, &row, w->d)) {
            continue;
        }
        if (w->is_first) {
            count_odd(h, &row);
        }
        const json *object = csv_table_object(&h->table, &row, &temp);
        read_json_add(w, object, row.from, at, temp);
    }
    return status != CSV_UNCLOSED;
}

static bool csv_open(dataset *set, arena *a, diag *d, arena scratch)
{
    diag_place first = {.file = set->file.path, .line = 1};
    struct csv_header *h = arena_new(a, struct csv_header, 1);
    if (!csv_table_find(&h->table, set->file.path, set->text,
                        json_scan_space(set->text, 0), names_score,
                        &set->given.names, a)) {
        return diag_add(d, first,
                        "no column name that assay knows for SQL or a question "
                        "(the names are in 'assay help formats')");
    }
    // Of two columns with one name nobody knows which counts, where any does.
    str twice = csv_table_twice(&h->table);
    if (field_find_in(set->given.names, twice).kind != FIELD_NONE) {
        return diag_add(d, first, "two columns are called %.*s",
                        STR_ARG(twice));
    }
    set->header = h;
    bool ok = read_json_open(set, a, d, scratch, each_row);
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

static const json *csv_value(const dataset *set, ptrdiff_t i, arena *a)
{
    const csv_table *t = &set->header->table;
    csv_row row = {0};
    ptrdiff_t at = 0;
    csv_scan_row(reader_slice(set, i), &at, t->delimiter, a, &row);
    return csv_table_object(t, &row, a);
}

const reader reader_csv = {csv_open, csv_value};
