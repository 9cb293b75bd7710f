/*
 * value.h - one cell of a result table.
 *
 * Engines make them, comparisons read them. Sixteen bytes, so that a million
 * rows of three columns are 48 MB. Text and blobs point into the table's
 * arena. Which values count as equal is not decided here but by each set of
 * rules (compare.h).
 */
#ifndef ASSAY_TABLE_VALUE_H
#define ASSAY_TABLE_VALUE_H

#include "base/buf.h"

typedef enum value_kind {
    VALUE_NULL,
    VALUE_INT,        // i
    VALUE_REAL,       // real
    VALUE_TEXT,       // bytes, usually UTF-8 but not always
    VALUE_BLOB,       // bytes
    VALUE_BOOL,       // i: 0 or 1
    VALUE_DECIMAL,    // bytes: exact, canonical: "-12.5", no exponent
    VALUE_DATE,       // i: days since 1970-01-01
    VALUE_TIMESTAMP,  // i: microseconds since 1970, no time zone
    VALUE_INSTANT,    // i: microseconds since 1970 UTC
    VALUE_OTHER,      // bytes: the engine's text of a type we do not know
} value_kind;

typedef struct value {
    union {
        int64_t i;
        double real;
        const char *bytes;
    };
    uint32_t len;    // of bytes
    uint8_t kind;    // a value_kind
    bool is_single;  // REAL: of single precision, or computed from such numbers
} value;

static inline value value_null(void)
{
    return (value){.kind = VALUE_NULL};
}

static inline value value_int(int64_t i)
{
    return (value){.i = i, .kind = VALUE_INT};
}

static inline value value_real(double real)
{
    return (value){.real = real, .kind = VALUE_REAL};
}

static inline value value_single(double real)
{
    return (value){.real = real, .kind = VALUE_REAL, .is_single = true};
}

// Borrows; s.len < 4 GiB.
static inline value value_of_bytes(value_kind kind, str s)
{
    assert(s.len >= 0 && s.len <= UINT32_MAX);
    return (value){
        .bytes = s.ptr, .len = (uint32_t)s.len, .kind = (uint8_t)kind};
}

static inline value value_text(str s)
{
    return value_of_bytes(VALUE_TEXT, s);
}

static inline value value_blob(str s)
{
    return value_of_bytes(VALUE_BLOB, s);
}

static inline bool value_is_null(value v)
{
    return v.kind == VALUE_NULL;
}

static inline bool value_is_number(value v)
{
    return v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL
           || v.kind == VALUE_DECIMAL;
}

static inline bool value_has_bytes(value v)
{
    return v.kind == VALUE_TEXT || v.kind == VALUE_BLOB
           || v.kind == VALUE_DECIMAL || v.kind == VALUE_OTHER;
}

// Empty for those that have none.
static inline str value_bytes(value v)
{
    return value_has_bytes(v) ? (str){v.bytes, v.len} : (str){0};
}

// Of one kind, and the same: then all rules take them for equal. NULL is NULL.
bool value_same(value a, value b);
bool values_same(const value *a, const value *b, ptrdiff_t n);

// "2023-01-31" is a DATE, "2023-01-31 10:00:00" (also with T, without seconds,
// with a fraction) a TIMESTAMP, with Z or +01:00 after it an INSTANT. False
// when the text is none of these or no real date.
bool value_read_time(str text, value *out);

// The bytes whose hexadecimal digits are `hex`, in `a`; false for other text.
bool value_read_blob(arena *a, str hex, value *out);

// A time of a day: " 13:05:00", with microseconds where there are any.
void value_show_clock(buf *b, int64_t us);

// The value for people: NULL, 12, 1.5, 'text', x'0aff', true, 2026-11-20.
// Text longer than `max` characters is cut, with "..." after it; 0: never.
void value_show(buf *b, value v, ptrdiff_t max);
str value_shown(arena *a, value v, ptrdiff_t max);

#endif  // ASSAY_TABLE_VALUE_H
