/*
 * compare_defog_sort.c - rows of a frame in the order in which the reference
 * sorts them.
 *
 * Method      Each row has the first 64 bits of its first sort key, made so
 *             that smaller bits mean an earlier row; rows with equal bits are
 *             compared cell by cell.
 *
 * Cost        n log n comparisons of integers. Long ties cost a comparison of
 *             cells each.
 */
#include "base/sort.h"
#include "evaluators/compare_defog.h"

#include <assert.h>
#include <string.h>

typedef struct sorter {
    const frame *f;
    frame_order order;
    const uint64_t *bits;  // by source row
} sorter;

enum {
    // The two upper bits of a key: what is missing comes after all text, text
    // after all else, in either direction.
    RANK_PLAIN = 0,
    RANK_TEXT = 1,
    RANK_MISSING = 2,
};

bool frame_can_sort(const frame *f, frame_order order)
{
    for (ptrdiff_t i = 0; i < order.n; i++) {
        assert(order.columns[i] >= 0 && order.columns[i] < f->n_columns);
        const frame_column *c = &f->columns[order.columns[i]];
        int families = __builtin_popcount(c->families);
        families -= order.is_several && frame_column_has(c, VALUE_TEXT);
        if (families > 1) {
            return false;
        }
    }
    return true;
}

static int compare_numbers(value a, value b)
{
    if (a.kind != VALUE_REAL && b.kind != VALUE_REAL && a.kind != VALUE_DECIMAL
        && b.kind != VALUE_DECIMAL) {
        return (a.i > b.i) - (a.i < b.i);
    }
    double x = value_to_double(a);
    double y = value_to_double(b);
    return (x > y) - (x < y);
}

static int rank_of(value v)
{
    if (v.kind == VALUE_NULL) {
        return RANK_MISSING;
    }
    return v.kind == VALUE_TEXT ? RANK_TEXT : RANK_PLAIN;
}

// Of two cells that are not missing.
static int compare_present(value a, value b)
{
    int rank = rank_of(a) - rank_of(b);
    if (rank != 0) {
        return rank;
    }
    if (value_is_number(a)) {
        return compare_numbers(a, b);
    }
    if (value_has_bytes(a)) {
        return str_compare(value_bytes(a), value_bytes(b));
    }
    return (a.i > b.i) - (a.i < b.i);
}

static int compare_rows(const sorter *s, ptrdiff_t a, ptrdiff_t b)
{
    for (ptrdiff_t i = 0; i < s->order.n; i++) {
        const value *cells = s->f->columns[s->order.columns[i]].cells;
        value x = cells[a];
        value y = cells[b];
        if (value_is_null(x) || value_is_null(y)) {
            int d = value_is_null(x) - value_is_null(y);
            if (d != 0) {
                return d;
            }
            continue;
        }
        int d = compare_present(x, y);
        if (d != 0) {
            return s->order.is_descending ? -d : d;
        }
    }
    return 0;
}

// 62 bits that grow with the number.
static uint64_t bits_of_number(value v)
{
    double d = value_to_double(v) + 0.0;  // -0.0 becomes 0.0
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    const uint64_t sign = (uint64_t)1 << 63;
    bits = bits & sign ? ~bits : bits | sign;
    return bits >> 2;
}

static uint64_t bits_of_bytes(str s)
{
    uint64_t bits = 0;
    for (ptrdiff_t i = 0; i < 8; i++) {
        bits = bits << 8 | (i < s.len ? (unsigned char)s.ptr[i] : 0);
    }
    return bits >> 2;
}

static uint64_t bits_of(value v, bool is_descending)
{
    const uint64_t all = ((uint64_t)1 << 62) - 1;
    uint64_t rank = (uint64_t)rank_of(v);
    if (rank == RANK_MISSING) {
        return rank << 62;
    }
    uint64_t bits = value_is_number(v)   ? bits_of_number(v)
                    : value_has_bytes(v) ? bits_of_bytes(value_bytes(v))
                                         : bits_of_number(value_int(v.i));
    if (is_descending) {
        return (RANK_TEXT - rank) << 62 | (~bits & all);
    }
    return rank << 62 | bits;
}

static int compare_items(const void *context, ptrdiff_t a, ptrdiff_t b)
{
    const sorter *s = context;
    const uint64_t *bits = s->bits;
    return bits[a] != bits[b] ? (bits[a] > bits[b]) - (bits[a] < bits[b])
                              : compare_rows(s, a, b);
}

static int32_t *sort_rows(const frame *f, frame_order order, arena *a)
{
    int32_t *sorted = arena_copy(a, f->rows, f->n_rows, 0);
    arena scratch = *a;
    uint64_t *bits = arena_new(&scratch, uint64_t, f->source->n_rows);
    for (ptrdiff_t r = 0; order.n > 0 && r < f->n_rows; r++) {
        int32_t row = sorted[r];
        value first = f->columns[order.columns[0]].cells[row];
        bits[row] = bits_of(first, order.is_descending);
    }
    const sorter s = {f, order, bits};
    sort_places(sorted, f->n_rows, compare_items, &s, scratch);
    return sorted;
}

ptrdiff_t frame_first_row(const frame *f, frame_order order)
{
    const sorter s = {f, order, NULL};
    ptrdiff_t first = 0;
    for (ptrdiff_t r = 1; r < f->n_rows; r++) {
        if (compare_rows(&s, f->rows[r], f->rows[first]) < 0) {
            first = r;
        }
    }
    return first;
}

void frame_sort(frame *f, frame_order order, arena *a)
{
    f->rows = sort_rows(f, order, a);
}

const int32_t *frame_sorted_column(frame *f, ptrdiff_t column, arena *a)
{
    frame_column *c = &f->columns[column];
    if (!c->sorted) {
        const int32_t by = (int32_t)column;
        c->sorted = sort_rows(f, (frame_order){.columns = &by, .n = 1}, a);
    }
    return c->sorted;
}
