/*
 * read_json.c - JSON in all the shapes that data sets have.
 *
 * Why         The inference files of [001] are JSON objects without commas
 *             between them, called .json; their readers need one that adds
 *             commas first [001 add_comma], and that one fails on a blank
 *             last line. BIRD keeps predictions in one object, Spider cases in
 *             an array, SParC whole sessions in one element. All of it is the
 *             same to somebody who looks for values instead of punctuation.
 *
 * Method      json_scan finds where each value begins and ends; what stands
 *             between values (commas, brackets, white space) is counted and
 *             reported, not required. Each value is then parsed alone. Where
 *             they stand in a file that is one object, file_layout.h says.
 *
 * Invariants  (1) A file that ends inside a value or an array is an error: it
 *                 was cut off, and nobody knows how much is missing.
 *             (2) Entries are byte ranges of the file that parse alone; of
 *                 keyed objects they begin with the key.
 */
#include "read/read_json.h"

#include "base/utf8.h"
#include "read/abstention.h"
#include "read/file_layout.h"
#include "read/json_scan.h"
#include "read/reader.h"
#include "read/shape.h"

#include <string.h>

enum {
    MOST_SHOWN = 10,  // requests that failed
    LONGEST_REASON = 60,
};

static bool walk_fail(const json_walk *w, ptrdiff_t at, const char *message)
{
    return diag_add(w->d, reader_place(w->set, at), "%s", message);
}

static void note_extra_comma(json_walk *w, ptrdiff_t at)
{
    if (w->extra_commas++ == 0) {
        w->first_extra = at;
    }
}

// Parses the value in [from, end) of the file into `a`.
static json *walk_parse(json_walk *w, ptrdiff_t from, ptrdiff_t end, arena *a)
{
    json_repairs repairs = {0};
    json_error error = {0};
    json *j =
        json_parse_kindly(a, str_sub(w->text, from, end), &repairs, &error);
    if (!j) {
        diag_add(w->d, reader_place(w->set, from + error.offset),
                 "not valid JSON: %s", error.message);
        return NULL;
    }
    if (repairs.commas > 0) {
        note_extra_comma(w, from + repairs.first);
        w->extra_commas += repairs.commas - 1;
    }
    w->null_words += repairs.words;
    return j;
}

// The names of the members, for a message.
static str member_names(const json *j, arena *a)
{
    buf b = buf_new(a);
    ptrdiff_t n = 0;
    for (const json *m = j->child; m && n < 12; m = m->next, n++) {
        buf_list(&b, str_sub(m->key, 0, 40));
    }
    buf_add(&b, j->n > n ? S(", ...") : S(""));
    return buf_str(&b);
}

static bool walk_unknown(json_walk *w,
                         ptrdiff_t at,
                         const json *j,
                         arena scratch)
{
    return diag_add(w->d, reader_place(w->set, at),
                    "this object has no member with SQL or a question that "
                    "assay knows by its name; it has: %.*s (the names are in "
                    "'assay help formats')",
                    STR_ARG(member_names(j, &scratch)));
}

// The turns of a session, each an object in the list under a name of such.
static bool walk_turns(json_walk *w, ptrdiff_t from, str db, arena scratch)
{
    json_member list;
    json_member turn;
    bool ok = true;
    w->session = arena_printf(&scratch, "session at %td", from);
    w->db = db;
    str object = str_skip(w->text, from);
    for (ptrdiff_t at = 1; json_scan_member(object, &at, &list);) {
        bool is_it = list.form == '['
                     && field_find_in(w->set->given.names, list.name).kind
                            == FIELD_INTERACTION
                     && w->session.len > 0;
        for (ptrdiff_t to = 1;
             is_it && ok && json_scan_member(list.value, &to, &turn);) {
            arena temp = scratch;
            ptrdiff_t start = turn.value.ptr - w->text.ptr;
            ptrdiff_t end = start + turn.value.len;
            const json *j = walk_parse(w, start, end, &temp);
            ok = j && read_json_add(w, j, start, end, temp);
        }
    }
    w->session = (str){0};
    return ok;
}

// A request that failed has no prediction: its case is one of those that miss
// theirs.
static bool is_left_out(json_walk *w, const json_found *f)
{
    if (f->failure.len == 0 || w->set->given.role != DATASET_PRED) {
        return false;
    }
    if (w->n_failed++ < MOST_SHOWN) {
        ptrdiff_t end = utf8_prefix(f->failure, LONGEST_REASON);
        buf_printf(&w->failed, "%s%.*s (%.*s)", w->n_failed > 1 ? ", " : "",
                   STR_ARG(f->r.id), STR_ARG(str_sub(f->failure, 0, end)));
    }
    return true;
}

// Has it a list of turns?
static bool is_session(const json_walk *w, const json *j)
{
    bool is_found = false;
    bool may_be = j->kind == JSON_KIND_OBJECT && w->session.len == 0;
    for (const json *m = may_be ? j->child : NULL; m; m = m->next) {
        is_found |= m->kind == JSON_KIND_ARRAY && m->child
                    && m->child->kind == JSON_KIND_OBJECT
                    && field_find_in(w->set->given.names, m->key).kind
                           == FIELD_INTERACTION;
    }
    return is_found;
}

static void add_record(json_walk *w,
                       const json_found *f,
                       ptrdiff_t from,
                       ptrdiff_t end)
{
    bool is_turn = w->session.len > 0;
    record r = f->r;
    r.db = is_turn ? w->db : r.db;
    r.line = w->cursor.line;
    reader_session(&w->sessions, w->a, is_turn ? w->session : f->interaction,
                   f->turn, &r);
    reader_add(w->set, w->a, &r, from, end - from);
}

bool read_json_add(json_walk *w,
                   const json *j,
                   ptrdiff_t from,
                   ptrdiff_t end,
                   arena scratch)
{
    file_columns *c = &w->set->columns;
    bool has_turns = is_session(w, j);
    bool is_shape = shape_is(w->set->format) && j->kind == JSON_KIND_OBJECT;
    json_found f = {.is_known = true};
    reader_line_at(&w->cursor, from);
    if (w->is_first && is_shape) {
        shape_count(w->set->format, c, w->a, w->set->given.names, j, scratch);
    } else if (w->is_first) {
        columns_add(c, w->a, w->set->given.names, j, has_turns, scratch);
    } else {
        f = read_json_record(w->set, j, &scratch);
    }
    if (has_turns) {
        return walk_turns(w, from, f.r.db, scratch);
    }
    if (!f.is_known) {
        return walk_unknown(w, from, j, scratch);
    }
    if (!w->is_first && !is_left_out(w, &f)) {
        add_record(w, &f, from, end);
    }
    return true;
}

// Where reading stops when the value at `from` has no end: where the parser
// stumbles first, which is nearer to the cause than the end of the file.
static bool walk_unended(json_walk *w,
                         ptrdiff_t from,
                         const json_error *scanned)
{
    arena temp = w->scratch;
    ptrdiff_t used = 0;
    json_error error = {0};
    str rest = str_skip(w->text, from);
    json *j = json_parse_prefix(&temp, rest, &used, &error);
    bool is_nearer =
        !j && scanned->offset == from && error.offset < str_trim(rest).len - 1;
    if (is_nearer) {
        return diag_add(w->d, reader_place(w->set, from + error.offset),
                        "not valid JSON: %s", error.message);
    }
    return walk_fail(w, scanned->offset, scanned->message);
}

// Where the value of the member at `at` begins; -1: there is none.
static ptrdiff_t after_key(str text, ptrdiff_t at)
{
    ptrdiff_t end = text.ptr[at] == '"' ? json_scan_value(text, at, NULL) : -1;
    ptrdiff_t colon = end < 0 ? text.len : json_scan_space(text, end);
    bool is_key = colon < text.len && text.ptr[colon] == ':';
    return is_key ? json_scan_space(text, colon + 1) : -1;
}

// What the key at the start of a slice says.
static str key_of(str slice, arena *a)
{
    ptrdiff_t used = 0;
    const json *name = json_parse_prefix(a, slice, &used, NULL);
    return name ? str_trim(name->text) : (str){0};
}

// One record, or a whole session, at `at`; *end is past it.
static bool walk_one(json_walk *w, ptrdiff_t at, ptrdiff_t *end)
{
    bool is_keyed = w->set->is_keyed;
    ptrdiff_t value = is_keyed ? after_key(w->text, at) : at;
    char c = value < 0 ? '\0' : w->text.ptr[value];
    if (value < 0) {
        return walk_fail(w, at, "expected a name and a colon");
    }
    if (!is_keyed && c != '{' && c != '[' && c != '"' && c != 'n') {
        return diag_add(w->d, reader_place(w->set, at),
                        "expected a JSON object, found '%c'",
                        c > ' ' && c < 127 ? c : '?');
    }
    json_error error = {0};
    *end = json_scan_value(w->text, value, &error);
    if (*end < 0) {
        return walk_unended(w, value, &error);
    }
    arena temp = w->scratch;
    str key = is_keyed ? key_of(str_skip(w->text, at), &temp) : (str){0};
    if (is_keyed && key.len == 0) {
        return walk_fail(w, at, "not valid JSON: a name is empty");
    }
    // A record that is wrong is reported, and the next one looked at; but when
    // no record could be read so far, the file is something else.
    json *j = walk_parse(w, value, *end, &temp);
    if (j) {
        j->key = key;
    }
    return (j && read_json_add(w, j, at, *end, temp))
           || (w->set->entries.len + w->set->columns.n_records > 0
               && w->d->messages.len < DIAG_MAX);
}

// Does a comma belong into the gap between two values? JSON lines have none.
// Who says "sql_eval" expects an array [001].
static bool comma_is_due(const json_walk *w, str gap, ptrdiff_t array)
{
    bool wants_array = w->set->given.format != FORMAT_AUTO
                       && w->set->format == FORMAT_SQL_EVAL;
    return array >= 0 || wants_array || str_find(gap, S("\n"), 0) < 0;
}

// Where the next value begins behind commas and brackets, at most at `to`. A
// comma stands between a value before them, if there is one, and the next;
// *array is where the list that is open begins, or -1.
static ptrdiff_t walk_gap(json_walk *w,
                          ptrdiff_t from,
                          ptrdiff_t to,
                          bool is_after,
                          ptrdiff_t *array)
{
    ptrdiff_t at = json_scan_space(w->text, from);
    ptrdiff_t comma = -1;
    for (; at < to; at = json_scan_space(w->text, at + 1)) {
        char c = w->text.ptr[at];
        bool ends = c == ']' && *array >= 0;
        if (c == ',' && is_after && comma < 0) {
            comma = at;
        } else if (c == ',') {
            note_extra_comma(w, at);
        } else if (ends || (c == '[' && *array < 0)) {
            if (ends && comma >= 0) {
                note_extra_comma(w, comma);
            }
            *array = ends ? -1 : at;
            is_after = false;
            comma = -1;
        } else {
            w->missing_commas +=
                is_after && comma < 0
                && comma_is_due(w, str_sub(w->text, from, at), *array);
            return at;
        }
    }
    if (comma >= 0) {
        note_extra_comma(w, comma);
    }
    return at;
}

// Values in [from, to): in arrays or not, with commas or not.
static bool walk_values(json_walk *w, ptrdiff_t from, ptrdiff_t to)
{
    ptrdiff_t array = -1;
    ptrdiff_t end = from;
    for (ptrdiff_t at = walk_gap(w, from, to, false, &array); at < to;
         at = walk_gap(w, end, to, true, &array)) {
        if (!walk_one(w, at, &end)) {
            return false;
        }
    }
    return array < 0
           || walk_fail(w, array,
                        "this array is not closed; is the file cut off?");
}

static bool walk_json(json_walk *w)
{
    str place = w->set->place;
    ptrdiff_t brackets = w->set->is_keyed ? 1 : 0;
    ptrdiff_t from = place.ptr - w->text.ptr;
    return walk_values(w, from + brackets, from + place.len - brackets);
}

static void walk_notes(const json_walk *w)
{
    if (w->missing_commas > 0) {
        reader_note(w->set, w->a, "%td comma%s missing", w->missing_commas,
                    reader_was(w->missing_commas));
    }
    if (w->extra_commas > 0) {
        diag_place first = reader_place(w->set, w->first_extra);
        reader_note(w->set, w->a,
                    "%td comma%s too many, the first in line %lld, column %lld",
                    w->extra_commas, reader_was(w->extra_commas),
                    (long long)first.line, (long long)first.column);
    }
    if (w->null_words > 0) {
        reader_note(w->set, w->a, "%td value%s NaN or Infinity, read as null",
                    w->null_words, reader_was(w->null_words));
    }
    ptrdiff_t n = w->n_failed;
    if (n > 0) {
        str names = buf_str(&w->failed);
        w->set->failed =
            arena_printf(w->a, "%td request%s failed: %.*s%s", n, plural(n),
                         STR_ARG(names), n > MOST_SHOWN ? ", ..." : "");
    }
    w->set->n_interactions = map_count(&w->sessions.names);
}

static json_walk walk_new(dataset *set, arena *a, diag *d, arena scratch)
{
    return (json_walk){.set = set,
                       .a = a,
                       .d = d,
                       .scratch = scratch,
                       .text = set->text,
                       .failed = buf_new(a),
                       .cursor = reader_cursor_at_start(set)};
}

bool read_json_open(dataset *set,
                    arena *a,
                    diag *d,
                    arena scratch,
                    bool (*each)(json_walk *w))
{
    ptrdiff_t before = d->count;
    json_walk w = walk_new(set, a, d, scratch);
    w.is_first = true;
    bool ok = each(&w) && d->count == before
              && reading_decide(&set->reading, a, &set->columns,
                                set->given.role == DATASET_PRED, d,
                                (diag_place){.file = set->file.path}, scratch);
    w = walk_new(set, a, d, scratch);
    reader_expect(set, a, set->columns.n_records);
    if (!ok || !each(&w) || d->count > before) {
        return false;
    }
    walk_notes(&w);
    return true;
}

static bool json_open(dataset *set, arena *a, diag *d, arena scratch)
{
    file_layout layout = layout_of(set, a, scratch);
    set->is_keyed = layout.kind == LAYOUT_MAP || layout.kind == LAYOUT_TEXTS;
    bool is_bird = layout.kind == LAYOUT_TEXTS && set->format == FORMAT_JSONL;
    set->format = is_bird ? FORMAT_BIRD : set->format;
    set->place = layout.place;
    if (layout.kind >= LAYOUT_UNEVEN) {
        return diag_add(
            d, reader_place(set, 0), "%s",
            layout.kind == LAYOUT_SEVERAL
                ? "one object has cases in several places; write each to a "
                  "separate file"
                : "a table by columns whose lists differ in length");
    }
    return read_json_open(set, a, d, scratch, walk_json);
}

const json *reader_json_value(const dataset *set, ptrdiff_t i, arena *a)
{
    str slice = reader_slice(set, i);
    json_repairs repairs = {0};
    ptrdiff_t from = set->is_keyed ? after_key(slice, 0) : 0;
    json *j = json_parse_kindly(a, str_skip(slice, from), &repairs, NULL);
    if (j && set->is_keyed) {
        j->key = key_of(slice, a);
    }
    return j;
}

const reader reader_json = {json_open, reader_json_value};
