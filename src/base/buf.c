/*
 * buf.c - growing text, and the shortest decimal of a double.
 *
 * Method      A buf is a growing array of bytes (vec_grow), so it doubles, in
 *             place while it is the last thing in its arena.
 *
 *             buf_double: a number k / 10^p with few digits is recognised by
 *             exact double arithmetic; for all others 15 to 17 digits are tried
 *             until the text reads back. Trailing zeros are dropped.
 *
 * Invariant   strtod of what buf_double wrote gives the same double, and no
 *             shorter text does.
 *
 * Cost        Amortised constant per byte. A double of few digits costs no call
 *             of strtod, any other at most three (subnormals: 17).
 */
#include "base/buf.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A new buf takes at once what the first addition makes it grow to.
void buf_reserve(buf *b, ptrdiff_t extra)
{
    if (b->cap == 0 && extra > 0) {
        for (b->cap = 8; b->cap < extra;) {
            b->cap *= 2;
        }
        b->ptr = arena_new(b->a, char, b->cap);
    }
    while (b->cap - b->len < extra) {
        vec_grow(b->a, b, 1, 1);
    }
}

buf buf_new(arena *a)
{
    assert(a);
    return (buf){.a = a};
}

void buf_add(buf *b, str s)
{
    assert(s.len >= 0 && (s.len == 0 || s.ptr));
    if (s.len > 0) {
        buf_reserve(b, s.len);
        memcpy(b->ptr + b->len, s.ptr, (size_t)s.len);
        b->len += s.len;
    }
}

void buf_hex(buf *b, str bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (ptrdiff_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        buf_char(b, digits[byte >> 4]);
        buf_char(b, digits[byte & 15]);
    }
}

void buf_repeat(buf *b, char c, ptrdiff_t n)
{
    if (n > 0) {
        buf_reserve(b, n);
        memset(b->ptr + b->len, c, (size_t)n);
        b->len += n;
    }
}

void buf_int(buf *b, int64_t n)
{
    char digits[24];
    char *end = digits + sizeof digits;
    char *at = end;
    uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (n < 0) {
        *--at = '-';
    }
    buf_add(b, (str){at, end - at});
}

void buf_printf(buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    ptrdiff_t room = b->cap - b->len;
    int len = vsnprintf(room > 0 ? b->ptr + b->len : NULL, (size_t)room, format,
                        args);
    va_end(args);
    assert(len >= 0);
    if (len >= room) {
        buf_reserve(b, (ptrdiff_t)len + 1);
        vsnprintf(b->ptr + b->len, (size_t)len + 1, format, again);
    }
    va_end(again);
    b->len += len;
}

// Numbers with few decimals, fast: k / 10^p is rounded as the text "k / 10^p"
// would be when it is read, so equality means that the text reads back. The
// smallest such p gives the shortest text. 0 when there is none.
static int few_decimals(double d, char digits[32], int *point)
{
    double power = 1;
    for (int p = 0; p <= 9 && d * power < 1e15; p++, power *= 10) {
        int64_t k = (int64_t)(d * power + 0.5);
        if ((double)k / power == d) {
            int n = snprintf(digits, 32, "%lld", (long long)k);
            *point = n - p;
            return n;
        }
    }
    return 0;
}

// A text of up to 15 digits that reads back shows among the 15 as trailing
// zeros, but for numbers so small that they have fewer bits.
static int many_digits(double d, char digits[32], int *point)
{
    char text[40];
    bool is_full = d >= DBL_MIN;
    for (int precision = is_full ? 14 : 0; precision < 17; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, d);
        if (strtod(text, NULL) == d) {
            break;
        }
    }
    int n = 0;
    const char *p = text;
    for (; *p != 'e'; p++) {
        if (*p >= '0' && *p <= '9') {
            digits[n++] = *p;
        }
    }
    *point = (int)strtol(p + 1, NULL, 10) + 1;
    return n;
}

// The digits and the decimal exponent of the shortest text for a finite d:
// d = 0.DIGITS * 10^*point. 17 digits always suffice for a double.
static int shortest_digits(double d, char digits[32], int *point)
{
    assert(d >= 0 && isfinite(d));
    int n = few_decimals(d, digits, point);
    if (n == 0) {
        n = many_digits(d, digits, point);
    }
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    return n;
}

void buf_double(buf *b, double d)
{
    if (isnan(d)) {
        buf_add(b, S("nan"));
        return;
    }
    if (signbit(d)) {
        buf_char(b, '-');
        d = -d;
    }
    if (isinf(d)) {
        buf_add(b, S("inf"));
        return;
    }
    char digits[32] = {0};
    int point = 0;
    int n = shortest_digits(d, digits, &point);
    assert(n > 0 && n < countof(digits));
    str all = {digits, n};
    if (d != 0 && (point < -3 || point > 16)) {
        buf_char(b, digits[0]);
        if (n > 1) {
            buf_char(b, '.');
            buf_add(b, str_skip(all, 1));
        }
        int exponent = point - 1;
        buf_printf(b, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    } else if (point <= 0) {
        buf_add(b, S("0."));
        buf_repeat(b, '0', -point);
        buf_add(b, all);
    } else if (n <= point) {
        buf_add(b, all);
        buf_repeat(b, '0', point - n);
        buf_add(b, S(".0"));
    } else {
        buf_add(b, str_sub(all, 0, point));
        buf_char(b, '.');
        buf_add(b, str_skip(all, point));
    }
}

str buf_str(const buf *b)
{
    return (str){b->ptr, b->len};
}

void buf_list(buf *b, str text)
{
    buf_add(b, b->len > 0 ? S(", ") : S(""));
    buf_add(b, text);
}

void buf_escape(buf *b, str text, const char *const table[128])
{
    for (ptrdiff_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < 128 && table[c]) {
            buf_add(b, str_from(table[c]));
        } else {
            buf_char(b, text.ptr[i]);
        }
    }
}

str buf_replaced(arena *a, str s, str from, str to)
{
    assert(from.len > 0);  // an empty one would be found for ever
    ptrdiff_t at = str_find(s, from, 0);
    if (at < 0) {
        return s;
    }
    buf b = buf_new(a);
    ptrdiff_t done = 0;
    for (; at >= 0; at = str_find(s, from, done)) {
        buf_add(&b, str_sub(s, done, at));
        buf_add(&b, to);
        done = at + from.len;
    }
    buf_add(&b, str_skip(s, done));
    return buf_str(&b);
}

void buf_trim(buf *b)
{
    while (b->len > 0 && b->ptr[b->len - 1] == ' ') {
        b->len--;
    }
}
