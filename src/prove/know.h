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

// PostgreSQL and DuckDB: whether the text beside the term, if a decimal number,
// is read as that number; whether any text is read as itself.
bool know_reads_number(const term *t, str text);
bool know_reads_text(const term *t);

bool know_owns(const block *b, const instance *i);

/*
 * The columns in which joined rows agree that agree in some others. Rows of a
 * group agree as their collation has it, which may be less than identity; so
 * each column is in the closure to a degree. Which row of a source it is, is
 * known besides: rows of a table without a key may look alike.
 */
typedef enum agreement {
    AGREE_NOT,
    AGREE_EQUAL,      // by the collation of the column
    AGREE_IDENTICAL,  // one value
} agreement;

typedef struct closure {
    const block *b;
    uint8_t *in;  // agreement, by the slot of a source and its column; in the
                  // slot after its columns: of which row it is
    ptrdiff_t n;
} closure;

// Of rows that are equal in these columns, as groups and rows of DISTINCT are.
closure closure_of(prover *p, const block *b, const term_list *from);

// Of rows whose values there are identical.
closure closure_of_same(prover *p, const block *b, const term_list *from);

// Whether the value of the term is one; whether its values are equal as keys.
bool closure_has(const closure *c, const term *t);
bool closure_has_key(const closure *c, const term *t);

// Whether joined rows that agree in the closure are one and the same row.
bool closure_covers(prover *p, const closure *c);

// Whether all columns of the source have one value; whether it is one row.
bool closure_has_source(const closure *c, const instance *i);
bool closure_has_row(const closure *c, const instance *i);

// What the results of groups are made of.
typedef struct group_results {
    term_list aggregates;  // of items, HAVING and ORDER BY
    bool is_bare;  // also of a column that rows of one group may differ in
} group_results;

group_results know_results(prover *p, const block *b);

#endif  // ASSAY_PROVE_KNOW_H
