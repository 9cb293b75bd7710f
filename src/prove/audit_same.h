// audit_same.h - is one block the copy of another?
#ifndef ASSAY_PROVE_AUDIT_SAME_H
#define ASSAY_PROVE_AUDIT_SAME_H

#include "relation/relation_block.h"

// Whether both lists hold the same terms in the same places.
bool same_list(const term_list *a, const term_list *b);
bool same_orders(const block *a, const block *b);

// Whether `b` asks what `a` does, with sources of its own in the same order.
// DISTINCT, ORDER BY and LIMIT of the block itself do not count.
bool same_rows(prover *p, const block *a, const block *b);

#endif  // ASSAY_PROVE_AUDIT_SAME_H
