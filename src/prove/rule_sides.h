// rule_sides.h - what is asked of a set operation, asked of its sides.
#ifndef ASSAY_PROVE_RULE_SIDES_H
#define ASSAY_PROVE_RULE_SIDES_H

#include "prove/rule_common.h"

// What the term over columns of a set operation is over the items of a side;
// NULL: not the same, or it is of other tables, too.
const term *side_term(prover *p,
                      const instance *s,
                      const block *side,
                      const term *t);

const block *first_side(const block *b);

// Asks each side for it: a SELECT that may leave rows out and show more. Gives
// what stands in place of the block.
typedef void side_ask(prover *p, block *side, void *context);
block *ask_sides(prover *p, block *b, side_ask *ask, void *context);

#endif  // ASSAY_PROVE_RULE_SIDES_H
