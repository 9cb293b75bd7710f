/*
 * odbc_value.c - one cell of the current row, typed.
 *
 * Method      The SQL type of the column decides in which C type the cell is
 *             asked for. Texts are asked for in UTF-16, the one encoding that
 *             does not depend on the locale of the process. Long cells come in
 *             pieces that double, since some drivers begin anew for each.
 *
 * Invariant   A type that is not known gives text of kind OTHER and sets
 *             is_unknown: never a wrong value.
 *
 * Cost        Linear in the bytes of the cell.
 */
#include "base/utf8.h"
#include "engine/cell_text.h"
#include "engine/engine_odbc.h"
#include "table/value_decimal.h"

#include <string.h>

typedef struct cell {
    const odbc_api *api;
    SQLHSTMT statement;
    SQLUSMALLINT column;
    arena *a;
} cell;

// All bytes of a cell, which come in pieces: each as large as all before it,
// since there are drivers that begin anew for each. False when it failed; a
// NULL has *is_null.
static bool read_bytes(const cell *c, SQLSMALLINT as, str *out, bool *is_null)
{
    ptrdiff_t end_mark = as == SQL_C_WCHAR ? (ptrdiff_t)sizeof(SQLWCHAR) : 0;
    buf bytes = buf_new(c->a);
    char first[4096];
    char *piece = first;
    ptrdiff_t size = sizeof first;
    SQLRETURN rc = SQL_SUCCESS;
    for (;;) {
        SQLLEN left = 0;
        rc = c->api->SQLGetData(c->statement, c->column, as, piece,
                                (SQLLEN)size, &left);
        *is_null = SQL_SUCCEEDED(rc) && left == SQL_NULL_DATA;
        if (!SQL_SUCCEEDED(rc) || *is_null) {
            break;
        }
        ptrdiff_t room = size - end_mark;
        bool is_all = left != SQL_NO_TOTAL && left <= room;
        buf_add(&bytes, (str){piece, is_all ? left : room});
        if (is_all) {
            break;
        }
        size = left != SQL_NO_TOTAL && left - room > size
                   ? left - room + end_mark
                   : 2 * size;
        piece = arena_new(c->a, char, size);
    }
    *out = buf_str(&bytes);
    return SQL_SUCCEEDED(rc) || rc == SQL_NO_DATA;
}

static uint16_t unit_at(str bytes, ptrdiff_t i)
{
    uint16_t unit = 0;
    memcpy(&unit, bytes.ptr + 2 * i, sizeof unit);
    return unit;
}

// Half a pair becomes U+FFFD.
static str from_utf16(str bytes, arena *a)
{
    buf out = buf_new(a);
    ptrdiff_t n = bytes.len / 2;
    for (ptrdiff_t i = 0; i < n; i++) {
        uint32_t c = unit_at(bytes, i);
        bool is_high = c >= 0xd800 && c < 0xdc00;
        uint32_t next = is_high && i + 1 < n ? unit_at(bytes, i + 1) : 0;
        if (next >= 0xdc00 && next < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
            i++;
        } else if (c >= 0xd800 && c < 0xe000) {
            c = 0xfffd;
        }
        utf8_add(&out, (int32_t)c);
    }
    return buf_str(&out);
}

static bool read_text(const cell *c, str *out, bool *is_null)
{
    str wide = {0};
    bool ok = read_bytes(c, SQL_C_WCHAR, &wide, is_null);
    *out = ok && !*is_null ? from_utf16(wide, c->a) : (str){0};
    return ok;
}

// A number of fixed size; `out` is as large as the type says.
static bool read_fixed(const cell *c, SQLSMALLINT as, void *out, bool *is_null)
{
    SQLLEN size = 0;
    SQLRETURN rc =
        c->api->SQLGetData(c->statement, c->column, as, out, 0, &size);
    *is_null = size == SQL_NULL_DATA;
    return SQL_SUCCEEDED(rc);
}

static value text_value(SQLSMALLINT type, str text, bool *is_unknown, arena *a)
{
    switch (type) {
    case SQL_DECIMAL:
    case SQL_NUMERIC: return value_decimal(text, a);
    case SQL_TYPE_DATE:
    case SQL_TYPE_TIMESTAMP: return cell_time(text, a);
    case SQL_TYPE_TIME: return cell_other(text, a);
    case SQL_CHAR:
    case SQL_WCHAR: return cell_padded(text, a);
    case SQL_VARCHAR:
    case SQL_LONGVARCHAR:
    case SQL_WVARCHAR:
    case SQL_WLONGVARCHAR:
    case SQL_GUID: return value_text(text);
    default: *is_unknown = true; return cell_other(text, a);
    }
}

bool odbc_cell(const odbc_api *api,
               SQLHSTMT statement,
               SQLUSMALLINT column,
               SQLSMALLINT type,
               bool *is_unknown,
               value *out,
               arena *a)
{
    cell c = {api, statement, column, a};
    bool is_null = false;
    bool ok = false;
    SQLBIGINT i = 0;
    SQLDOUBLE real = 0;
    unsigned char bit = 0;
    str bytes = {0};
    switch (type) {
    case SQL_BIT:
        ok = read_fixed(&c, SQL_C_BIT, &bit, &is_null);
        *out = (value){.i = bit != 0, .kind = VALUE_BOOL};
        break;
    case SQL_TINYINT:
    case SQL_SMALLINT:
    case SQL_INTEGER:
    case SQL_BIGINT:
        ok = read_fixed(&c, SQL_C_SBIGINT, &i, &is_null);
        *out = value_int(i);
        break;
    case SQL_REAL:
    case SQL_FLOAT:
    case SQL_DOUBLE:
        ok = read_fixed(&c, SQL_C_DOUBLE, &real, &is_null);
        *out = type == SQL_REAL ? value_single(real) : value_real(real);
        break;
    case SQL_BINARY:
    case SQL_VARBINARY:
    case SQL_LONGVARBINARY:
        ok = read_bytes(&c, SQL_C_BINARY, &bytes, &is_null);
        *out = value_blob(bytes);
        break;
    default:
        ok = read_text(&c, &bytes, &is_null);
        *out = text_value(type, bytes, is_unknown, a);
        break;
    }
    if (is_null) {
        *out = value_null();
    }
    return ok;
}
