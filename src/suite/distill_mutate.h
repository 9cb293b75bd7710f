/*
 * distill_mutate.h - small changes of a database: a second line of the search.
 *
 * Why         A database that kills other neighbors of a gold already meets
 *             the gold's conditions. What a living neighbor needs is often one
 *             step away: a row twice, a value one higher, a NULL, the same
 *             value in two rows, one row less in a group.
 */
#ifndef ASSAY_SUITE_DISTILL_MUTATE_H
#define ASSAY_SUITE_DISTILL_MUTATE_H

#include "base/rng.h"
#include "engine/instance.h"

// Values that may be put into cells, besides those that are there.
typedef struct mutate_values {
    value *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} mutate_values;

// The literals of a query, numbers also one higher and one lower.
void mutate_literals(mutate_values *out, arena *a, const ast *query);

// `from`, changed in a few places. It may break a constraint: whoever fills it
// in will see.
instance mutate(const instance *from,
                const mutate_values *values,
                rng *random,
                arena *a);

#endif  // ASSAY_SUITE_DISTILL_MUTATE_H
