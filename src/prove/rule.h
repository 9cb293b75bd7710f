/*
 * rule.h - rules that change a block and keep its meaning.
 *
 * Each is a row of rule.def and a function that applies it to one block, once,
 * and says whether it did. They are tried in the order of the table until none
 * applies; see rule.c. [equivalence 6.4]
 */
#ifndef ASSAY_PROVE_RULE_H
#define ASSAY_PROVE_RULE_H

#include "prove/proof.h"
#include "relation/relation_block.h"

typedef bool rule_apply(prover *p, block *b);

typedef struct rule {
    str name;
    rule_apply *apply;
    str says;  // what it does
    str when;  // what must hold
} rule;

extern const rule rules[];
extern const ptrdiff_t rule_count;

// The rules at work on a query.
typedef struct proving {
    const prove_options *options;
    prove_side side;
    ptrdiff_t n_replayed;  // steps of the script that are done
    vec_of(proof_step) steps;
    vec_of(block *) fresh;  // made by the rule at hand: once its step is done,
                            // rules are applied to them
} proving;

// Applies rules to the block and to all blocks in it.
void rules_apply(prover *p, block *b);

// The same; what those rules rely on is noted with their own steps, not with
// that of the rule at hand.
void rules_settle(prover *p, block *b);

// The same, once the step of the rule at hand is done: the audit sees what the
// rule made, not what others make of it.
void rules_apply_after(prover *p, block *b);

#define RULE(function, name, says, when) rule_apply rule_##function;
#include "prove/rule.def"

#endif  // ASSAY_PROVE_RULE_H
