/*
 * json.h - JSON values in an arena, read and written.
 *
 * Integers of 64 bits stay exact. A text may hold NUL bytes; half a surrogate
 * pair becomes U+FFFD. Of repeated keys in an object the last one counts. A
 * number that neither 64 bits nor a double can hold keeps its digits. All that
 * RFC 8259 forbids is an error with its byte offset, and so are more than 2048
 * levels.
 */
#ifndef ASSAY_BASE_JSON_H
#define ASSAY_BASE_JSON_H

#include "base/buf.h"
#include "base/json_pull.h"

typedef enum json_kind {
    JSON_KIND_NULL,
    JSON_KIND_FALSE,
    JSON_KIND_TRUE,
    JSON_KIND_INT,
    JSON_KIND_REAL,
    JSON_KIND_STRING,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT,
} json_kind;

typedef struct json json;
struct json {
    json_kind kind;
    str key;      // its name, when it is a member of an object
    str text;     // JSON_KIND_STRING; a number as it is written, where `i` and
                  // `real` cannot hold it
    int64_t i;    // JSON_KIND_INT
    double real;  // JSON_KIND_INT and JSON_KIND_REAL
    json *child;  // of arrays and objects: the first member, in file order
    json *next;   // the next member of the same parent
    ptrdiff_t n;  // number of members
};

// Reads one value at the start of `text`, white space before it allowed, and
// sets *used to the bytes read. NULL and *error (may be NULL) when there is
// none.
json *json_parse_prefix(arena *a, str text, ptrdiff_t *used, json_error *error);

// The same for a text that is one value and nothing else but white space.
json *json_parse(arena *a, str text, json_error *error);

// The same, but passes over faults and counts them.
json *json_parse_kindly(arena *a,
                        str text,
                        json_repairs *repairs,
                        json_error *error);

// The member called `key`, or NULL; also NULL when j is NULL or no object.
const json *json_get(const json *j, str key);

// Value `i` of an array or an object; NULL: it is neither, or has fewer.
const json *json_at(const json *j, ptrdiff_t i);

// The first value in the member called `key`; NULL: it has none.
const json *json_children(const json *j, str key);

// The text of a string member; empty when there is none.
str json_get_text(const json *j, str key);

// The integer of a member, else `fallback`.
int64_t json_get_int(const json *j, str key, int64_t fallback);

// A string as it is, a number or truth value as it is written; false for the
// rest. For ids, which some files write as numbers.
bool json_scalar_text(arena *a, const json *j, str *out);

// Appends `s` in quotes, escaped; bytes that are not UTF-8 become U+FFFD.
void json_add_text(buf *b, str s);

// Appends a number; NaN and infinities, which JSON lacks, become null.
void json_add_double(buf *b, double d);

// Before each member of an object or array: adds the comma where one is due.
// Whole objects: json_write.h.
void json_next(buf *b);
void json_key(buf *b, str key);

// A whole array of texts.
void json_add_texts(buf *b, const str *texts, ptrdiff_t n);

// Appends any value in one line.
void json_add(buf *b, const json *j);

// The same as a text; empty for NULL.
str json_written(arena *a, const json *j);

#endif  // ASSAY_BASE_JSON_H
