/*
 * postgres_value.c - the text of a value as PostgreSQL sends it, typed.
 *
 * Method      Text, not the binary format: it is the one form that every type
 *             has, numbers are exact in it, and intervals and arrays need no
 *             decoder. The connection fixes the styles (ISO dates, UTC, hex
 *             bytes), so a text has one meaning. What does not read as its
 *             type says (infinity, years before Christ) stays text.
 *
 *             Equal values get equal texts: numbers lose zeros at their end,
 *             intervals become days and hours (a month is 30 days, as in the
 *             server's own comparison), JSON is written anew with its keys in
 *             order.
 */
#include "engine/cell_text.h"
#include "engine/engine_postgres.h"
#include "table/value_decimal.h"
#include "table/value_interval.h"

#include <string.h>

// Ids of built-in types; they never change.
static const postgres_type known_types[] = {
    {16, POSTGRES_BOOL},
    {17, POSTGRES_BYTES},
    {18, POSTGRES_TEXT},
    {19, POSTGRES_TEXT},
    {20, POSTGRES_INT},
    {21, POSTGRES_INT},
    {23, POSTGRES_INT},
    {24, POSTGRES_TEXT},
    {25, POSTGRES_TEXT},
    {26, POSTGRES_INT},
    {114, POSTGRES_JSON},
    {142, POSTGRES_TEXT},
    {650, POSTGRES_PLAIN},
    {700, POSTGRES_SINGLE},
    {701, POSTGRES_REAL},
    {705, POSTGRES_TEXT},
    {829, POSTGRES_PLAIN},
    {869, POSTGRES_PLAIN},
    {1042, POSTGRES_PADDED},
    {1043, POSTGRES_TEXT},
    {1082, POSTGRES_TIME},
    {1083, POSTGRES_PLAIN},
    {1114, POSTGRES_TIME},
    {1184, POSTGRES_TIME},
    {1186, POSTGRES_INTERVAL},
    {1266, POSTGRES_PLAIN},
    {1560, POSTGRES_PLAIN},
    {1562, POSTGRES_PLAIN},
    {1700, POSTGRES_DECIMAL},
    {2205, POSTGRES_TEXT},
    {2950, POSTGRES_TEXT},
    {3802, POSTGRES_JSON},
    // arrays
    {199, POSTGRES_PLAIN},
    {1000, POSTGRES_PLAIN},
    {1005, POSTGRES_PLAIN},
    {1007, POSTGRES_PLAIN},
    {1009, POSTGRES_PLAIN},
    {1014, POSTGRES_PLAIN},
    {1015, POSTGRES_PLAIN},
    {1016, POSTGRES_PLAIN},
    {1021, POSTGRES_PLAIN},
    {1022, POSTGRES_PLAIN},
    {1115, POSTGRES_PLAIN},
    {1182, POSTGRES_PLAIN},
    {1185, POSTGRES_PLAIN},
    {1231, POSTGRES_PLAIN},
    {2951, POSTGRES_PLAIN},
    {3807, POSTGRES_PLAIN},
};

postgres_class postgres_class_of(Oid type)
{
    for (ptrdiff_t i = 0; i < countof(known_types); i++) {
        if (known_types[i].oid == type) {
            return known_types[i].class;
        }
    }
    return POSTGRES_UNKNOWN;
}

static value bytes_of(str text, arena *a)
{
    value v = {0};
    bool ok =
        str_starts(text, S("\\x")) && value_read_blob(a, str_skip(text, 2), &v);
    return ok ? v : cell_other(text, a);
}

// "-04:05:06.789" in microseconds.
static bool clock_of(str text, int64_t *us)
{
    bool is_negative = str_starts(text, S("-"));
    text = str_skip(text, is_negative || str_starts(text, S("+")));
    int64_t hours = 0;
    int64_t minutes = 0;
    double seconds = 0;
    str hour = str_cut(&text, ':');
    str minute = str_cut(&text, ':');
    if (!str_to_int(hour, &hours) || !str_to_int(minute, &minutes)
        || !str_to_double(text, &seconds) || hours > 1000000000) {
        return false;
    }
    *us = (hours * 60 + minutes) * 60000000 + (int64_t)(seconds * 1e6 + 0.5);
    *us = is_negative ? -*us : *us;
    return true;
}

// "1 year -2 mons +3 days 04:05:06": days and microseconds.
static bool interval_parts(str text, int64_t *days, int64_t *us)
{
    static const struct {
        str unit;
        int64_t days;
    } units[] = {
        {S_INIT("year"), 360}, {S_INIT("mon"), 30}, {S_INIT("day"), 1}};
    *days = 0;
    *us = 0;
    while (text.len > 0) {
        str word = str_cut(&text, ' ');
        if (str_find(word, S(":"), 0) >= 0) {
            return text.len == 0 && clock_of(word, us);
        }
        int64_t n = 0;
        str unit = str_cut(&text, ' ');
        ptrdiff_t i = 0;
        while (i < countof(units) && !str_starts(unit, units[i].unit)) {
            i++;
        }
        if (i == countof(units)
            || !str_to_int(str_skip(word, str_starts(word, S("+"))), &n)
            || n > 100000000 || n < -100000000) {
            return false;
        }
        *days += n * units[i].days;
    }
    return true;
}

static value interval_of(str text, arena *a)
{
    int64_t days = 0;
    int64_t us = 0;
    if (!interval_parts(text, &days, &us) || days > 100000000
        || days < -100000000) {
        return cell_other(text, a);
    }
    return value_interval(days, us, a);
}

value postgres_value(postgres_class class, str text, arena *a)
{
    int64_t i = 0;
    switch (class) {
    case POSTGRES_PADDED: return cell_padded(text, a);
    case POSTGRES_TEXT: return value_text(arena_str(a, text));
    case POSTGRES_INT:
        return str_to_int(text, &i) ? value_int(i) : cell_other(text, a);
    case POSTGRES_REAL:
    case POSTGRES_SINGLE: return cell_real(text, class == POSTGRES_SINGLE, a);
    case POSTGRES_DECIMAL: return value_decimal(text, a);
    case POSTGRES_BOOL:
        return (value){.i = str_equal(text, S("t")), .kind = VALUE_BOOL};
    case POSTGRES_BYTES: return bytes_of(text, a);
    case POSTGRES_TIME: return cell_time(text, a);
    case POSTGRES_INTERVAL: return interval_of(text, a);
    case POSTGRES_JSON: return cell_json(text, a);
    case POSTGRES_PLAIN:
    case POSTGRES_UNKNOWN: break;
    }
    return cell_other(text, a);
}
