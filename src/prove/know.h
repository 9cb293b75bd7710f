/*
 * know.h - what is known of the rows of a block: which columns are equal,
 * which are not NULL, which are determined by others. [equivalence 6.3]
 *
 * Of a block further out a column is a constant to the blocks in it.
 */
#ifndef ASSAY_PROVE_KNOW_H
#define ASSAY_PROVE_KNOW_H

#include "prove/block.h"

// Whether the conjunct holds two columns together so that either may stand for
// the other everywhere: `col = col` that is known to mean identity.
bool know_identifies(prover *p, const block *b, const term *conjunct);

// Whether the conjunct makes two columns have one value. (Comparing them with
// others may still differ, by their affinities.)
bool know_equates(prover *p, const term *conjunct);

// The classes of columns that are held together, of two and more.
typedef struct class_list {
    term_class *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} class_list;
class_list know_classes(prover *p, const block *b);

bool know_same_class(prover *p,
                     const block *b,
                     const term *one,
                     const term *other);

// Whether `t` is NULL whenever `column` is.
bool know_null_when(const term *t, const term *column);

// Whether a row in which `column` is NULL cannot satisfy the condition.
bool know_rejects(const term *condition, const term *column);

// Whether the term is a call that gives NULL when an argument is NULL.
bool know_is_strict(const term *t);

// Whether a column is never NULL by what is declared, or by what its derived
// table says.
bool know_declared_not_null(prover *p, const term *column);

// Whether the term is not NULL in any row of the block.
bool know_not_null(prover *p, const block *b, const term *t);

// The same without the conjunct `except`.
bool know_not_null_but(prover *p,
                       const block *b,
                       const term *t,
                       const term *except);

bool know_owns(const block *b, const instance *i);

/*
 * The columns whose values are determined by others in every row.
 */
typedef struct closure {
    const block *b;
    bool *in;
    ptrdiff_t n;
} closure;

closure closure_of(prover *p, const block *b, const term_list *from);
bool closure_has(const closure *c, const term *t);  // all columns in it

// Whether joined rows that agree in the closure are one and the same row.
bool closure_covers(prover *p, const closure *c);

// Whether all columns of the source are in it.
bool closure_has_source(const closure *c, const instance *i);

#endif  // ASSAY_PROVE_KNOW_H
