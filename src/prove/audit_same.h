// audit_same.h - is one block the copy of another?
#ifndef ASSAY_PROVE_AUDIT_SAME_H
#define ASSAY_PROVE_AUDIT_SAME_H

#include "prove/audit_need.h"

bool same_orders(const block *a, const block *b);

// Whether the block is what it was once both are rewritten: its lists, and the
// ON of its sources, of which `to` stands for `gone` (NULL: none is gone). What
// the rewriting puts in the place of a term must be the same as the term.
bool same_rewritten(const need_step *s,
                    rewrite *r,
                    const stage_source *gone,
                    const instance *to);

// Whether `b` asks what `a` does, with sources of its own in the same order.
// DISTINCT, ORDER BY and LIMIT of the block itself do not count.
bool same_rows(prover *p, const block *a, const block *b);

#endif  // ASSAY_PROVE_AUDIT_SAME_H
