/*
 * json_scan.c - brackets and strings, nothing else.
 *
 * Method      One pass over the bytes; a table says which of them can change
 *             anything, so that the inner loop is a table look-up a byte.
 *             Faults are repaired in a copy of the same length, so offsets in
 *             messages stay those of the file.
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
    assert(from >= 0);
    while (from < text.len && is_space(text.ptr[from])) {
        from++;
    }
    return from;
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
    ptrdiff_t i = json_scan_space(text, *at);
    while (i < text.len && text.ptr[i] == ',') {
        i = json_scan_space(text, i + 1);
    }
    if (i >= text.len || text.ptr[i] == '}' || text.ptr[i] == ']') {
        return false;
    }
    *out = (json_member){i, i, json_scan_value(text, i, NULL)};
    if (out->end < 0) {
        return false;
    }
    ptrdiff_t colon = json_scan_space(text, out->end);
    if (text.ptr[i] == '"' && colon < text.len && text.ptr[colon] == ':') {
        out->value = json_scan_space(text, colon + 1);
        if (out->value >= text.len) {
            return false;
        }
        out->end = json_scan_value(text, out->value, NULL);
    }
    *at = out->end;
    return out->end >= 0;
}

// What stands at text[i], outside of strings, that JSON does not allow and we
// do: the length of a word like NaN, 1 for a comma too many, else 0.
static ptrdiff_t fault_at(str text, ptrdiff_t i)
{
    static const char *const words[] = {"NaN", "-NaN", "Infinity", "-Infinity"};
    char c = text.ptr[i];
    if (c == ',') {
        ptrdiff_t next = json_scan_space(text, i + 1);
        bool closes =
            next < text.len && (text.ptr[next] == '}' || text.ptr[next] == ']');
        return closes ? 1 : 0;
    }
    if (c != 'N' && c != 'I' && c != '-') {
        return 0;
    }
    for (ptrdiff_t k = 0; k < countof(words); k++) {
        str word = str_from(words[k]);
        if (str_starts(str_skip(text, i), word)) {
            return word.len;
        }
    }
    return 0;
}

// Overwrites a fault. NaN has no room for null: its place takes an empty
// string, which no reader tells from null.
static void mend(char *at, ptrdiff_t size)
{
    memset(at, ' ', (size_t)size);
    if (size >= 4) {
        memcpy(at, "null", 4);
    } else if (size == 3) {
        memcpy(at, "\"\"", 2);
    }
}

static str repaired(arena *a, str text, json_repairs *repairs)
{
    char *copy = arena_cstr(a, text);
    for (ptrdiff_t i = 0; i < text.len;) {
        if (text.ptr[i] == '"') {
            ptrdiff_t end = scan_string(text, i, NULL);
            i = end < 0 ? text.len : end;
            continue;
        }
        ptrdiff_t size = fault_at(text, i);
        if (size > 0) {
            bool is_first = repairs->commas + repairs->words == 0;
            repairs->first = is_first ? i : repairs->first;
            *(size == 1 ? &repairs->commas : &repairs->words) += 1;
            mend(copy + i, size);
        }
        i += size > 0 ? size : 1;
    }
    return (str){copy, text.len};
}

void json_error_to_token(json_error *error)
{
    static const str near = S_INIT("expected near '");
    str message = str_from(error->message);
    ptrdiff_t at = str_find(message, near, 0);
    ptrdiff_t size = message.len - at - near.len - 1;
    if (at < 0 || size <= 0 || size > error->offset) {
        return;
    }
    error->offset -= size;
    // After a member or an element the parser names the bracket only.
    if (message.ptr[0] == '\'' && message.ptr[1] != ':') {
        json_error bare = *error;
        snprintf(error->message, sizeof error->message, "',' or %.150s",
                 bare.message);
    }
}

json *json_parse_kindly(arena *a,
                        str text,
                        json_repairs *repairs,
                        json_error *error)
{
    json_error ignored = {0};
    error = error ? error : &ignored;
    *repairs = (json_repairs){0};
    json *j = json_parse(a, text, error);
    if (j) {
        return j;
    }
    str mended = repaired(a, text, repairs);
    if (repairs->commas + repairs->words > 0) {
        j = json_parse(a, mended, error);
    }
    if (!j) {
        json_error_to_token(error);
    }
    return j;
}
