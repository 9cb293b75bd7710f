/*
 * diag.h - positioned messages about input that is wrong.
 *
 * An internal function that can fail takes a diag, adds one message for each
 * thing that is wrong and returns false (or NULL). Nobody prints on the way;
 * the command line prints them all, the library folds the first into its
 * assay_error. Messages: lower case, no full stop, what is wrong first, the
 * subject in single quotes, then what was found, then a hint.
 */
#ifndef ASSAY_BASE_DIAG_H
#define ASSAY_BASE_DIAG_H

#include "base/arena.h"

typedef struct diag_place {
    str file;        // as the user named it; empty: no file
    int64_t line;    // from 1; 0: no position
    int64_t column;  // from 1, in bytes; 0: whole line
} diag_place;

typedef struct diag_message {
    diag_place place;
    str text;
    bool is_remark;  // says how something was understood; nothing is wrong
} diag_message;

typedef struct diag {
    vec_of(diag_message) messages;  // at most DIAG_MAX are kept
    ptrdiff_t count;                // how many there were
    arena *a;
} diag;

enum {
    DIAG_MAX = 20
};

diag diag_new(arena *a);

// Always returns false, so that a check may end with `return diag_add(...)`.
bool diag_add(diag *d, diag_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Makes the last message a remark.
void diag_remark(diag *d);

// What the first message says; empty without one.
str diag_first(const diag *d);

// "file:line:column: text" with the parts that are known.
str diag_format(arena *a, diag_message m);

// Line and column of byte `offset` in `text`.
diag_place diag_locate(str file, str text, ptrdiff_t offset);

// The candidate nearest to `word`, for "did you mean", whatever the letter case;
// an empty str when none is within a third of its length, or none begins like
// it and half of each differs.
str diag_nearest(str word, const str *candidates, ptrdiff_t n, arena scratch);

// "; did you mean 'near'?"; empty where nothing is near.
str diag_did_you_mean(arena *a, str near);

#endif  // ASSAY_BASE_DIAG_H
