// edit_distance.c - Levenshtein distance with one row of the matrix in memory.
#include "base/edit_distance.h"

static ptrdiff_t min3(ptrdiff_t a, ptrdiff_t b, ptrdiff_t c)
{
    ptrdiff_t least = a < b ? a : b;
    return least < c ? least : c;
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

ptrdiff_t edit_distance_ids(const int32_t *a,
                            ptrdiff_t n_a,
                            const int32_t *b,
                            ptrdiff_t n_b,
                            arena scratch)
{
    if (n_a < n_b) {
        return edit_distance_ids(b, n_b, a, n_a, scratch);
    }
    ptrdiff_t *row = arena_new(&scratch, ptrdiff_t, n_b + 1);
    for (ptrdiff_t j = 0; j <= n_b; j++) {
        row[j] = j;
    }
    for (ptrdiff_t i = 1; i <= n_a; i++) {
        ptrdiff_t diagonal = row[0];
        row[0] = i;
        for (ptrdiff_t j = 1; j <= n_b; j++) {
            ptrdiff_t above = row[j];
            ptrdiff_t cost = a[i - 1] != b[j - 1];
            row[j] = min3(above + 1, row[j - 1] + 1, diagonal + cost);
            diagonal = above;
        }
    }
    return row[n_b];
}
