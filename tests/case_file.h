/*
 * case_file.h - the text format of test cases.
 *
 *     #! kind: lex                first line of the file
 *     # ...                       comments, before the first case only
 *     === title                   begins a case
 *     key: value                  set-up, before the first section of the case
 *     --- section [argument]      begins a body: raw bytes up to the next fence
 *     --- want [name]             an output
 *
 * The first fence of a file sets the width of all its fences; take a longer
 * one when a body holds a line that looks like a fence. Blank lines at the end
 * of a body do not belong to it, nor does the end of its last line.
 */
#ifndef ASSAY_TESTS_CASE_FILE_H
#define ASSAY_TESTS_CASE_FILE_H

#include "base/diag.h"

typedef struct case_key_line {
    str key;
    str value;
    int64_t line;
} case_key_line;

typedef struct case_body {
    str name;
    str argument;  // empty when there is none
    str body;      // a part of case_file.text
    int64_t line;  // of its fence
} case_body;

typedef struct case_text {
    str title;
    int64_t line;
    vec_of(case_key_line) keys;
    vec_of(case_body) bodies;
} case_text;

typedef struct case_file {
    str path;
    str text;
    str kind;
    ptrdiff_t fence;  // how many `=` or `-`
    vec_of(case_text) cases;
} case_file;

// Reads `text`, which must stay; false with messages when it is not in the
// format above.
bool case_file_read(case_file *f, arena *a, str path, str text, diag *d);

// The section `name` with this argument, or NULL.
const case_body *case_body_find(const case_text *c, str name, str argument);

// A new body for a section of the file: bless.
typedef struct case_change {
    const case_text *of;
    const case_body *body;  // NULL: append a section `want`
    str text;
} case_change;

// The text of the file with `changes` made, which stand in file order.
str case_file_bless(arena *a,
                    const case_file *f,
                    const case_change *changes,
                    ptrdiff_t n);

// True when a line of `text` would be read as a fence of this file.
bool case_file_has_fence(const case_file *f, str text);

// `text` without the blank lines and line ends at its end.
str case_drop_blank_end(str text);

#endif  // ASSAY_TESTS_CASE_FILE_H
