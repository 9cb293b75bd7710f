/*
 * read_csv.c - CSV and TSV with a row of column names.
 *
 * Method      The separator (comma, TAB or semicolon) is the one under which
 *             the first row has most names that field.def knows; with none
 *             that could hold SQL or a question the file is no CSV of ours.
 *             Every row must have as many cells as the first; rows are cut by
 *             csv_scan.h.
 */
#include "read/csv_scan.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "read/reader.h"

enum {
    HEADER_BYTES = 1 << 20  // no row of names is longer
};

// Which column holds a kind of field, -1: none.
struct csv_header {
    char delimiter;
    ptrdiff_t n_columns;
    ptrdiff_t column[FIELD_COUNT];
};

static bool is_query(str name)
{
    return str_equal_fold(str_trim(name), S("query"));
}

// As in JSON: a column "query" beside other SQL and no question is one.
static void query_as_question(struct csv_header *h,
                              ptrdiff_t query,
                              dataset_role role)
{
    field_kind named = role == DATASET_PRED ? FIELD_PRED : FIELD_GOLD;
    bool is_free = h->column[FIELD_QUESTION] < 0 && query >= 0;
    bool is_bare = h->column[FIELD_SQL] == query;
    if (is_free && (h->column[named] >= 0 || !is_bare)) {
        h->column[FIELD_QUESTION] = query;
        h->column[FIELD_SQL] = is_bare ? -1 : h->column[FIELD_SQL];
    }
}

static struct csv_header header_of(const csv_row *row,
                                   char delimiter,
                                   dataset_role role,
                                   field_aliases names,
                                   arena *a)
{
    struct csv_header h = {.delimiter = delimiter, .n_columns = row->n};
    int rank[FIELD_COUNT] = {0};
    ptrdiff_t query = -1;
    for (ptrdiff_t k = 0; k < FIELD_COUNT; k++) {
        h.column[k] = -1;
    }
    for (ptrdiff_t i = 0; i < row->len; i++) {
        str name = csv_cell_text(a, row->ptr[i]);
        field f = field_find_in(names, name);
        query = is_query(name) ? i : query;
        if (h.column[f.kind] < 0 || f.rank < rank[f.kind]) {
            h.column[f.kind] = i;
            rank[f.kind] = f.rank;
        }
    }
    h.column[FIELD_NONE] = -1;
    query_as_question(&h, query, role);
    return h;
}

static ptrdiff_t header_score(const struct csv_header *h)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t k = 0; k < FIELD_COUNT; k++) {
        n += h->column[k] >= 0 ? 1 : 0;
    }
    bool is_useful = h->column[FIELD_GOLD] >= 0 || h->column[FIELD_SQL] >= 0
                     || h->column[FIELD_PRED] >= 0
                     || h->column[FIELD_QUESTION] >= 0;
    return is_useful ? n : 0;
}

// Finds the best reading of the row at the start of `text` and gives its
// score; at most 0 when none of its names helps.
static ptrdiff_t header_find(str text,
                             dataset_role role,
                             field_aliases names,
                             struct csv_header *best,
                             arena scratch)
{
    static const char delimiters[] = {',', '\t', ';'};
    ptrdiff_t best_score = -1;
    text = str_sub(text, 0, HEADER_BYTES);
    for (ptrdiff_t k = 0; k < countof(delimiters); k++) {
        arena temp = scratch;
        csv_row row = {0};
        ptrdiff_t at = 0;
        if (csv_scan_row(text, &at, delimiters[k], &temp, &row) != CSV_ROW) {
            continue;
        }
        struct csv_header h =
            header_of(&row, delimiters[k], role, names, &temp);
        ptrdiff_t score = header_score(&h);
        if (score > best_score) {
            *best = h;
            best_score = score;
        }
    }
    return best_score;
}

dataset_format reader_csv_format(str text,
                                 dataset_role role,
                                 field_aliases names,
                                 arena scratch)
{
    struct csv_header h = {0};
    // SELECT id, question FROM t is a list of column names, too.
    if (extract_starts_sql(text)
        || header_find(text, role, names, &h, scratch) <= 0) {
        return FORMAT_COUNT;
    }
    bool is_defog = h.column[FIELD_QUESTION] >= 0 && h.column[FIELD_DB] >= 0
                    && h.column[FIELD_SQL] >= 0
                    && h.column[FIELD_CATEGORY] >= 0;
    return is_defog ? FORMAT_DEFOG_CSV : FORMAT_CSV;
}

// The text of the row's cell for `kind`; empty when there is no such column.
static str cell_at(const dataset *set,
                   const csv_row *row,
                   field_kind kind,
                   arena *a)
{
    ptrdiff_t i = set->csv->column[kind];
    return i < 0 ? (str){0} : csv_cell_text(a, row->ptr[i]);
}

static str word_at(const dataset *set,
                   const csv_row *row,
                   field_kind kind,
                   arena *a)
{
    return str_trim(cell_at(set, row, kind, a));
}

static record row_record(const dataset *set, const csv_row *row, arena *a)
{
    record r = {
        .id = word_at(set, row, FIELD_ID, a),
        .db = word_at(set, row, FIELD_DB, a),
        .question = word_at(set, row, FIELD_QUESTION, a),
        .category = word_at(set, row, FIELD_CATEGORY, a),
        .hardness = word_at(set, row, FIELD_HARDNESS, a),
        .evidence = word_at(set, row, FIELD_EVIDENCE, a),
    };
    const ptrdiff_t *column = set->csv->column;
    field_kind pred = set->bare_is_pred ? FIELD_SQL : FIELD_PRED;
    field_kind gold =
        column[FIELD_GOLD] >= 0 || set->bare_is_pred ? FIELD_GOLD : FIELD_SQL;
    str text = cell_at(set, row, gold, a);
    if (str_trim(text).len > 0) {
        r.golds = reader_one_gold(a, text);
        r.n_golds = 1;
    }
    if (column[pred] >= 0) {
        r.preds = reader_one_pred(a, cell_at(set, row, pred, a));
        r.n_preds = 1;
    }
    return r;
}

static record csv_read(const dataset *set, ptrdiff_t i, arena *a)
{
    csv_row row = {0};
    ptrdiff_t at = 0;
    str slice = reader_slice(set, i);
    if (csv_scan_row(slice, &at, set->csv->delimiter, a, &row) != CSV_ROW
        || row.n != set->csv->n_columns) {
        return (record){0};
    }
    return row_record(set, &row, a);
}

typedef struct csv_walk {
    dataset *set;
    arena *a;
    diag *d;
    reader_cursor cursor;
    reader_sessions sessions;
    ptrdiff_t odd;     // cells with text after their closing quote
    int64_t odd_line;  // of the first
} csv_walk;

static void csv_count_odd(csv_walk *w, const csv_row *row, int64_t line)
{
    for (ptrdiff_t i = 0; i < row->len; i++) {
        if (row->ptr[i].is_odd && w->odd++ == 0) {
            w->odd_line = line;
        }
    }
}

// The row whose bytes are [from, to).
static void csv_add(csv_walk *w,
                    const csv_row *row,
                    ptrdiff_t from,
                    ptrdiff_t to,
                    arena scratch)
{
    dataset *set = w->set;
    ptrdiff_t wanted = set->csv->n_columns;
    int64_t line = reader_line_at(&w->cursor, from);
    if (row->n != wanted) {
        diag_add(w->d, (diag_place){.file = set->file.path, .line = line},
                 "this row has %td cell%s, the first row of the file has %td",
                 row->n, row->n == 1 ? "" : "s", wanted);
        return;
    }
    csv_count_odd(w, row, line);
    reader_item item = {
        .r = row_record(set, row, &scratch),
        .has_bare = set->csv->column[FIELD_SQL] >= 0,
        .where = {.offset = from, .size = to - from, .line = (int32_t)line},
    };
    reader_session(&w->sessions, w->a,
                   word_at(set, row, FIELD_INTERACTION, &scratch),
                   word_at(set, row, FIELD_TURN, &scratch), &item.where);
    reader_add(set, w->a, &item);
}

// Reads the rows from byte `at` on.
static bool csv_rows(csv_walk *w, ptrdiff_t at, arena scratch)
{
    str text = w->set->file.bytes;
    char delimiter = w->set->csv->delimiter;
    for (;;) {
        arena temp = scratch;
        csv_row row = {0};
        ptrdiff_t from = at;
        switch (csv_scan_row(text, &at, delimiter, &temp, &row)) {
        case CSV_END: return true;
        case CSV_UNCLOSED:
            return diag_add(w->d, reader_place(w->set, at),
                            "this quote is never closed; a quote inside a cell "
                            "is written twice");
        case CSV_ROW: break;
        }
        if (!csv_row_is_blank(&row)) {
            csv_add(w, &row, from, at, temp);
        }
        if (w->d->messages.len >= DIAG_MAX) {
            return false;
        }
    }
}

static bool csv_open(dataset *set, arena *a, diag *d, arena scratch)
{
    ptrdiff_t start = json_scan_space(set->file.bytes, reader_start(set));
    str text = str_skip(set->file.bytes, start);
    struct csv_header *h = arena_new(a, struct csv_header, 1);
    if (header_find(text, set->role, set->names, h, scratch) <= 0) {
        return diag_add(d, (diag_place){.file = set->file.path, .line = 1},
                        "no column name that assay knows for SQL or a question "
                        "(the names are in 'assay help formats')");
    }
    set->csv = h;
    csv_walk w = {
        .set = set, .a = a, .d = d, .cursor = reader_cursor_at_start(set)};
    arena temp = scratch;
    csv_row row = {0};
    ptrdiff_t before = d->count;
    ptrdiff_t at = 0;
    csv_scan_row(text, &at, h->delimiter, &temp, &row);
    bool ok = csv_rows(&w, start + at, scratch) && d->count == before;
    set->n_interactions = map_count(&w.sessions.names);
    if (w.odd > 0) {
        reader_note(set, a,
                    "%td cell%s text after the closing quote, first in line "
                    "%lld; a quote inside a cell is written twice",
                    w.odd, w.odd == 1 ? " has" : "s have",
                    (long long)w.odd_line);
    }
    return ok;
}

const reader reader_csv = {csv_open, csv_read};
