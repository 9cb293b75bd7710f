// build.h - from a bound tree to blocks.
#ifndef ASSAY_RELATION_BUILD_H
#define ASSAY_RELATION_BUILD_H

#include "relation/relation_block.h"

// The block of the whole query; NULL when it holds what cannot be treated,
// which the prover then knows as its obstacle.
block *build_query(prover *p);

// What the CHECKs of its table say of the row of a source that is not padded:
// conditions that are never false; of a derived table none.
term_list build_checks(prover *p, instance *source);

#endif  // ASSAY_RELATION_BUILD_H
