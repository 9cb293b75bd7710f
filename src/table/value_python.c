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
    case VALUE_NULL: buf_add(b, S("None")); return;
    case VALUE_BLOB: add_bytes(b, value_bytes(v)); return;
    case VALUE_BOOL: buf_add(b, v.i ? S("True") : S("False")); return;
    case VALUE_TEXT:
    case VALUE_OTHER: buf_add(b, value_bytes(v)); return;
    case VALUE_INT:
    case VALUE_REAL:
    case VALUE_DECIMAL:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT: break;
    }
    bool has_zone = v.kind == VALUE_INSTANT;
    v.kind = has_zone ? VALUE_TIMESTAMP : v.kind;
    value_show(b, v, 0);
    buf_add(b, has_zone ? S("+00:00") : S(""));
}

str value_python_type(value v)
{
    static const str names[] = {
        [VALUE_NULL] = S_INIT("NoneType"),
        [VALUE_INT] = S_INIT("int"),
        [VALUE_REAL] = S_INIT("float"),
        [VALUE_TEXT] = S_INIT("str"),
        [VALUE_BLOB] = S_INIT("bytes"),
        [VALUE_BOOL] = S_INIT("bool"),
        [VALUE_DECIMAL] = S_INIT("decimal.Decimal"),
        [VALUE_DATE] = S_INIT("datetime.date"),
        [VALUE_TIMESTAMP] = S_INIT("datetime.datetime"),
        [VALUE_INSTANT] = S_INIT("datetime.datetime"),
        [VALUE_OTHER] = S_INIT("str"),
    };
    return names[v.kind];
}

hash128 value_python_key(value v)
{
    hash128 key = value_key(v);
    bool is_negative_zero =
        v.kind == VALUE_REAL && v.real == 0 && signbit(v.real);
    key.low = hash_mix(key.low, is_negative_zero ? 0 : v.kind);
    return key;
}
