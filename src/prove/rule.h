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

// What a rule looks at, as the columns of rule.def name it.
typedef bool rule_of_block(prover *p, block *b);
typedef bool rule_of_source(prover *p, block *b, instance *s);
typedef bool rule_of_condition(prover *p, block *b, ptrdiff_t at);

// Where in a block, by the same names; each looks at one.
enum {
    RULE_of_select = 1 << 0,
    RULE_of_set = 1 << 1,
    RULE_of_table = 1 << 2,
    RULE_of_derived = 1 << 3,
    RULE_of_outer = 1 << 4,
    RULE_of_inner = RULE_of_table | RULE_of_derived,
    RULE_of_source = RULE_of_inner | RULE_of_outer,
    RULE_of_where = 1 << 5,
    RULE_of_on = 1 << 6,
    RULE_of_condition = RULE_of_where | RULE_of_on,
    RULE_of_part = RULE_of_condition,
    RULE_of_having = 1 << 7,
};

// One of the functions, by its place.
typedef struct rule {
    str name;
    unsigned places;
    rule_of_block *of_block;
    rule_of_source *of_source;
    rule_of_condition *of_condition;
    rewrite_visit *of_part;
    bool keeps_calls;  // SUM and ABS are of the same rows, in the same groups
    bool is_sqlite;    // holds for no other engine
} rule;

extern const rule rules[];
extern const ptrdiff_t rule_count;

const rule *rule_named(str name);  // NULL: there is none

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

// The same, once the step of the rule at hand is done.
void rules_apply_after(prover *p, block *b);

typedef rule_of_block rule_of_select, rule_of_set;
typedef rule_of_source rule_of_table, rule_of_derived, rule_of_inner,
    rule_of_outer;
typedef rewrite_visit rule_of_part;
typedef rule_of_condition rule_of_where, rule_of_having;
#define RULE(place, calls, engines, function, name, says, when) \
    rule_##place rule_##function;
#include "prove/rule.def"

#endif  // ASSAY_PROVE_RULE_H
