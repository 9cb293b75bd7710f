// build.h - from a bound tree to blocks.
#ifndef ASSAY_RELATION_BUILD_H
#define ASSAY_RELATION_BUILD_H

#include "relation/relation_block.h"

// The block of the whole query; NULL when it holds what cannot be treated,
// which the prover then knows as its obstacle.
block *build_query(prover *p);

#endif  // ASSAY_RELATION_BUILD_H
