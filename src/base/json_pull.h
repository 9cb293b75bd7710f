/*
 * json_pull.h - reads one JSON value from left to right, without a tree.
 *
 * What is not wanted is skipped, a text without escapes is borrowed, nothing is
 * allocated for the rest. The reader asks for what it expects; the first
 * surprise makes the reading fail, and from then on the answer is always "no
 * more". In skipped parts, escapes and the order of separators are not
 * checked; all else that RFC 8259 forbids is found.
 *
 *     json_pull s = json_pull_begin(line);
 *     for (json_pull_open(&s, '{'); json_pull_next(&s, '}');) {
 *         str key = json_pull_key(&s, a);
 *         if (str_equal(key, S("id"))) id = json_pull_scalar(&s, a);
 *         else json_pull_skip(&s);
 *     }
 *     if (!json_pull_end(&s)) ...the line is broken
 */
#ifndef ASSAY_BASE_JSON_PULL_H
#define ASSAY_BASE_JSON_PULL_H

#include "base/arena.h"

// Two faults of common writers that may be passed over: a comma before a
// closing bracket, and the words NaN and Infinity, which are read as null.
typedef struct json_repairs {
    ptrdiff_t commas;  // how many
    ptrdiff_t words;
    ptrdiff_t first;  // offset of the first one
} json_repairs;

typedef struct json_error {
    ptrdiff_t offset;  // byte of the text where reading stopped
    char message[160];
} json_error;

typedef struct json_pull {
    const char *begin;
    const char *at;
    const char *end;
    const char *problem;    // why reading stopped at `at`; NULL: it did not
    json_repairs *repairs;  // passes over these faults; NULL: they are errors
    bool is_first;          // just after an opening bracket
    bool copies;            // texts are copied, never borrowed
} json_pull;

json_pull json_pull_begin(str text);

// Takes the opening bracket '{' or '['.
bool json_pull_open(json_pull *s, char bracket);

// Is there another member? Takes the comma before it, or the closing bracket.
bool json_pull_next(json_pull *s, char closing);

// Takes the name of a member and its colon.
str json_pull_key(json_pull *s, arena *a);

// Takes a string as text, null as the empty text, a number or truth value as
// it is written. Objects and arrays fail.
str json_pull_scalar(json_pull *s, arena *a);

// Goes into an array or an object that begins with this bracket; takes any
// other value, and is false.
bool json_pull_enter(json_pull *s, char bracket);

// Takes an array of what json_pull_scalar() takes; of any other value none.
str_list json_pull_texts(json_pull *s, arena *a);

// Takes a number; null counts as `fallback`.
double json_pull_number(json_pull *s, double fallback);

// Likewise as a whole number, cut to +-1e15: sums of many of them fit.
int64_t json_pull_count(json_pull *s, int64_t fallback);

// Takes any value.
void json_pull_skip(json_pull *s);

// The first byte of the next value, 0 at the end: what will come?
char json_pull_peek(json_pull *s);

// Is it a number as JSON writes one, and without a point or an exponent?
bool json_is_number(str word, bool *is_whole);

// Nothing failed and nothing but white space is left.
bool json_pull_end(json_pull *s);

// Stops the reading here. `problem` is a literal: what is wrong, or "expected"
// and what should stand here.
bool json_pull_fail(json_pull *s, const char *problem);

// What went wrong, and where. Only after a failure.
json_error json_pull_error(const json_pull *s);

#endif  // ASSAY_BASE_JSON_PULL_H
