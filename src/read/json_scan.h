/*
 * json_scan.h - where a JSON value ends, without reading what is in it.
 *
 * A file of a gigabyte is cut into its records by this; each record is then
 * read by json.h. Only brackets and strings are looked at: what stands between
 * them may be wrong, and json_parse says so later.
 */
#ifndef ASSAY_READ_JSON_SCAN_H
#define ASSAY_READ_JSON_SCAN_H

#include "base/json.h"

// The end of the value that begins at text[from]. -1 and *error when it never
// ends, or a string in it holds a line break.
ptrdiff_t json_scan_value(str text, ptrdiff_t from, json_error *error);

// The first offset at or after `from` that is not white space.
ptrdiff_t json_scan_space(str text, ptrdiff_t from);

// One member of an object or element of an array, as parts of the text.
typedef struct json_member {
    str key;   // with its quotes; empty for an element of an array
    str name;  // the same without, escapes as they are written
    str value;
    char form;  // its first byte
} json_member;

// Steps through the members of the object or array at the start of `text`:
// begin with *at = 1. False at the end, and where the text is not of that form.
bool json_scan_member(str text, ptrdiff_t *at, json_member *out);

// The value of the member of that name; empty: `object` is none, or has none.
str json_scan_get(str object, str name);

#endif  // ASSAY_READ_JSON_SCAN_H
