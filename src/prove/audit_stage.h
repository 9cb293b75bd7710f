// audit_stage.h - a block as it was before a rule changed it.
#ifndef ASSAY_PROVE_AUDIT_STAGE_H
#define ASSAY_PROVE_AUDIT_STAGE_H

#include "relation/relation_block.h"

// A block as it was: rules change instances and lists in place, so these are
// copies. Subqueries in its terms are not: rules change copies of those.
typedef struct stage_source {
    instance *is;
    instance was;
    block body;           // where it has one
    vec_of(block) sides;  // the SELECTs of a body, from the left
} stage_source;

typedef struct stage {
    block b;
    const stage_source *sources;
    ptrdiff_t n;
    const str *types;  // of its columns
    str calls;         // types of its aggregates
} stage;

stage stage_of(prover *p, const block *b);
// NULL: the source is not the block's own.
const stage_source *stage_find(const stage *s, const instance *i);
// The only source of the block that was not there; NULL: there are others, or
// none.
instance *stage_new_source(const stage *s, const block *after);

#endif  // ASSAY_PROVE_AUDIT_STAGE_H
