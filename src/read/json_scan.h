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

// One member of an object or element of an array, as offsets into the text.
typedef struct json_member {
    ptrdiff_t key;  // of its quote; equals `value` for an element of an array
    ptrdiff_t value;
    ptrdiff_t end;  // of the value
} json_member;

// Steps through the members of the object or array at text[from]: begin with
// *at = from + 1. False at the end, and where the text is not of that form.
bool json_scan_member(str text, ptrdiff_t *at, json_member *out);

// The value of the member of that name; empty: `object` is none, or has none.
str json_scan_get(str object, str name);

// What the member of an object is called, escapes as they are written.
str json_scan_name(str text, json_member m);

#endif  // ASSAY_READ_JSON_SCAN_H
