/*
 * mariadb_value.c - the text of a value as MariaDB sends it, typed.
 *
 * Method      The protocol's column type decides. Text, not the binary
 *             protocol: numbers are exact in it. Integers beyond 64 bits become
 *             decimals; a zero date, which no calendar has, stays text. Bytes
 *             and texts have the same types there and differ by their character
 *             set.
 */
#include "engine/cell_text.h"
#include "engine/engine_mariadb.h"
#include "table/value_decimal.h"

enum {
    BINARY_CHARSET = 63
};

// Bits come as bytes, the highest first.
static value bits_of(str text, arena *a)
{
    uint64_t bits = 0;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        bits = bits << 8 | (unsigned char)text.ptr[i];
    }
    return text.len <= 8 && bits <= INT64_MAX ? value_int((int64_t)bits)
                                              : value_blob(arena_str(a, text));
}

static value integer_of(str text, arena *a)
{
    int64_t i = 0;
    return str_to_int(text, &i) ? value_int(i) : value_decimal(text, a);
}

value mariadb_value(const MYSQL_FIELD *column, str text, arena *a)
{
    switch ((int)column->type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_YEAR: return integer_of(text, a);
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL: return value_decimal(text, a);
    case MYSQL_TYPE_FLOAT:
    case MYSQL_TYPE_DOUBLE:
        return cell_real(text, column->type == MYSQL_TYPE_FLOAT, a);
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE:
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_DATETIME2:
    case MYSQL_TYPE_TIMESTAMP:
    case MYSQL_TYPE_TIMESTAMP2: return cell_time(text, a);
    case MYSQL_TYPE_BIT: return bits_of(text, a);
    case MYSQL_TYPE_JSON: return cell_json(text, a);
    case MYSQL_TYPE_TIME:
    case MYSQL_TYPE_TIME2: return cell_other(text, a);
    case MYSQL_TYPE_GEOMETRY: return value_blob(arena_str(a, text));
    case MYSQL_TYPE_NULL: return value_null();
    default: break;  // texts and bytes
    }
    str bytes = arena_str(a, text);
    return column->charsetnr == BINARY_CHARSET ? value_blob(bytes)
                                               : value_text(bytes);
}
