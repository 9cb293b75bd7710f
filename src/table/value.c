/*
 * value.c - cells: made, read from text, shown to people.
 *
 * Method      A value is 16 bytes; which member of its union counts is its
 *             kind. Texts of times are read strictly: only the forms that
 *             value.h lists, only dates that exist. Dates are days since 1970.
 *
 * Invariants  (1) show_date takes any number of days without overflow: values
 *                 come from files and servers.
 *             (2) What is shown is one line: control characters are escaped.
 *
 * Cost        Linear in the text.
 */
#include "table/value.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <assert.h>

static const int64_t DAY_US = (int64_t)86400 * 1000000;

bool value_same(value a, value b)
{
    if (a.kind != b.kind) {
        return false;
    }
    return value_has_bytes(a)     ? str_equal(value_bytes(a), value_bytes(b))
           : a.kind == VALUE_REAL ? a.real == b.real
                                  : a.kind == VALUE_NULL || a.i == b.i;
}

bool values_same(const value *a, const value *b, ptrdiff_t n)
{
    bool same = true;
    for (ptrdiff_t i = 0; same && i < n; i++) {
        same = value_same(a[i], b[i]);
    }
    return same;
}

// "Z", "+01", "+0130" or "-01:30", as microseconds east of UTC.
static bool take_zone(str *s, int64_t *us)
{
    *us = 0;
    if (clock_take_char(s, 'Z')) {
        return true;
    }
    int64_t sign = s->len > 0 && s->ptr[0] == '-' ? -1 : 1;
    int64_t hours = 0;
    int64_t minutes = 0;
    if ((!clock_take_char(s, '+') && !clock_take_char(s, '-'))
        || !clock_take_digits(s, 2, &hours)) {
        return false;
    }
    if (clock_take_char(s, ':') || s->len > 0) {
        if (!clock_take_digits(s, 2, &minutes)) {
            return false;
        }
    }
    *us = sign * (hours * 60 + minutes) * 60 * 1000000;
    return hours < 24 && minutes < 60;
}

bool value_read_time(str text, value *out)
{
    int64_t days = 0;
    if (!clock_take_date(&text, &days)) {
        return false;
    }
    if (text.len == 0) {
        *out = (value){.i = days, .kind = VALUE_DATE};
        return true;
    }
    int64_t us = 0;
    if ((!clock_take_char(&text, ' ') && !clock_take_char(&text, 'T'))
        || !clock_take_time(&text, &us)) {
        return false;
    }
    us += days * DAY_US;
    if (text.len == 0) {
        *out = (value){.i = us, .kind = VALUE_TIMESTAMP};
        return true;
    }
    int64_t zone = 0;
    bool ok = take_zone(&text, &zone) && text.len == 0;
    *out = (value){.i = us - zone, .kind = VALUE_INSTANT};
    return ok;
}

static char digit(int64_t n)
{
    return (char)('0' + n % 10);
}

// Samples of databases hold so many dates that printf would be felt.
static void show_date(buf *b, int64_t days)
{
    clock_date d = clock_date_of(days);
    int64_t century = d.year / 100;
    bool is_plain = d.year >= 0 && d.year <= 9999;
    const char text[] = {
        digit(century / 10),
        digit(century),
        digit(d.year / 10),
        digit(d.year),
        '-',
        digit(d.month / 10),
        digit(d.month),
        '-',
        digit(d.day / 10),
        digit(d.day),
    };
    if (is_plain) {
        buf_add(b, (str){text, sizeof text});
    } else {
        buf_printf(b, "%04lld-%02d-%02d", (long long)d.year, (int)d.month,
                   (int)d.day);
    }
}

void value_show_clock(buf *b, int64_t us)
{
    int64_t second = us / 1000000;
    buf_printf(b, " %02d:%02d:%02d", (int)(second / 3600),
               (int)(second / 60 % 60), (int)(second % 60));
    if (us % 1000000) {
        buf_printf(b, ".%06d", (int)(us % 1000000));
    }
}

static void show_timestamp(buf *b, int64_t us)
{
    int64_t days = us / DAY_US;
    int64_t rest = us % DAY_US;
    if (rest < 0) {
        rest += DAY_US;
        days--;
    }
    show_date(b, days);
    value_show_clock(b, rest);
}

// One character of a text; what would break a line or is no character is
// written with a backslash.
static void show_char(buf *b, str c)
{
    unsigned char byte = (unsigned char)c.ptr[0];
    if (byte == '\n') {
        buf_add(b, S("\\n"));
    } else if (byte == '\t') {
        buf_add(b, S("\\t"));
    } else if (byte == '\'') {
        buf_add(b, S("''"));
    } else if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && c.len == 1)) {
        buf_printf(b, "\\x%02x", byte);
    } else {
        buf_add(b, c);
    }
}

static void show_chars(buf *b, str s, ptrdiff_t max)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < s.len; n++) {
        if (max > 0 && n == max) {
            buf_add(b, S("..."));
            break;
        }
        ptrdiff_t size = utf8_size_at(s, i);
        ptrdiff_t next = i + (size > 0 ? size : 1);
        show_char(b, str_sub(s, i, next));
        i = next;
    }
}

bool value_read_blob(arena *a, str hex, value *out)
{
    char *bytes = arena_new(a, char, hex.len / 2);
    bool ok = hex.len % 2 == 0;
    for (ptrdiff_t i = 0; ok && i < hex.len / 2; i++) {
        int high = hex_digit(hex.ptr[2 * i]);
        int low = hex_digit(hex.ptr[2 * i + 1]);
        ok = high >= 0 && low >= 0;
        bytes[i] = (char)(high * 16 + low);
    }
    *out = value_blob((str){bytes, hex.len / 2});
    return ok;
}

static void show_text(buf *b, str s, ptrdiff_t max)
{
    buf_char(b, '\'');
    show_chars(b, s, max);
    buf_char(b, '\'');
}

static void show_blob(buf *b, str s, ptrdiff_t max)
{
    buf_add(b, S("x'"));
    buf_hex(b, max > 0 ? str_sub(s, 0, (max + 1) / 2) : s);
    buf_add(b, max > 0 && s.len > (max + 1) / 2 ? S("...'") : S("'"));
}

void value_show(buf *b, value v, ptrdiff_t max)
{
    assert(max >= 0);
    switch ((value_kind)v.kind) {
    case VALUE_NULL: buf_add(b, S("NULL")); break;
    case VALUE_INT: buf_int(b, v.i); break;
    case VALUE_REAL: buf_double(b, v.real); break;
    case VALUE_TEXT: show_text(b, value_bytes(v), max); break;
    case VALUE_OTHER: show_chars(b, value_bytes(v), max); break;
    case VALUE_BLOB: show_blob(b, value_bytes(v), max); break;
    case VALUE_BOOL: buf_add(b, v.i ? S("true") : S("false")); break;
    case VALUE_DECIMAL: buf_add(b, value_bytes(v)); break;
    case VALUE_DATE: show_date(b, v.i); break;
    case VALUE_TIMESTAMP: show_timestamp(b, v.i); break;
    case VALUE_INSTANT:
        show_timestamp(b, v.i);
        buf_char(b, 'Z');
        break;
    }
}

str value_shown(arena *a, value v, ptrdiff_t max)
{
    buf b = buf_new(a);
    value_show(&b, v, max);
    return buf_str(&b);
}
