/*
 * read_json.h - records that are read as JSON values, whatever they are written
 * in; private to src/read.
 *
 * Order of    read_json_open()     calls `each` twice: what the members hold
 * calls         each()             is counted, then decided, then read
 *                 read_json_add()  each record, in the order of the file
 */
#ifndef ASSAY_READ_READ_JSON_H
#define ASSAY_READ_READ_JSON_H

#include "base/diag.h"
#include "read/read_json_record.h"

typedef struct json_walk {
    dataset *set;
    arena *a;
    diag *d;
    arena scratch;
    str text;
    bool is_first;  // of two walks: what the members hold is counted
    str session;    // whose turns are walked; empty: none
    str db;         // of that session
    reader_cursor cursor;
    reader_sessions sessions;
    ptrdiff_t missing_commas;
    ptrdiff_t extra_commas;
    ptrdiff_t first_extra;
    ptrdiff_t null_words;  // NaN and such
    ptrdiff_t n_failed;    // requests that have no answer
    buf failed;            // the first of them, with their reasons
} json_walk;

bool read_json_open(dataset *set,
                    arena *a,
                    diag *d,
                    arena scratch,
                    bool (*each)(json_walk *w));

// A record, or a whole session, that stands at [from, end) of the file. False
// with a message.
bool read_json_add(json_walk *w,
                   const json *j,
                   ptrdiff_t from,
                   ptrdiff_t end,
                   arena scratch);

#endif  // ASSAY_READ_READ_JSON_H
