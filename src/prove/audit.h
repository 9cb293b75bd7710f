/*
 * audit.h - each step of a proof, checked by code that shares no rule.
 *
 * Method      A block is remembered before rules are tried on it. Once one has
 *             applied, what changed is compared with what this rule may change,
 *             and the rule's side conditions are established anew from the
 *             schema and the block as it was: a row of audit.def each. A step
 *             that does not pass is an obstacle, so that nothing is proved.
 *
 *             What rules know (relation_class.h, relation_told.h) is not asked.
 *             Shared are the terms, the types by which they compare, and what
 *             kind of values they have (relation_term.h, known.h).
 */
#ifndef ASSAY_PROVE_AUDIT_H
#define ASSAY_PROVE_AUDIT_H

#include "prove/audit_stage.h"

// Is what the rule made of the block what it may make of it? The rule's name
// is one of rule.def; in *why what does not hold.
bool audit_passes(prover *p,
                  str rule,
                  const stage *before,
                  const block *after,
                  str *why);

// Is there a row of the rule?
bool audit_has(str rule);

// Does the rule leave alone what SUM and ABS are computed of?
bool audit_keeps_calls(str rule);

#endif  // ASSAY_PROVE_AUDIT_H
