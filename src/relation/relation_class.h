/*
 * relation_class.h - what is known of the rows of a block: which columns are
 * equal, and how; which are not NULL. [equivalence 6.3]
 *
 * Of a block further out a column is a constant to the blocks in it.
 */
#ifndef ASSAY_RELATION_CLASS_H
#define ASSAY_RELATION_CLASS_H

#include "relation/relation_block.h"

// Whether the conjunct holds two columns together so that either may stand for
// the other everywhere: `col = col` that is known to mean identity.
bool know_identifies(prover *p, const block *b, const term *conjunct);

// Whether the conjunct makes two columns have one value. (Comparing them with
// others may still differ, by their affinities.)
bool know_equates(prover *p, const term *conjunct);

// Whether a value of `other` is equal to one value of the column at most. The
// comparison must not convert the column: it does not make numbers of numbers,
// nor of texts beside what has no numeric affinity.
bool know_meets_one(prover *p, const term *column, const term *other);

// What equality of two values says: nothing but that (1 = 1.0, 'a' = 'A' under
// NOCASE), or that they are identical, and then to what other values they may
// be equal only if they are identical.
typedef enum exact_kind {
    EXACT_NOT,
    EXACT_WHOLE,  // a number that is an integer where it can be
    EXACT_REAL,   // a floating-point number, if a number
    EXACT_TEXT,   // text by its bytes
    EXACT_NULL,   // there is no value
} exact_kind;

exact_kind know_exact(prover *p, const term *t);

// Of a column of a block, over all sides of a set operation.
exact_kind know_exact_output(prover *p, const block *b, int32_t column);

// Of all columns: rows that are equal are one and the same.
bool know_exact_rows(prover *p, const block *b);

// The classes of columns that are held together, of two and more.
typedef vec_of(term_class) class_list;
class_list know_classes(prover *p, const block *b);
const term_list *know_class_of(const class_list *l, const term *t);  // or none

bool know_same_class(prover *p,
                     const block *b,
                     const term *one,
                     const term *other);

// Whether `t` is NULL whenever `column` is, or all columns of `source` are; of
// an aggregate: in all rows. Either may be NULL.
bool know_null_when(const term *t, const term *column, const instance *source);

// Whether a row in which these are NULL cannot satisfy the condition.
bool know_rejects(const term *condition,
                  const term *column,
                  const instance *source);

// Whether the term is a call that gives NULL when an argument is NULL.
bool know_is_strict(const term *t);

// Whether a column of the table is never NULL.
bool know_never_null(prover *p, const schema_table *t, int32_t column);

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

// PostgreSQL and DuckDB: whether the text beside the term, if a decimal number,
// is read as that number; whether any text is read as itself.
bool know_reads_number(const term *t, str text);
bool know_reads_text(const term *t);

#endif  // ASSAY_RELATION_CLASS_H
