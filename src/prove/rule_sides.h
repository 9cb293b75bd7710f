// rule_sides.h - what is asked of a set operation, asked of its sides.
#ifndef ASSAY_PROVE_RULE_SIDES_H
#define ASSAY_PROVE_RULE_SIDES_H

#include "prove/rule_common.h"

// Whether every column of a set operation says the same as what its sides show
// there.
bool sides_stand(prover *p, const instance *s);

typedef enum side_reach {
    OF_SIDE,             // a side can ask for it alone
    OF_SIDE_AND_OTHERS,  // it may be of other tables, too
} side_reach;

// What the term over columns of a set operation is over the items of a side;
// NULL: not the same, or it reaches too far.
const term *side_term(prover *p,
                      const instance *s,
                      const block *side,
                      const term *t,
                      side_reach reach);

// The condition of WHERE moves to the conditions of the table, a SELECT; false:
// it reaches too far.
bool move_inside(prover *p,
                 block *b,
                 ptrdiff_t at,
                 instance *s,
                 term_list *to,
                 side_reach reach);

// A copy of the block, but for order and LIMIT, with one side of a UNION in its
// place.
block *with_side(prover *p, const block *b, const instance *from, bool right);

#endif  // ASSAY_PROVE_RULE_SIDES_H
