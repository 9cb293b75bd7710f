/*
 * dataset.c - opening, the index, and the way from an entry to its record.
 *
 * Why         Predictions come in a dozen shapes, and everybody who scores
 *             them has written the same fragile glue. Here a shape is one
 *             reader (reader.h); the rest of assay sees records only.
 *
 * Method      A reader walks the bytes once; reader_add keeps 48 bytes a
 *             record. The file stays mapped, but its pages are given back to
 *             the system behind the walk, and again when records are read in
 *             order.
 *
 * Invariants  (1) What dataset_open accepted, dataset_record can read.
 *             (2) Whether bare SQL is gold or a prediction is decided once for
 *                 the file, never record by record: a prediction that is
 *                 missing must not be replaced by the gold beside it.
 *
 * Not here    What the bytes mean (read_*.c), which prediction belongs to
 *             which question (pair.c).
 */
#include "read/dataset.h"

#include "base/apart.h"
#include "base/file_kind.h"
#include "base/words.h"
#include "read/encoding.h"
#include "read/extract.h"
#include "read/extract_line.h"
#include "read/extract_scan.h"
#include "read/member_value.h"
#include "read/reader.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_MARK = 16,  // before the statement in a line
};

typedef struct format_row {
    str word;
    const reader *reader;
} format_row;

static const format_row formats[FORMAT_COUNT] = {
    [FORMAT_AUTO] = {S_INIT("auto"), NULL},
    [FORMAT_SPIDER_TEXT] = {S_INIT("spider"), &reader_text},
    [FORMAT_LINES] = {S_INIT("lines"), &reader_text},
    [FORMAT_SPIDER_JSON] = {S_INIT("spider_json"), &reader_json},
    [FORMAT_BIRD] = {S_INIT("bird"), &reader_json},
    [FORMAT_JSONL] = {S_INIT("jsonl"), &reader_json},
    [FORMAT_SQL_EVAL] = {S_INIT("sql_eval"), &reader_json},
    [FORMAT_DEFOG_CSV] = {S_INIT("defog"), &reader_csv},
    [FORMAT_CSV] = {S_INIT("csv"), &reader_csv},
    [FORMAT_SPIDER2] = {S_INIT("spider2"), &reader_folder},
    [FORMAT_IBM] = {S_INIT("ibm"), &reader_json},
    [FORMAT_CHAT] = {S_INIT("chat"), &reader_json},
    [FORMAT_LM_EVAL] = {S_INIT("lm_eval"), &reader_json},
    [FORMAT_INSPECT] = {S_INIT("inspect"), &reader_json},
    [FORMAT_PROMPTFOO] = {S_INIT("promptfoo"), &reader_json},
    [FORMAT_STATEMENTS] = {S_INIT("statements"), &reader_statements},
    [FORMAT_YAML] = {S_INIT("yaml"), &reader_yaml},
};

str dataset_format_word(dataset_format f)
{
    assert(f < FORMAT_COUNT);
    return formats[f].word;
}

bool dataset_format_from_word(str word, dataset_format *out)
{
    ptrdiff_t f = words_at_fold(formats, word, word);
    *out = f >= 0 ? (dataset_format)f : *out;
    return f >= 0;
}

diag_place reader_place(const dataset *set, ptrdiff_t offset)
{
    return diag_locate(set->file.path, set->text, offset);
}

str reader_slice(const dataset *set, ptrdiff_t i)
{
    const dataset_entry *e = &set->entries.ptr[i];
    return str_sub(set->text, e->offset, e->offset + e->size);
}

void reader_note(dataset *set, arena *a, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *vec_push(a, &set->notes) = arena_str(a, str_from(text));
}

const char *reader_was(ptrdiff_t n)
{
    return n == 1 ? " was" : "s were";
}

bool reader_is_blank(const dataset *set, ptrdiff_t i)
{
    assert(i >= 0 && i < set->entries.len);
    return set->n_blank > 0 && set->entries.ptr[i].size == 0;
}

// What lies behind record i is not needed, where records are read in order.
static void sweep(const dataset *set, ptrdiff_t i)
{
    const dataset_entry *e = set->entries.ptr;
    file_pass(&set->file, i > 0 ? e[i - 1].offset : 0, e[i].offset);
}

reader_cursor reader_cursor_at_start(const dataset *set)
{
    return (reader_cursor){.set = set, .line = 1};
}

int64_t reader_line_at(reader_cursor *c, ptrdiff_t offset)
{
    str passed = str_sub(c->set->text, c->offset, offset);
    while (passed.len > 0) {
        str_cut(&passed, '\n');
        c->line += passed.ptr ? 1 : 0;
    }
    file_pass(&c->set->file, c->offset, offset);
    c->offset = offset > c->offset ? offset : c->offset;
    return c->line;
}

void reader_expect(dataset *set, arena *a, ptrdiff_t n)
{
    set->entries.ptr = arena_new(a, dataset_entry, n);
    set->entries.cap = n;
}

// Counts one more that has `it`, or remembers the first that has not.
static void count_one(bool has, ptrdiff_t i, ptrdiff_t *n, ptrdiff_t *first)
{
    *n += has ? 1 : 0;
    if (!has && *first < 0) {
        *first = i;
    }
}

// Names of models; else several predictions are samples of one.
static void note_preds(dataset *set, arena *a, const record *r)
{
    bool is_by_model = false;
    for (ptrdiff_t k = 0; k < r->n_preds; k++) {
        if (r->preds[k].run.len > 0) {
            map_add(&set->models, a, r->preds[k].run);
            is_by_model = true;
        }
    }
    ptrdiff_t n = is_by_model ? 1 : r->n_preds;
    set->most_samples = n > set->most_samples ? n : set->most_samples;
}

// Golds without the wrappers that files for fine-tuning keep; *first says how
// the first of them that has one is wrapped.
static const str *unwrap_all(arena *a,
                             const str *golds,
                             ptrdiff_t n,
                             str *first)
{
    str *out = NULL;
    for (ptrdiff_t i = 0; i < n; i++) {
        str note = {0};
        str sql = extract_gold(a, golds[i], &note);
        if (note.len > 0 && !out) {
            out = arena_copy(a, golds, n, 0);
            *first = note;
        }
        if (out) {
            out[i] = sql;
        }
    }
    return out ? out : golds;
}

static void count_wrapped(dataset *set, arena *a, const record *r)
{
    arena scratch = *a;
    str note = {0};
    if (set->given.role != DATASET_PRED
        && unwrap_all(&scratch, r->golds, r->n_golds, &note) != r->golds
        && set->n_wrapped++ == 0) {
        set->wrapping = arena_str(&scratch, note);
        *a = scratch;
    }
}

// Its own, or one in the folder of results.
static bool has_gold(const dataset *set, arena scratch, record r)
{
    result_files_find(&set->results, &scratch, &r);
    return r.n_golds + r.n_results > 0;
}

void reader_add(dataset *set,
                arena *a,
                const record *r,
                int64_t offset,
                int64_t size)
{
    ptrdiff_t i = set->entries.len;
    assert(i < INT32_MAX);
    set->n_with_id += r->id.len > 0;
    count_one(has_gold(set, *a, *r), i, &set->n_with_gold, &set->no_gold);
    count_one(r->n_preds > 0, i, &set->n_with_pred, &set->no_pred);
    note_preds(set, a, r);
    count_wrapped(set, a, r);
    if (!set->given.is_record && !set->is_in_memory) {
        result_files_add(&set->results, a, path_folder(set->file.path), r);
    }
    *vec_push(a, &set->entries) = (dataset_entry){
        .offset = offset,
        .size = size,
        .id = r->id.len > 0 ? hash_bytes(r->id) : (hash128){0},
        .line = (int32_t)r->line,
        .db = r->db.len > 0 ? (int32_t)map_add(&set->dbs, a, r->db) : -1,
        .interaction = (int32_t)r->interaction,
        .turn = (int32_t)r->turn};
}

void reader_session(reader_sessions *s, arena *a, str name, str turn, record *r)
{
    if (name.len == 0) {
        return;
    }
    ptrdiff_t session = map_add(&s->names, a, name);
    int64_t given = 0;
    bool is_given = str_to_int(turn, &given) && given >= 0 && given < INT32_MAX;
    int32_t next = (*vec_at(a, &s->turns, session))++;
    r->interaction = session;
    r->turn = is_given ? (ptrdiff_t)given : next;
}

const json *reader_text_value(str text, str id, arena *a)
{
    json *j = arena_new(a, json, 1);
    *j = (json){.kind = JSON_KIND_STRING, .key = id, .text = text};
    return j;
}

static const json *value_at_entry(const dataset *set, ptrdiff_t i, arena *a)
{
    return formats[set->format].reader->value(set, i, a);
}

static record record_at_entry(const dataset *set, ptrdiff_t i, arena *a)
{
    return reader_record(set, value_at_entry(set, i, a), a);
}

keys reader_ids(const dataset *set, arena *a)
{
    hash128 *of = arena_new(a, hash128, set->entries.len);
    for (ptrdiff_t i = 0; i < set->entries.len; i++) {
        of[i] = set->entries.ptr[i].id;
    }
    return keys_index(a, of, set->entries.len);
}

// Of the comment on the line above the statement, or at its start, the number
// that it begins with, else all up to a colon.
static str comment_of(const dataset *set, ptrdiff_t i)
{
    str own = str_trim(reader_slice(set, i));
    str above = str_sub(set->text, 0, set->entries.ptr[i].offset);
    bool is_own = extract_skip(own, 0) > 0;
    str line = is_own ? str_cut(&own, '\n') : line_last(str_trim(above));
    bool is_comment = line.len > 2 && extract_skip(line, 0) == line.len;
    str text = str_trim(str_skip(line, 2));
    ptrdiff_t n = str_run(text, 0, is_digit);
    str word = n > 0 ? str_sub(text, 0, n) : str_trim(str_cut(&text, ':'));
    return is_comment ? word : (str){0};
}

// "3" of "3. SELECT 1", "Q3" of "Q3: SELECT 1", all before a TAB.
static str mark_in(str line)
{
    str rest = line;
    str before = str_cut(&rest, '\t');
    ptrdiff_t n = 0;
    while (n < line.len && n < LONGEST_MARK && !strchr(".:)", line.ptr[n])) {
        n++;
    }
    return extract_starts_sql(line)   ? (str){0}
           : extract_starts_sql(rest) ? before
           : n < LONGEST_MARK         ? str_sub(line, 0, n)
                                      : (str){0};
}

static str mark_of(const dataset *set, ptrdiff_t i)
{
    return mark_in(str_trim(reader_slice(set, i)));
}

str reader_db(const dataset *set, ptrdiff_t i)
{
    assert(i >= 0 && i < set->entries.len);
    int32_t db = set->entries.ptr[i].db;
    return db < 0 ? (str){0} : map_key_at(&set->dbs, db);
}

// The columns of a text without names.
static const struct {
    str name;
    field_kind kind;
    str (*word)(const dataset *set, ptrdiff_t i);
} text_columns[] = {
    {S_INIT("the comments above the statements"), FIELD_NONE, comment_of},
    {S_INIT("the words after the TABs"), FIELD_DB, reader_db},
    {S_INIT("the marks before the statements"), FIELD_NONE, mark_of},
};

static void add_text_columns(dataset *set, arena *a)
{
    for (ptrdiff_t k = 0; k < countof(text_columns); k++) {
        *vec_push(a, &set->columns.list) =
            (file_column){.path = text_columns[k].name,
                          .named = {.kind = text_columns[k].kind}};
    }
}

// Something that looks like an id, but stands more than once, is none.
static void drop_ids(dataset *set)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < set->reading.rows.len; i++) {
        if (set->reading.rows.ptr[i].kind != FIELD_ID) {
            set->reading.rows.ptr[n++] = set->reading.rows.ptr[i];
        }
    }
    set->reading.rows.len = n;
    set->n_with_id = 0;
    for (ptrdiff_t i = 0; i < set->entries.len; i++) {
        set->entries.ptr[i].id = (hash128){0};
    }
}

// Several records for each id are the samples of a case: the first of each goes
// to the front, its j-th sample j times as far.
static void join_samples(dataset *set, arena *a, const keys *ids, ptrdiff_t k)
{
    ptrdiff_t n = ids->n / k;
    dataset_entry *all = arena_new(a, dataset_entry, ids->n);
    int32_t *next = arena_new(a, int32_t, ids->n);  // by first record
    int32_t n_cases = 0;
    for (ptrdiff_t i = 0; i < ids->n; i++) {
        int32_t *to = &next[ids->first[i]];
        *to = ids->first[i] == i ? n_cases++ : *to + (int32_t)n;
        all[*to] = set->entries.ptr[i];
    }
    set->entries.ptr = all;
    set->entries.len = set->entries.cap = n;
    set->n_records_each = k;
    set->most_samples = k;
    reader_note(set, a, "%td records for each id, read as samples", k);
}

// What the ids of all records say. Those that begin anew in each database are
// no samples.
static void dataset_ids(dataset *set, arena *a, arena scratch)
{
    bool is_weak = set->reading.has_weak_ids;
    bool may_repeat = set->given.role == DATASET_PRED && set->most_samples <= 1
                      && map_count(&set->models) == 0
                      && set->columns.n_records > 0
                      && !set->reading.has_format_ids;
    if (set->entries.len < 2 || set->n_with_id < set->entries.len
        || (!is_weak && !may_repeat)) {
        return;
    }
    keys ids = reader_ids(set, &scratch);
    ptrdiff_t k = keys_records_each(&ids, scratch);
    bool are_of_one_db = true;
    for (ptrdiff_t i = 0; i < ids.n; i++) {
        are_of_one_db &=
            set->entries.ptr[i].db == set->entries.ptr[ids.first[i]].db;
    }
    if (is_weak && k != 1) {
        drop_ids(set);
    } else if (k > 1 && are_of_one_db) {
        join_samples(set, a, &ids, k);
    }
}

static void dataset_finish(dataset *set, arena *a, arena scratch)
{
    dataset_ids(set, a, scratch);
    ptrdiff_t n = set->entries.len;
    if (set->columns.n_records == 0) {
        add_text_columns(set, a);
    }
    str structure = set->reading.structure;
    if (structure.len > 0) {
        reader_note(
            set, a,
            "'%.*s' contains an object or a list, not a text, so no SQL is "
            "read from it",
            STR_ARG(structure));
    }
    if (set->n_wrapped > 0) {
        reader_note(set, a, "%td gold%s taken out of text around %s: %.*s",
                    set->n_wrapped, reader_was(set->n_wrapped),
                    set->n_wrapped == 1 ? "it" : "them",
                    STR_ARG(set->wrapping));
    }
    set->has_ids = n > 0 && set->n_with_id >= n;
    if (set->n_with_id > 0 && set->n_with_id < n) {
        reader_note(set, a,
                    "%td of %td records have no id, so ids are not used",
                    n - set->n_with_id, n);
    }
}

// Bytes that can be no text at all.
static bool check_bytes(const dataset *set, diag *d)
{
    file_kind kind = file_kind_of(set->file.bytes);
    bool is_database = kind == FILE_KIND_SQLITE || kind == FILE_KIND_DUCKDB;
    return kind == FILE_KIND_OTHER
           || diag_add(d, (diag_place){.file = set->file.path},
                       "the file %.*s%s", STR_ARG(file_kind_text(kind)),
                       is_database ? ", not a file of cases" : "");
}

static bool check_text(const dataset *set, diag *d)
{
    return str_trim(set->text).len > 0
           || diag_add(d, (diag_place){.file = set->file.path},
                       "the file is empty");
}

static bool decode(dataset *set, arena *a, diag *d)
{
    ptrdiff_t n = 0;
    if (!encoding_read(&set->text, &n, a, &set->file, set->given.encoding, d)) {
        return false;
    }
    if (n > 0) {
        reader_note(set, a, "%td byte%s no UTF-8, read as U+FFFD", n,
                    reader_was(n));
    }
    return true;
}

static bool dataset_read(dataset *set, arena *a, diag *d, arena scratch)
{
    if (!formats[set->format].reader->open(set, a, d, scratch)) {
        return false;
    }
    if (set->entries.len == 0) {
        str why =
            set->failed.len > 0 ? set->failed : S("there are no records in it");
        return diag_add(d, (diag_place){.file = set->file.path}, "%.*s",
                        STR_ARG(why));
    }
    dataset_finish(set, a, scratch);
    file_forget(&set->file, set->file.bytes.len);
    return true;
}

// set->file is there; finds out what is in it.
static bool dataset_read_file(dataset *set, arena *a, diag *d, arena scratch)
{
    if (!check_bytes(set, d) || !decode(set, a, d) || !check_text(set, d)) {
        return false;
    }
    if (set->format == FORMAT_AUTO) {
        set->format = reader_detect(set, d, scratch);
    }
    if (set->format == FORMAT_COUNT) {
        return false;
    }
    if (set->format == FORMAT_SPIDER2) {
        return diag_add(d, (diag_place){.file = set->file.path},
                        "format spider2 is a folder of ID.sql files, and this "
                        "is a file");
    }
    return dataset_read(set, a, d, scratch);
}

static bool dataset_read_folder(dataset *set, arena *a, diag *d, arena scratch)
{
    if (set->format != FORMAT_AUTO && set->format != FORMAT_SPIDER2) {
        return diag_add(d, (diag_place){.file = set->file.path},
                        "this is a folder; format %.*s is a file",
                        STR_ARG(dataset_format_word(set->format)));
    }
    set->format = FORMAT_SPIDER2;
    return dataset_read(set, a, d, scratch);
}

static dataset dataset_new(file_map file, dataset_options options)
{
    return (dataset){.file = file,
                     .format = options.format,
                     .given = options,
                     .no_gold = -1,
                     .no_pred = -1};
}

bool dataset_open_bytes(dataset *set,
                        arena *a,
                        file_map bytes,
                        dataset_options options,
                        diag *d,
                        arena scratch)
{
    *set = dataset_new(bytes, options);
    set->is_in_memory = true;
    return dataset_read_file(set, a, d, scratch);
}

bool dataset_open(dataset *set,
                  arena *a,
                  str path,
                  dataset_options options,
                  diag *d,
                  arena scratch)
{
    arena temp = scratch;
    bool is_folder = file_is_folder(arena_cstr(&temp, path));
    file_map file = {.path = arena_str(a, path)};
    bool ok = is_folder || file_open(&file, a, path, d);
    *set = dataset_new(file, options);

    ok =
        ok
        && (options.results.len == 0
            || result_files_open(&set->results, a, options.results, d, scratch))
        && (is_folder ? dataset_read_folder(set, a, d, scratch)
                      : dataset_read_file(set, a, d, scratch));
    if (!ok) {
        dataset_close(set);
    }
    return ok;
}

void dataset_close(dataset *set)
{
    file_close(&set->file);
    result_files_close(&set->results);
    *set = (dataset){0};
}

const record_pred *dataset_extract(const record_pred *preds,
                                   ptrdiff_t n,
                                   bool is_script,
                                   arena *a)
{
    str (*const extract)(arena *, str, str *) =
        is_script ? extract_script : extract_sql;
    record_pred *out = arena_new(a, record_pred, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        out[i] = preds[i];
        if (out[i].sql.len == 0) {
            out[i].sql = extract(a, preds[i].raw, &out[i].note);
        }
    }
    return out;
}

// The answers in the other records of the same id.
static void add_samples(const dataset *set, ptrdiff_t i, record *r, arena *a)
{
    ptrdiff_t k = set->n_records_each;
    record_pred *all = k > 1 ? arena_new(a, record_pred, k) : NULL;
    for (ptrdiff_t j = 0; j < k && k > 1; j++) {
        record one =
            j == 0 ? *r : record_at_entry(set, i + j * set->entries.len, a);
        all[j] = one.n_preds > 0 ? one.preds[0] : (record_pred){0};
        if (j > 0) {
            told_add(&all[0].told, &all[j].told);
        }
    }
    r->preds = all ? all : r->preds;
    r->n_preds = all ? k : r->n_preds;
}

record dataset_record(const dataset *set, ptrdiff_t i, arena *a)
{
    assert(i >= 0 && i < set->entries.len);
    const dataset_entry *e = &set->entries.ptr[i];
    sweep(set, i);
    record r = record_at_entry(set, i, a);
    if (e->db >= 0) {
        r.db = map_key_at(&set->dbs, e->db);
    }
    r.line = e->line;
    r.interaction = e->interaction;
    r.turn = e->turn;
    add_samples(set, i, &r, a);
    r.golds = unwrap_all(a, r.golds, r.n_golds, &(str){0});
    result_files_find(&set->results, a, &r);
    return r;
}

bool dataset_gold_is_script(const record *r)
{
    str gold = r->n_golds > 0 ? r->golds[0] : (str){0};
    return extract_starts_sql(gold) && !extract_starts_query(gold);
}

str dataset_word(const dataset *set, ptrdiff_t i, str path, arena *a)
{
    sweep(set, i);
    if (set->columns.n_records == 0) {
        ptrdiff_t k = words_at(text_columns, name, path);
        return k < 0 ? (str){0} : text_columns[k].word(set, i);
    }
    const json *j = value_at_entry(set, i, a);
    const json *v = j ? value_at(j, path, a) : NULL;
    str word = v ? value_word(a, v) : (str){0};
    return column_word(word);
}

void dataset_say(const dataset *set, buf *out)
{
    ptrdiff_t n = set->entries.len - set->n_blank;
    str word = dataset_format_word(set->format);
    buf_printf(out, "%.*s, %td record%s", STR_ARG(word), n, plural(n));
    if (set->is_keyed) {
        buf_add(out, S(", the keys are the ids"));
    }
    if (set->reading.rows.len + set->reading.unused.len > 0) {
        buf_add(out, S("; "));
        reading_say(&set->reading, out);
    }
}

str record_id(const record *r, ptrdiff_t i, arena *a)
{
    return r->id.len > 0 ? r->id : arena_printf(a, "%td", i);
}
