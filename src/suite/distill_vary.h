/*
 * distill_vary.h - small changes of a database: a second line of the search.
 *
 * Why         A database that kills other mutants of a gold already meets the
 *             gold's conditions. What a living mutant needs is often one step
 *             away: a row twice, a value one higher, a NULL, the same value in
 *             two rows, one row less in a group.
 */
#ifndef ASSAY_SUITE_DISTILL_VARY_H
#define ASSAY_SUITE_DISTILL_VARY_H

#include "base/rng.h"
#include "engine/instance.h"

// Values that may be put into cells, besides those that are there.
typedef vec_of(value) vary_values;

// The literals of a query, numbers also one higher and one lower.
void vary_literals(vary_values *out, arena *a, const ast *query);

// `from`, changed in a few places. It may break a constraint: whoever fills it
// in will see.
instance vary(const instance *from,
              const vary_values *values,
              rng *random,
              arena *a);

#endif  // ASSAY_SUITE_DISTILL_VARY_H
