/*
 * json_scan.c - brackets and strings, nothing else.
 *
 * Method      One pass over the bytes; a table says which of them can change
 *             anything, so that the inner loop is a table look-up a byte.
 */
#include "read/json_scan.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// Bytes at which the scanner has to stop, outside of strings.
static const bool is_structure[256] = {
    ['"'] = true, ['{'] = true, ['}'] = true, ['['] = true, [']'] = true,
};

static ptrdiff_t scan_fail(json_error *error, ptrdiff_t at, const char *message)
{
    if (error) {
        error->offset = at;
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    return -1;
}

// The offset past the closing quote of the string whose opening quote is at
// text[from]; -1 when it holds a line break or never ends.
static ptrdiff_t scan_string(str text, ptrdiff_t from, json_error *error)
{
    assert(from < text.len && text.ptr[from] == '"');
    for (ptrdiff_t i = from + 1; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '"') {
            return i + 1;
        }
        if (c == '\\') {
            i++;
        } else if (c == '\n') {
            return scan_fail(error, from,
                             "this string is not closed on its line; inside a "
                             "string a line break is written \\n");
        }
    }
    return scan_fail(error, from, "this string never ends");
}

// A number or a bare word: up to the next separator.
static ptrdiff_t scan_word(str text, ptrdiff_t from)
{
    assert(from >= 0);
    ptrdiff_t i = from;
    while (i < text.len && !is_space(text.ptr[i])
           && !strchr(",]}[{\":", text.ptr[i])) {
        i++;
    }
    return i > from ? i : from + 1;
}

ptrdiff_t json_scan_space(str text, ptrdiff_t from)
{
    return str_run(text, from, is_space);
}

ptrdiff_t json_scan_value(str text, ptrdiff_t from, json_error *error)
{
    assert(from >= 0);
    char first = from < text.len ? text.ptr[from] : '\0';
    if (first == '"') {
        return scan_string(text, from, error);
    }
    if (first != '{' && first != '[') {
        return scan_word(text, from);
    }
    ptrdiff_t depth = 0;
    for (ptrdiff_t i = from; i < text.len;) {
        char c = text.ptr[i];
        if (!is_structure[(unsigned char)c]) {
            i++;
        } else if (c == '"') {
            i = scan_string(text, i, error);
            if (i < 0) {
                return -1;
            }
        } else {
            depth += c == '{' || c == '[' ? 1 : -1;
            i++;
            if (depth == 0) {
                return i;
            }
        }
    }
    return scan_fail(error, from,
                     first == '{' ? "this object never ends; is the file cut "
                                    "off, or a bracket missing?"
                                  : "this list never ends; is the file cut "
                                    "off, or a bracket missing?");
}

bool json_scan_member(str text, ptrdiff_t *at, json_member *out)
{
    *out = (json_member){.form = '\0'};
    ptrdiff_t from = json_scan_space(text, *at);
    while (from < text.len && text.ptr[from] == ',') {
        from = json_scan_space(text, from + 1);
    }
    if (from >= text.len || text.ptr[from] == '}' || text.ptr[from] == ']') {
        return false;
    }
    ptrdiff_t end = json_scan_value(text, from, NULL);
    ptrdiff_t colon = end < 0 ? text.len : json_scan_space(text, end);
    if (text.ptr[from] == '"' && colon < text.len && text.ptr[colon] == ':') {
        out->key = str_sub(text, from, end);
        out->name = str_sub(out->key, 1, out->key.len - 1);
        from = json_scan_space(text, colon + 1);
        end = from < text.len ? json_scan_value(text, from, NULL) : -1;
    }
    if (end >= 0) {
        out->value = str_sub(text, from, end);
        out->form = out->value.ptr[0];
        *at = end;
    }
    return end >= 0;
}

str json_scan_get(str object, str name)
{
    json_member m = {.form = '\0'};
    for (ptrdiff_t at = 1;
         str_starts(object, S("{")) && json_scan_member(object, &at, &m);) {
        if (str_equal(m.name, name)) {
            return m.value;
        }
    }
    return (str){0};
}
