// sort.c - a merge sort, because qsort passes no context and is not stable.
#include "base/sort.h"

#include <string.h>

void sort_places(int32_t *places,
                 ptrdiff_t n,
                 sort_compare *compare,
                 const void *context,
                 arena scratch)
{
    int32_t *from = places;
    int32_t *to = arena_new(&scratch, int32_t, n);
    for (ptrdiff_t width = 1; width < n; width *= 2) {
        for (ptrdiff_t start = 0; start < n; start += 2 * width) {
            ptrdiff_t middle = start + width < n ? start + width : n;
            ptrdiff_t end = middle + width < n ? middle + width : n;
            ptrdiff_t i = start;
            ptrdiff_t j = middle;
            for (ptrdiff_t k = start; k < end; k++) {
                bool left =
                    i < middle
                    && (j == end || compare(context, from[i], from[j]) <= 0);
                to[k] = left ? from[i++] : from[j++];
            }
        }
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != places) {
        memcpy(places, from, (size_t)n * sizeof *places);
    }
}
