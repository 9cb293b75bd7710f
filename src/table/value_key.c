/*
 * value_key.c - exact equality of values as equality of 128-bit keys.
 *
 * Method      A number that is an integer of 64 bits has the key of that
 *             integer; any other number that is a double has the key of the
 *             double's bits; a decimal that is neither has the key of its
 *             digits. So each number has one key, whatever it came as.
 *
 * Cost        A few nanoseconds a cell; decimals up to a microsecond.
 */
#include "table/value_key.h"

#include "base/order.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a key was made from. Kept apart so that no text is a number.
typedef enum key_tag {
    KEY_NULL = 1,
    KEY_INTEGER,
    KEY_DOUBLE,
    KEY_DIGITS,
    KEY_TEXT,
    KEY_BLOB,
    KEY_DATE,
    KEY_TIMESTAMP,
    KEY_INSTANT,
    KEY_OTHER,
} key_tag;

enum {
    // Fraction digits of a decimal whose power of five fits 64 bits.
    MAX_FAST_FRACTION = 18,
    // Longest exact text of a double: sign, 309 digits, point, 1074 digits.
    MAX_DOUBLE_TEXT = 1400,
};

static hash128 key_of_bits(key_tag tag, uint64_t bits)
{
    return (hash128){hash_mix((uint64_t)tag, bits),
                     hash_mix((uint64_t)tag + 64, bits)};
}

static hash128 key_of_bytes(key_tag tag, str s)
{
    hash128 h = hash_bytes(s);
    return (hash128){h.low ^ hash_mix((uint64_t)tag, 0), h.high};
}

static hash128 key_of_double(double d)
{
    const double two_63 = 9223372036854775808.0;
    if (d >= -two_63 && d < two_63 && d == floor(d)) {
        return key_of_bits(KEY_INTEGER, (uint64_t)(int64_t)d);
    }
    if (isnan(d)) {
        d = NAN;  // one NaN for all of them
    }
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return key_of_bits(KEY_DOUBLE, bits);
}

// "-0012.50" without what does not change the value: "-12.5"; "-0.0": "0".
static str decimal_strip(char out[static MAX_DOUBLE_TEXT], str s)
{
    assert(s.len < MAX_DOUBLE_TEXT);
    bool is_negative = s.len > 0 && s.ptr[0] == '-';
    str digits = str_skip(s, is_negative);
    ptrdiff_t point = str_find(digits, S("."), 0);
    if (point >= 0) {
        while (digits.ptr[digits.len - 1] == '0') {
            digits.len--;
        }
        digits.len -= digits.len == point + 1;
    }
    while (digits.len > 1 && digits.ptr[0] == '0' && digits.ptr[1] != '.') {
        digits = str_skip(digits, 1);
    }
    is_negative = is_negative && !str_equal(digits, S("0"));
    ptrdiff_t n = 0;
    if (is_negative) {
        out[n++] = '-';
    }
    memcpy(out + n, digits.ptr, (size_t)digits.len);
    return (str){out, n + digits.len};
}

// True when the fraction 0.DIGITS has no finite binary form: its numerator is
// no multiple of 5 to the number of its digits.
static bool fraction_is_not_binary(str digits)
{
    assert(digits.len == 0 || digits.ptr);
    if (digits.len == 0 || digits.len > MAX_FAST_FRACTION) {
        return false;
    }
    uint64_t numerator = 0;
    uint64_t power = 1;
    for (ptrdiff_t i = 0; i < digits.len; i++) {
        numerator = numerator * 10 + (uint64_t)(digits.ptr[i] - '0');
        power *= 5;
    }
    return numerator % power != 0;
}

static hash128 key_of_decimal(str s)
{
    double d = 0;
    bool is_digits = s.len > 0 && (is_digit(s.ptr[0]) || s.ptr[0] == '-');
    if (!is_digits || s.len >= MAX_DOUBLE_TEXT) {
        return str_to_double(s, &d) && !is_digits ? key_of_double(d)
                                                  : key_of_bytes(KEY_DIGITS, s);
    }
    char text[MAX_DOUBLE_TEXT];
    str plain = decimal_strip(text, s);
    int64_t i = 0;
    if (str_to_int(plain, &i)) {
        return key_of_bits(KEY_INTEGER, (uint64_t)i);
    }
    ptrdiff_t point = str_find(plain, S("."), 0);
    str fraction = point < 0 ? (str){0} : str_skip(plain, point + 1);
    if (fraction_is_not_binary(fraction) || !str_to_double(plain, &d)) {
        return key_of_bytes(KEY_DIGITS, plain);
    }
    // 1074 fraction digits show any double exactly.
    char exact[MAX_DOUBLE_TEXT];
    char stripped[MAX_DOUBLE_TEXT];
    int n = snprintf(exact, sizeof exact, "%.*f", point < 0 ? 0 : 1074, d);
    assert(n > 0 && n < countof(exact));
    return str_equal(plain, decimal_strip(stripped, (str){exact, n}))
               ? key_of_double(d)
               : key_of_bytes(KEY_DIGITS, plain);
}

hash128 value_key(value v)
{
    switch ((value_kind)v.kind) {
    case VALUE_NULL: break;
    case VALUE_INT:
    case VALUE_BOOL: return key_of_bits(KEY_INTEGER, (uint64_t)v.i);
    case VALUE_REAL: return key_of_double(v.real);
    case VALUE_TEXT: return key_of_bytes(KEY_TEXT, value_bytes(v));
    case VALUE_BLOB: return key_of_bytes(KEY_BLOB, value_bytes(v));
    case VALUE_DECIMAL: return key_of_decimal(value_bytes(v));
    case VALUE_DATE: return key_of_bits(KEY_DATE, (uint64_t)v.i);
    case VALUE_TIMESTAMP: return key_of_bits(KEY_TIMESTAMP, (uint64_t)v.i);
    case VALUE_INSTANT: return key_of_bits(KEY_INSTANT, (uint64_t)v.i);
    case VALUE_OTHER: return key_of_bytes(KEY_OTHER, value_bytes(v));
    }
    return key_of_bits(KEY_NULL, 0);
}

bool value_equal(value a, value b)
{
    if (a.kind != b.kind || a.kind == VALUE_DECIMAL) {
        return value_is_number(a) && value_is_number(b)
               && hash128_equal(value_key(a), value_key(b));
    }
    if (a.kind == VALUE_REAL) {
        return a.real == b.real || (isnan(a.real) && isnan(b.real));
    }
    return value_has_bytes(a) ? str_equal(value_bytes(a), value_bytes(b))
                              : a.kind == VALUE_NULL || a.i == b.i;
}

static int rank_of(value v)
{
    return value_is_number(v) ? 0 : v.kind == VALUE_TEXT ? 1 : 2;
}

// Whole numbers of 64 bits are not rounded to a double.
static long double wide(value v)
{
    return v.kind == VALUE_INT ? (long double)v.i : value_to_double(v);
}

int value_order(value a, value b, bool folds)
{
    if (a.kind == VALUE_INT && b.kind == VALUE_INT) {
        return (a.i > b.i) - (a.i < b.i);
    }
    if (rank_of(a) != rank_of(b)) {
        return rank_of(a) - rank_of(b);
    }
    if (value_is_number(a)) {
        return value_equal(a, b) ? 0 : wide(a) < wide(b) ? -1 : 1;
    }
    str x = value_bytes(a);
    str y = value_bytes(b);
    ptrdiff_t i = 0;
    while (folds && i < x.len && i < y.len
           && to_lower(x.ptr[i]) == to_lower(y.ptr[i])) {
        i++;
    }
    x = str_skip(x, i);
    y = str_skip(y, i);
    return folds && x.len > 0 && y.len > 0
               ? (unsigned char)to_lower(x.ptr[0])
                     - (unsigned char)to_lower(y.ptr[0])
               : str_compare(x, y);
}

double value_to_double(value v)
{
    double d = NAN;
    switch ((value_kind)v.kind) {
    case VALUE_INT:
    case VALUE_BOOL: return (double)v.i;
    case VALUE_REAL: return v.real;
    case VALUE_DECIMAL: return str_to_double(value_bytes(v), &d) ? d : NAN;
    case VALUE_NULL:
    case VALUE_TEXT:
    case VALUE_BLOB:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT:
    case VALUE_OTHER: break;
    }
    return d;
}

bool near_equal(double a, double b, double relative, double absolute)
{
    double most = fmax(relative * fmax(fabs(a), fabs(b)), absolute);
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= most);
}

hash128 key_append(hash128 sequence, hash128 key)
{
    return (hash128){hash_mix(sequence.low, key.low),
                     hash_mix(sequence.high, key.high)};
}

hash128 key_bag_add(hash128 bag, hash128 key)
{
    return (hash128){bag.low + hash_mix(1, key.low),
                     bag.high + hash_mix(2, key.high)};
}

hash128 *table_row_keys(arena *a, const table *t)
{
    hash128 *keys = arena_new(a, hash128, t->n_rows);
    const value *cell = t->cells;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        hash128 key = {0};
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            key = key_append(key, value_key(*cell++));
        }
        keys[r] = key;
    }
    return keys;
}

ORDER(compare_codes, uint64_t, ORDER_OF(*a, *b))

void row_codes(uint64_t *codes, const table *t, ptrdiff_t row)
{
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        codes[c] = value_key(table_at(t, row, c)).low;
    }
    qsort(codes, (size_t)t->n_columns, sizeof *codes, compare_codes);
}
