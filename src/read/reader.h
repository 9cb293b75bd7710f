/*
 * reader.h - what the readers of the single formats share; private to
 * src/read.
 *
 * A reader is two functions: one walks the whole file, checks it and calls
 * reader_add for each record; the other gives what stands at one entry as JSON.
 * Both use the same code to get from there to a record (read_json_record.h), so
 * what was checked is what is read. Predictions come with `raw` only; dataset.c
 * takes the SQL out.
 */
#ifndef ASSAY_READ_READER_H
#define ASSAY_READ_READER_H

#include "read/dataset.h"
#include "read/field.h"
#include "read/keys.h"

typedef struct reader {
    bool (*open)(dataset *set, arena *a, diag *d, arena scratch);
    // The record as JSON: an object, or a bare text. The key of the value is
    // its id, where the file has it outside of the record.
    const json *(*value)(const dataset *set, ptrdiff_t i, arena *a);
} reader;

// Of formats that are read as the JSON that says the same (dataset.text).
const json *reader_json_value(const dataset *set, ptrdiff_t i, arena *a);

extern const reader reader_text;
extern const reader reader_json;
extern const reader reader_csv;
extern const reader reader_folder;
extern const reader reader_statements;
extern const reader reader_yaml;

// What the file is, by its content. FORMAT_COUNT with a message when it is
// nothing known.
dataset_format reader_detect(const dataset *set, diag *d, arena scratch);

// The label for a text that begins with a row of column names; FORMAT_COUNT
// when it does not.
dataset_format reader_csv_format(str text, field_aliases own, arena scratch);

// Makes room in the index for so many records: a large one shall not be copied
// while it grows.
void reader_expect(dataset *set, arena *a, ptrdiff_t n);

// Takes the record into the index, which keeps `size` bytes at `offset` of the
// file for it.
void reader_add(dataset *set,
                arena *a,
                const record *r,
                int64_t offset,
                int64_t size);

// Sessions by name: gives the record the number of the session and, when `turn`
// is no number, the next turn in it.
typedef struct reader_sessions {
    map names;
    vec_of(int32_t) turns;  // by session: how many so far
} reader_sessions;

void reader_session(reader_sessions *s,
                    arena *a,
                    str name,
                    str turn,
                    record *r);

// An oddity that was read over, for dataset.notes.
void reader_note(dataset *set, arena *a, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// " was" or "s were": "1 comma was", "3 commas were".
const char *reader_was(ptrdiff_t n);

// Where byte `offset` of the text is, for a message.
diag_place reader_place(const dataset *set, ptrdiff_t offset);

// Counts lines while a reader moves forward through the file, and tells the
// system from time to time that what lies after is not needed.
typedef struct reader_cursor {
    const dataset *set;
    ptrdiff_t offset;

    int64_t line;
} reader_cursor;

reader_cursor reader_cursor_at_start(const dataset *set);

// The line, from 1, of the byte at `offset`, which never goes back.
int64_t reader_line_at(reader_cursor *c, ptrdiff_t offset);

// A line of SQL, and what stands behind it, after a TAB each.
typedef struct reader_line {
    str sql;
    str db;      // one word, so that it can be the name of a database
    str figure;  // a number with decimals, such as a score
} reader_line;

reader_line reader_line_of(str line);

// One word, so that it can be the name of a database.
bool reader_is_db_name(str s);

// The database of record i; empty: none is named.
str reader_db(const dataset *set, ptrdiff_t i);

// The ids of all records.
keys reader_ids(const dataset *set, arena *a);

// Is it a blank line between predictions (dataset.n_blank)?
bool reader_is_blank(const dataset *set, ptrdiff_t i);

// The entry's own bytes.
str reader_slice(const dataset *set, ptrdiff_t i);

// A record of one text, which is gold or prediction by the role of the file.
const json *reader_text_value(str text, str id, arena *a);

// What a reader gave as a record of no session; it borrows texts from there.
record reader_record(const dataset *set, const json *value, arena *a);

#endif  // ASSAY_READ_READER_H
