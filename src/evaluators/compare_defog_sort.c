/*
 * compare_defog_sort.c - rows of a frame in the order in which the reference
 * sorts them.
 *
 * Method      A merge sort, which is stable, over pairs of a row and the first
 *             64 bits of its first sort key. The bits are made so that smaller
 *             bits mean an earlier row; rows with equal bits are compared cell
 *             by cell.
 *
 * Cost        n log n comparisons of integers. Long ties cost a comparison of
 *             cells each.
 */
#include "evaluators/compare_defog.h"

#include <assert.h>
#include <string.h>

typedef struct sort_item {
    uint64_t bits;
    int32_t row;  // source row
} sort_item;

typedef struct sorter {
    const frame *f;
    frame_order order;
} sorter;

enum {
    // The two upper bits of a key: what is missing comes after all text, text
    // after all else, in either direction.
    RANK_PLAIN = 0,
    RANK_TEXT = 1,
    RANK_MISSING = 2,
};

static int popcount(uint32_t bits)
{
    int n = 0;
    for (; bits; bits &= bits - 1) {
        n++;
    }
    return n;
}

bool frame_can_sort(const frame *f, frame_order order)
{
    for (ptrdiff_t i = 0; i < order.n; i++) {
        assert(order.columns[i] >= 0 && order.columns[i] < f->n_columns);
        const frame_column *c = &f->columns[order.columns[i]];
        int families = popcount(c->families);
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

static int compare_rows(const sorter *s, int32_t a, int32_t b)
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

static bool comes_after(const sorter *s, sort_item a, sort_item b)
{
    if (a.bits != b.bits) {
        return a.bits > b.bits;
    }
    return compare_rows(s, a.row, b.row) > 0;
}

// Merges from[low, middle) and from[middle, high) to the same place in `to`.
static void merge(const sorter *s,
                  const sort_item *from,
                  sort_item *to,
                  const ptrdiff_t at[3])
{
    ptrdiff_t left = at[0];
    ptrdiff_t right = at[1];
    for (ptrdiff_t i = at[0]; i < at[2]; i++) {
        bool takes_right =
            left == at[1]
            || (right < at[2] && comes_after(s, from[left], from[right]));
        to[i] = from[takes_right ? right++ : left++];
    }
}

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

// Returns the sorted one of the two arrays.
static sort_item *merge_sort(const sorter *s,
                             sort_item *from,
                             sort_item *to,
                             ptrdiff_t n)
{
    for (ptrdiff_t run = 1; run < n; run *= 2) {
        for (ptrdiff_t low = 0; low < n; low += 2 * run) {
            ptrdiff_t at[3] = {low, least(low + run, n),
                               least(low + 2 * run, n)};
            merge(s, from, to, at);
        }
        sort_item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static int32_t *sort_rows(const sorter *s,
                          const int32_t *rows,
                          ptrdiff_t n,
                          arena *a)
{
    int32_t *sorted = arena_new(a, int32_t, n);
    arena scratch = *a;
    sort_item *items = arena_new(&scratch, sort_item, n);
    sort_item *other = arena_new(&scratch, sort_item, n);
    for (ptrdiff_t r = 0; r < n; r++) {
        const value *cells =
            s->order.n > 0 ? s->f->columns[s->order.columns[0]].cells : NULL;
        items[r] = (sort_item){
            .bits = cells ? bits_of(cells[rows[r]], s->order.is_descending) : 0,
            .row = rows[r],
        };
    }
    items = merge_sort(s, items, other, n);
    for (ptrdiff_t r = 0; r < n; r++) {
        sorted[r] = items[r].row;
    }
    return sorted;
}

ptrdiff_t frame_first_row(const frame *f, frame_order order)
{
    sorter s = {f, order};
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
    sorter s = {f, order};
    f->rows = sort_rows(&s, f->rows, f->n_rows, a);
}

const int32_t *frame_sorted_column(frame *f, ptrdiff_t column, arena *a)
{
    frame_column *c = &f->columns[column];
    if (!c->sorted) {
        const int32_t by = (int32_t)column;
        sorter s = {f, {.columns = &by, .n = 1}};
        c->sorted = sort_rows(&s, f->rows, f->n_rows, a);
    }
    return c->sorted;
}
