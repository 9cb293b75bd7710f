// proof_rule.h - the rules that proofs are made of, for `assay help proofs`.
#ifndef ASSAY_JOB_PROOF_RULE_H
#define ASSAY_JOB_PROOF_RULE_H

#include "base/str.h"

typedef struct proof_rule {
    str name;
    str says;
    str when;
} proof_rule;

// In the order in which they are tried; how many there are.
ptrdiff_t proof_rules(const proof_rule **out);

#endif  // ASSAY_JOB_PROOF_RULE_H
