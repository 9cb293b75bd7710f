// groups.h - things by their group, for groups that are numbered.
#ifndef ASSAY_BASE_GROUPS_H
#define ASSAY_BASE_GROUPS_H

#include "base/arena.h"

typedef struct groups {
    int32_t *members;   // by group, in each group rising
    ptrdiff_t *starts;  // where those of a group begin; one more at the end
} groups;

// The things 0 .. n - 1, thing i in group of[i]; -1: in none.
groups group_by(arena *a, const int32_t *of, ptrdiff_t n, ptrdiff_t n_groups);

#endif  // ASSAY_BASE_GROUPS_H
