/*
 * relation.h - a bound query, understood.
 *
 *     relation r = relation_of(&a, binding, ASSUME_KEYS | ASSUME_ENFORCED);
 *     const block *b = relation_block_at(&r, select);
 *
 * What cannot be read is said once, for all who ask: then there are no blocks,
 * and `obstacle` names what it was.
 */
#ifndef ASSAY_RELATION_RELATION_H
#define ASSAY_RELATION_RELATION_H

#include "relation/relation_block.h"

typedef struct relation {
    prover p;
    block *top;    // NULL: there is an obstacle
    str obstacle;  // empty: there is none
} relation;

// `assume`: ASSUME_*. Lives as long as the arena and the binding.
relation *relation_of(arena *a, const binding *b, unsigned assume);

// The block that a SELECT, VALUES or set operation of the tree is; of a CTE
// that is used several times any of them. NULL: it is not known.
const block *relation_block_at(const relation *r, const ast *query);

#endif  // ASSAY_RELATION_RELATION_H
