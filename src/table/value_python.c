/*
 * value_python.c - values as Python's str() and type() show them.
 *
 * Method      What the drivers of the reference evaluators return for each kind
 *             is fixed: text and decimals are shown as they are, blobs as bytes
 *             literals, REAL as the shortest text that reads back (buf_double).
 *
 * Invariant   value_python_key is equal exactly for values of one Python type
 *             and one text: value_key alone takes 1, 1.0 and True for the same.
 */
#include "table/value_python.h"

#include <math.h>

static void add_byte(buf *b, char c, char quote)
{
    unsigned char byte = (unsigned char)c;
    switch (c) {
    case '\t': buf_add(b, S("\\t")); return;
    case '\n': buf_add(b, S("\\n")); return;
    case '\r': buf_add(b, S("\\r")); return;
    case '\\': buf_add(b, S("\\\\")); return;
    default: break;
    }
    if (c == quote) {
        buf_char(b, '\\');
    }
    if (byte < 0x20 || byte >= 0x7f) {
        buf_printf(b, "\\x%02x", byte);
    } else {
        buf_char(b, c);
    }
}

// Double quotes stand around bytes that hold a single one and no double one.
static void add_bytes(buf *b, str s)
{
    bool has_single = str_find(s, S("'"), 0) >= 0;
    bool has_double = str_find(s, S("\""), 0) >= 0;
    char quote = has_single && !has_double ? '"' : '\'';
    buf_char(b, 'b');
    buf_char(b, quote);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        add_byte(b, s.ptr[i], quote);
    }
    buf_char(b, quote);
}

void value_add_python(buf *b, value v)
{
    switch ((value_kind)v.kind) {
    case VALUE_NULL: buf_add(b, S("None")); break;
    case VALUE_INT: buf_int(b, v.i); break;
    case VALUE_REAL: buf_double(b, v.real); break;
    case VALUE_BLOB: add_bytes(b, value_bytes(v)); break;
    case VALUE_BOOL: buf_add(b, v.i ? S("True") : S("False")); break;
    case VALUE_TEXT:
    case VALUE_DECIMAL:
    case VALUE_OTHER: buf_add(b, value_bytes(v)); break;
    case VALUE_DATE:
    case VALUE_TIMESTAMP: value_show(b, v, 0); break;
    case VALUE_INSTANT:
        v.kind = VALUE_TIMESTAMP;
        value_show(b, v, 0);
        buf_add(b, S("+00:00"));
        break;
    }
}

str value_python_type(value v)
{
    switch ((value_kind)v.kind) {
    case VALUE_NULL: return S("NoneType");
    case VALUE_INT: return S("int");
    case VALUE_REAL: return S("float");
    case VALUE_BLOB: return S("bytes");
    case VALUE_BOOL: return S("bool");
    case VALUE_DECIMAL: return S("decimal.Decimal");
    case VALUE_DATE: return S("datetime.date");
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT: return S("datetime.datetime");
    case VALUE_TEXT:
    case VALUE_OTHER: break;
    }
    return S("str");
}

hash128 value_python_key(value v)
{
    hash128 key = value_key(v);
    bool is_negative_zero =
        v.kind == VALUE_REAL && v.real == 0 && signbit(v.real);
    key.low = hash_mix(key.low, is_negative_zero ? 0 : v.kind);
    return key;
}
