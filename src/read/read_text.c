/*
 * read_text.c - one SQL a line, with or without a TAB and a database.
 *
 * Method      White space at both ends of a line does not count. A blank line
 *             ends a session; several in a row are one. Blank lines at either
 *             end of the file are nothing.
 *
 *             In a file of predictions a blank line can also be the prediction
 *             of a model that gave nothing. The file alone does not tell, so
 *             each blank line inside it gets an entry of size 0, and pair.c,
 *             which knows the gold, decides.
 *
 *             A line that is only a comment is nothing.
 *
 *             A file has databases when most of its lines end in a TAB and a
 *             word (dataset_detect.c); then the last TAB of a line ends its
 *             SQL, or the one before it where a score stands beside the word.
 *             In other files a TAB is white space inside the SQL.
 */
#include "read/extract_scan.h"
#include "read/reader.h"

static reader_line line_of(const dataset *set, str slice)
{
    return set->format == FORMAT_SPIDER_TEXT
               ? reader_line_of(slice)
               : (reader_line){.sql = str_trim(slice)};
}

static record text_record(const dataset *set, const reader_line *line, arena *a)
{
    record r = reader_record(set, reader_text_value(line->sql, (str){0}, a), a);
    r.db = line->db;
    return r;
}

static const json *text_value(const dataset *set, ptrdiff_t i, arena *a)
{
    return reader_text_value(line_of(set, reader_slice(set, i)).sql, (str){0},
                             a);
}

typedef struct text_walk {
    dataset *set;
    arena *a;
    diag *d;
    int32_t session;
    int32_t turn;
    ptrdiff_t blank;       // lines since the last one that is not
    ptrdiff_t n_comments;  // lines
    ptrdiff_t n_odd;       // that do not begin as SQL
    int64_t odd_line;      // the first of them
    ptrdiff_t n_figures;   // with a number behind the SQL
} text_walk;

static bool is_comment(str line)
{
    line = str_trim(line);
    return extract_skip(line, 0) == line.len || str_starts(line, S("# "));
}

static void count_odd(text_walk *w, str line, int64_t number)
{
    bool is_odd = !extract_starts_sql(line);
    w->odd_line = is_odd && w->n_odd == 0 ? number : w->odd_line;
    w->n_odd += is_odd;
}

// Statements over several lines look like statements that fail.
static void text_notes(const text_walk *w)
{
    dataset *set = w->set;
    ptrdiff_t n = w->n_comments;
    if (n > 0) {
        reader_note(set, w->a, "%td line%s only a comment and %s ignored", n,
                    n == 1 ? " is" : "s are", n == 1 ? "was" : "were");
    }
    n = w->n_figures;
    if (n > 0) {
        reader_note(set, w->a, "%td number%s after the SQL %s ignored", n,
                    n == 1 ? "" : "s", n == 1 ? "was" : "were");
    }
    n = w->n_odd;
    if (n > 0 && n * 2 < set->entries.len) {
        reader_note(
            set, w->a,
            "%td line%s not begin with SQL, first line %lld; statements "
            "over several lines need a semicolon at the end of each",
            n, n == 1 ? " does" : "s do", (long long)w->odd_line);
    }
}

static bool check_gold(const text_walk *w, const record *r)
{
    if (w->set->given.role == DATASET_GOLD
        && w->set->format == FORMAT_SPIDER_TEXT && r->db.len == 0) {
        return diag_add(
            w->d, (diag_place){.file = w->set->file.path, .line = r->line},
            "expected SQL, a TAB and the name of a database; "
            "found no TAB with a name after it");
    }
    return true;
}

// The blank lines before the line at `offset` end a session.
static void text_blank(text_walk *w, ptrdiff_t offset, int64_t line, arena temp)
{
    if (w->set->entries.len > 0 && w->blank > 0) {
        w->session++;
        w->turn = 0;
    }
    for (; w->blank > 0 && w->set->entries.len > 0; w->blank--) {
        if (w->set->given.role == DATASET_PRED) {
            record r = text_record(w->set, &(reader_line){0}, &temp);
            r.line = line - w->blank;
            r.interaction = w->session - 1;
            reader_add(w->set, w->a, &r, offset, 0);
            w->set->n_blank++;
        }
    }
    w->blank = 0;
}

// The numbers of sessions, unless all is one.
static void text_sessions(text_walk *w)
{
    dataset *set = w->set;
    set->n_interactions = w->session > 0 ? w->session + 1 : 0;
    for (ptrdiff_t i = 0; i < set->entries.len && w->session == 0; i++) {
        set->entries.ptr[i].interaction = -1;
        set->entries.ptr[i].turn = -1;
    }
}

static bool text_open(dataset *set, arena *a, diag *d, arena scratch)
{
    text_walk w = {.set = set, .a = a, .d = d};
    reader_cursor cursor = reader_cursor_at_start(set);
    str rest = set->text;
    ptrdiff_t before = d->count;
    ptrdiff_t n_lines = 0;
    for (str lines = rest; lines.ptr; n_lines++) {
        str_cut(&lines, '\n');
    }
    reader_expect(set, a, n_lines);
    while (rest.ptr && d->count - before < DIAG_MAX) {
        ptrdiff_t offset = rest.ptr - set->text.ptr;
        str line = str_cut(&rest, '\n');
        if (str_trim(line).len == 0) {
            w.blank++;
            continue;
        }
        int64_t number = reader_line_at(&cursor, offset);
        if (is_comment(line)) {
            w.n_comments++;
            continue;
        }
        count_odd(&w, line, number);
        text_blank(&w, offset, number, scratch);
        arena temp = scratch;
        reader_line parts = line_of(set, line);
        record r = text_record(set, &parts, &temp);
        w.n_figures += parts.figure.len > 0;
        r.line = number;
        r.interaction = w.session;
        r.turn = w.turn++;
        if (check_gold(&w, &r)) {
            reader_add(set, a, &r, offset, line.len);
        }
    }
    text_sessions(&w);
    text_notes(&w);
    return d->count == before;
}

const reader reader_text = {text_open, text_value};
