/*
 * edit_distance.c - Levenshtein distance, 64 rows of the matrix at a time.
 *
 * Method      Neighbors in the matrix differ by -1, 0 or 1, so a column of 64
 *             rows is two words of bits: where it steps up and where it steps
 *             down from row to row. A band of 64 rows is computed column by
 *             column with word operations (G. Myers 1999, in H. Hyyro's form);
 *             what leaves it at the bottom of each column (-1, 0 or 1) enters
 *             the band below. The distance is the first column's last value
 *             plus all that left the last band.
 *
 * Cost        |a| * |b| / 64 steps; memory for b and for the largest id.
 */
#include "base/edit_distance.h"

#include <assert.h>

enum {
    BAND = 64,
};

// The band's state in one column.
typedef struct band {
    uint64_t ups;    // rows where the column steps up
    uint64_t downs;  // rows where it steps down
} band;

// Moves the band one column on. `equal` has the rows whose element equals the
// column's; `enters` is the step along the row above the band. Returns the
// step along its row `last`.
static int band_step(band *s, uint64_t equal, int enters, int last)
{
    assert(last >= 0 && last < BAND);
    uint64_t vertical = equal | s->downs;
    equal |= enters < 0;
    uint64_t diagonal = (((equal & s->ups) + s->ups) ^ s->ups) | equal;
    uint64_t right_up = s->downs | ~(diagonal | s->ups);
    uint64_t right_down = s->ups & diagonal;
    int leaves = (int)(right_up >> last & 1) - (int)(right_down >> last & 1);
    right_up = right_up << 1 | (enters > 0);
    right_down = right_down << 1 | (enters < 0);
    s->ups = right_down | ~(vertical | right_up);
    s->downs = right_up & vertical;
    return leaves;
}

ptrdiff_t edit_distance(str a, str b, arena scratch)
{
    int32_t *ids = arena_new(&scratch, int32_t, a.len + b.len);
    for (ptrdiff_t i = 0; i < a.len; i++) {
        ids[i] = (unsigned char)a.ptr[i];
    }
    for (ptrdiff_t i = 0; i < b.len; i++) {
        ids[a.len + i] = (unsigned char)b.ptr[i];
    }
    return edit_distance_ids(ids, a.len, ids + a.len, b.len, scratch);
}

static int32_t largest(const int32_t *ids, ptrdiff_t n, int32_t least)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        assert(ids[i] >= 0);
        least = ids[i] > least ? ids[i] : least;
    }
    return least;
}

ptrdiff_t edit_distance_ids(const int32_t *a,
                            ptrdiff_t n_a,
                            const int32_t *b,
                            ptrdiff_t n_b,
                            arena scratch)
{
    ptrdiff_t n_ids = (ptrdiff_t)largest(b, n_b, largest(a, n_a, 0)) + 1;
    uint64_t *rows = arena_new(&scratch, uint64_t, n_ids);  // by id
    int8_t *steps = arena_new(&scratch, int8_t, n_b);       // along a row
    for (ptrdiff_t j = 0; j < n_b; j++) {
        steps[j] = 1;
    }
    for (ptrdiff_t top = 0; top < n_a; top += BAND) {
        int height = (int)(n_a - top < BAND ? n_a - top : BAND);
        for (int i = 0; i < height; i++) {
            rows[a[top + i]] |= (uint64_t)1 << i;
        }
        band s = {.ups = ~(uint64_t)0};
        for (ptrdiff_t j = 0; j < n_b; j++) {
            steps[j] = (int8_t)band_step(&s, rows[b[j]], steps[j], height - 1);
        }
        for (int i = 0; i < height; i++) {
            rows[a[top + i]] = 0;
        }
    }
    ptrdiff_t distance = n_a;
    for (ptrdiff_t j = 0; j < n_b; j++) {
        distance += steps[j];
    }
    assert(distance >= 0 && distance <= (n_a > n_b ? n_a : n_b));
    return distance;
}
