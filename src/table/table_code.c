/*
 * table_code.c - cells as 64-bit codes.
 *
 * Method      value_key.h knows which numbers, texts and bytes are the same
 *             value. A coding first turns a value into the one that stands for
 *             all its equals (text into NFC, a date into its midnight, a text
 *             that spells a number into that number), then takes its key.
 *
 * Cost        A few nanoseconds a cell; texts are hashed once, and normalised
 *             when they are not ASCII.
 */
#include "table/table_code.h"

#include "base/utf8.h"
#include "table/table_count.h"
#include "table/value_key.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static value midnight_of(value date)
{
    const int64_t day_us = (int64_t)86400 * 1000000;
    int64_t us = 0;
    if (__builtin_mul_overflow(date.i, day_us, &us)) {
        us = date.i < 0 ? INT64_MIN : INT64_MAX;
    }
    return (value){.i = us, .kind = VALUE_TIMESTAMP};
}

static value plain_value(value v, arena *a)
{
    if (v.kind == VALUE_TEXT) {
        return value_text(utf8_nfc(a, value_bytes(v)));
    }
    // An instant is its time in UTC, the zone in which engines run here.
    if (v.kind == VALUE_INSTANT) {
        v.kind = VALUE_TIMESTAMP;
    }
    return v.kind == VALUE_DATE ? midnight_of(v) : v;
}

// The number or the time that a text spells.
static bool read_spelled(str text, value *out)
{
    str s = str_trim(text);
    int64_t i = 0;
    if (str_to_int(s, &i)) {
        *out = value_int(i);
        return true;
    }
    double d = 0;
    bool may_be_number =
        s.len > 0 && (is_digit(s.ptr[0]) || s.ptr[0] == '-' || s.ptr[0] == '.');
    if (may_be_number && str_to_double(s, &d)) {
        *out = value_real(d);
        return true;
    }
    return value_read_time(s, out);
}

static value loose_value(value v, arena *a)
{
    if (v.kind == VALUE_TEXT || v.kind == VALUE_BLOB || v.kind == VALUE_OTHER) {
        v.kind = VALUE_TEXT;
        value spelled = {0};
        v = read_spelled(value_bytes(v), &spelled) ? spelled : v;
    }
    return plain_value(v, a);
}

// The nearest multiple of 10^-digits, as the integer that counts them. Halves
// go away from zero, and so does what rounding errors put just below a half.
static value rounded_value(value v, int digits)
{
    double d = 0;
    if (v.kind == VALUE_REAL) {
        d = v.real;
    } else if (v.kind == VALUE_INT || v.kind == VALUE_BOOL) {
        d = (double)v.i;
    } else if (!str_to_double(value_bytes(v), &d)) {
        return v;
    }
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    assert(digits >= 0 && digits < countof(powers));
    double scaled = fabs(d) * powers[digits];
    if (!(scaled < 1e15)) {
        return v;
    }
    double nearest = floor(scaled + 0.5 + 1e-6);
    return value_int((int64_t)(d < 0 ? -nearest : nearest));
}

static uint64_t value_code(value v, coding how, arena scratch)
{
    switch (how.kind) {
    case CODING_VALUE: break;
    case CODING_EXACT: return value_key(v).low;
    case CODING_STRICT: return hash_mix(v.kind, value_key(v).low);
    case CODING_LOOSE: return value_key(loose_value(v, &scratch)).low;
    case CODING_ROUNDED:
        if (value_is_number(v)) {
            return hash_mix(1, value_key(rounded_value(v, how.digits)).low);
        }
        break;
    }
    return value_key(plain_value(v, &scratch)).low;
}

uint64_t *coded_column(const coded *t, ptrdiff_t c)
{
    assert(c >= 0 && c < t->n_columns);
    return t->codes + c * t->n_rows;
}

coded table_code(arena *a, const table *t, coding how)
{
    coded out = {.n_rows = t->n_rows, .n_columns = t->n_columns};
    out.codes = arena_new(a, uint64_t, t->n_rows * t->n_columns);
    const value *cell = t->cells;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            out.codes[c * t->n_rows + r] = value_code(*cell++, how, *a);
        }
    }
    return out;
}

void code_append(uint64_t *rows, const uint64_t *codes, ptrdiff_t n)
{
    assert(n == 0 || (rows && codes));
    for (ptrdiff_t r = 0; r < n; r++) {
        rows[r] = hash_mix(rows[r], codes[r]);
    }
}

uint64_t *coded_rows(arena *a,
                     const coded *t,
                     const int32_t *columns,
                     ptrdiff_t n)
{
    uint64_t *rows = arena_new(a, uint64_t, t->n_rows);
    for (ptrdiff_t c = 0; c < n; c++) {
        code_append(rows, coded_column(t, columns ? columns[c] : c), t->n_rows);
    }
    return rows;
}

ptrdiff_t coded_list(const uint64_t *hashes,
                     ptrdiff_t n,
                     bool are_sets,
                     ptrdiff_t *rows,
                     arena scratch)
{
    counter seen = counter_new(&scratch, are_sets ? n : 0);
    ptrdiff_t n_rows = 0;
    for (ptrdiff_t r = 0; r < n; r++) {
        if (!are_sets || counter_add(&seen, hashes[r])->gold++ == 0) {
            rows[n_rows++] = r;
        }
    }
    return n_rows;
}

coded coded_distinct(arena *a, const coded *t)
{
    coded out = {.n_columns = t->n_columns};
    out.codes = arena_new(a, uint64_t, t->n_rows * t->n_columns);
    arena scratch = *a;
    ptrdiff_t *rows = arena_new(&scratch, ptrdiff_t, t->n_rows);
    const uint64_t *hashes = coded_rows(&scratch, t, NULL, t->n_columns);
    out.n_rows = coded_list(hashes, t->n_rows, true, rows, scratch);
    assert(out.n_rows <= t->n_rows);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        const uint64_t *from = coded_column(t, c);
        uint64_t *to = coded_column(&out, c);
        for (ptrdiff_t i = 0; i < out.n_rows; i++) {
            to[i] = from[rows[i]];
        }
    }
    return out;
}

bool value_is_spelled(value v)
{
    value ignored;
    return v.kind == VALUE_TEXT && read_spelled(value_bytes(v), &ignored);
}

unsigned table_kinds(const table *t)
{
    unsigned kinds = 0;
    ptrdiff_t n = t->n_rows * t->n_columns;
    for (ptrdiff_t i = 0; i < n; i++) {
        kinds |= 1u << t->cells[i].kind;
    }
    return kinds;
}
