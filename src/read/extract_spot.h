/*
 * extract_spot.h - whether SQL begins at a place in a text, and how far it
 * goes; private to the extractor.
 */
#ifndef ASSAY_READ_EXTRACT_SPOT_H
#define ASSAY_READ_EXTRACT_SPOT_H

#include "base/arena.h"

typedef struct spot {
    str text;
    ptrdiff_t at;
    ptrdiff_t line;  // where it begins, or what follows a mark
    int tries;       // for SQL in sentences, so far
    ptrdiff_t vain;  // bytes read so far for SQL that was not whole
    bool is_fresh;   // SQL may begin here
    bool is_direct;  // nothing stands before but marks and blanks
    bool is_inside;  // of a wrapper
} spot;

// The SQL that begins at s->at; empty: none does. Escapes of a quoted text are
// read, into `a`.
typedef struct spotted {
    str sql;
    ptrdiff_t end;   // of what was taken
    bool is_quoted;  // in quotes
    bool is_marked;  // in a mark of emphasis or code
    bool has_prose;  // after it
    bool has_mark;   // ended by one
} spotted;

spotted spot_sql(spot *s, arena *a, arena scratch);

// Over one word, number or sign.
void spot_step(spot *s);

#endif  // ASSAY_READ_EXTRACT_SPOT_H
