/*
 * normal.h - terms in their local normal form: what can be said about an
 * expression without knowing the block it stands in.
 *
 * Each function makes the term that means the same as what its name says;
 * which rewritings there are, and when they hold, is in local.def.
 */
#ifndef ASSAY_RELATION_NORMAL_H
#define ASSAY_RELATION_NORMAL_H

#include "relation/relation_term.h"

#include <assert.h>

typedef enum local_rule {
#define LOCAL(name, word, says, when) LOCAL_##name,
#include "relation/local.def"
    LOCAL_COUNT,
} local_rule;

static_assert(LOCAL_COUNT <= 64, "a bit of prover.locals for each");

// Of prover.locals.
static inline uint64_t local_bit(local_rule r)
{
    return (uint64_t)1 << r;
}

str local_word(local_rule rule);

// Whether the rule may be used; the proof then names it.
bool local_allowed(prover *p, local_rule rule);

const term *term_compare(prover *p,
                         term_kind kind,
                         const term *a,
                         const term *b);

// Does the comparison hold of values whose order is that of `order` and 0?
bool term_order_holds(term_kind kind, int order);

const term *term_is(prover *p, const term *a, const term *b);
const term *term_not(prover *p, const term *a);
const term *term_and(prover *p, const term *a, const term *b);

// AND or OR of any number.
const term *term_all(prover *p,
                     term_kind kind,
                     const term *const *args,
                     int32_t n);

// args[0] IN (the others)
const term *term_in_list(prover *p, const term *const *args, int32_t n);
const term *term_between(prover *p,
                         const term *x,
                         const term *low,
                         const term *high);
const term *term_case(prover *p, const term *const *args, int32_t n);
const term *term_arithmetic(prover *p,
                            term_kind kind,
                            const term *a,
                            const term *b);

// The term as it computes with REAL numbers, where only the number counts, not
// whether it is 0 or 0.0: `t` itself where it is no share of fractions.
const term *term_share(prover *p, const term *t);

const term *term_negate(prover *p, const term *a);
const term *term_plus(prover *p, const term *a);
const term *term_concat(prover *p, const term *a, const term *b);
const term *term_cast(prover *p, const term *a, schema_affinity to);
const term *term_call(prover *p, str name, const term *const *args, int32_t n);
const term *term_aggregate(prover *p,
                           str name,
                           bool is_distinct,
                           const term *const *args,
                           int32_t n);

// Whether the term is 0 or 1, never NULL, whatever the row: EXISTS, IS, and
// what is made of them.
bool term_is_decided(const term *t);

// What is true exactly when `t` is: where only that counts.
const term *term_condition(prover *p, const term *t);

// Adds the conjuncts of a condition to the set; those that are true are left
// out.
void term_conjoin(prover *p, term_list *set, const term *t);
void term_conjoin_all(prover *p, term_list *set, const term_list *l);

// `t` once more with other parts.
const term *term_remake(prover *p, const term *t, const term *const *args);

// Whether the sides of a comparison may be exchanged: not if both have a
// collation, each its own.
bool terms_exchange(const term *a, const term *b);

// x = (SELECT ...) for x IN (SELECT ...) that always has one row; NULL: it may
// have others, or compares otherwise.
const term *term_in_row(prover *p, const term *x, block *rows);

// The sides of a comparison without a type that does not matter to it.
void terms_bare(prover *p, const term **a, const term **b);

#endif  // ASSAY_RELATION_NORMAL_H
