// groups.c - see groups.h; a counting sort.
#include "base/groups.h"

groups group_by(arena *a, const int32_t *of, ptrdiff_t n, ptrdiff_t n_groups)
{
    groups g = {arena_new(a, int32_t, n),
                arena_new(a, ptrdiff_t, n_groups + 2)};
    // One place further on; filling moves each start to its group's end.
    for (ptrdiff_t i = 0; i < n; i++) {
        if (of[i] >= 0) {
            g.starts[of[i] + 2]++;
        }
    }
    for (ptrdiff_t k = 0; k <= n_groups; k++) {
        g.starts[k + 1] += g.starts[k];
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        if (of[i] >= 0) {
            g.members[g.starts[of[i] + 1]++] = (int32_t)i;
        }
    }
    return g;
}
