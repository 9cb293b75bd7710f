/*
 * encode.h - terms as formulas for the solver.
 *
 * What is known of a value: whether it is NULL, and where it stands in SQLite's
 * order of values, as a number. Numbers stand for themselves, texts somewhere
 * above all numbers that matter. Only comparisons that convert nothing and
 * compare bytes are taken apart, only sums of whole numbers are computed; all
 * else is a variable named after its text in the form at hand, so terms with
 * equal texts are one thing to the solver, on both sides.
 *
 * The meaning is SQLite's alone: elsewhere texts have another order.
 *
 * Source      definitions/equivalence.md#solver
 */
#ifndef ASSAY_PROVE_ENCODE_H
#define ASSAY_PROVE_ENCODE_H

#include "prove/solver.h"
#include "relation/known.h"

// What else a term is called: it means the same as a term of the other side.
typedef struct alias {
    const term *term;
    str name;
} alias;

typedef vec_of(alias) alias_list;

// One side's terms, with its sources numbered for the form at hand.
typedef struct encoder {
    solver *s;
    prover *p;
    int32_t first;   // number of the first source of blocks in it
    bool in_groups;  // aggregates are of groups that have a row
    int32_t work;
    alias_list aliases;
} encoder;

typedef struct encoded {
    known_kind kind;
    formula *null;
    formula *value;  // a whole number of KNOWN_INTEGER and KNOWN_NULL, else a
                     // number; means nothing where `null` is true
} encoded;

typedef struct encoded_truth {
    formula *yes;  // it is true
    formula *no;   // it is false; neither: it is NULL
} encoded_truth;

str encode_name(const encoder *e, const term *t);  // its text or its alias
encoded encode_value(encoder *e, const term *t);
encoded_truth encode_truth(encoder *e, const term *t);
formula *encode_all(encoder *e, const term_list *l);  // all are true

// Whether both are NULL or both the same in SQLite's order.
formula *encode_same(encoder *e, encoded a, encoded b);

#endif  // ASSAY_PROVE_ENCODE_H
