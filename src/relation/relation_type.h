/*
 * relation_type.h - the type that a term has in the system that runs the
 * queries.
 *
 * A type is a word: equal words are one type. Where it is not known the word
 * says what it is computed from and begins with '?': equal words are one type
 * there, too, but nothing else is known of it. SQLite gives values a type, not
 * terms: what a term lends there, affinity and collation, is term_type.
 *
 * Law         A step keeps the type of what it replaces. Where a type depends
 *             on the order of operands, or on what is merged, nobody exchanges
 *             or merges them. rule.c and prove.c look after both.
 */
#ifndef ASSAY_RELATION_TYPE_H
#define ASSAY_RELATION_TYPE_H

#include "relation/relation_term.h"
#include "sql/function.h"

// PostgreSQL and DuckDB; in other dialects it is empty.
str type_of(prover *p, const term *t);
str type_of_output(prover *p, const block *b, int32_t column);

// The row of a call's function; an empty one where it is said of texts only,
// and the call is of something else: LOWER of a range, LENGTH of a path.
const sql_function *type_function_of(prover *p, const term *t);

// The one name of a type in a dialect that follows PostgreSQL: int4 of integer.
str type_name_of(str word, dialect d);

bool type_is_known(str type);

// A literal text, whose type what is around it says. E'a\\n' is one, too; B'1'
// is not, but does no harm here.
bool type_is_open(const term *t);
bool type_same(prover *p, const term *a, const term *b);

// The types of all columns of a block, by column.
const str *type_outputs(prover *p, const block *b);

// Of a set operation: whether the sides may be exchanged; whether a side shows
// its column with the type that the operation has.
bool type_sides_exchange(prover *p, const block *set, int32_t column);
bool type_of_sides_same(prover *p, const block *set, int32_t column);

// Does the system that runs the queries compare x with a literal as it is?
// Beside a float a large whole number may be another, beside a truth 2 may be
// 1, beside a time two texts one day. `literal` may be any term.
bool type_takes(prover *p, const term *x, const term *literal);

// Whether a literal that becomes of the type of x stays what it is: in single
// precision 0.1 is another number.
bool type_keeps(prover *p, const term *x, const term *literal);

// How it orders two literals beside x, or beside each other (NULL). A
// collation that we do not know may fold letters, accents and blanks at the
// end; SQLite's bytes are sure.
typedef enum literal_order {
    LITERAL_LESS = -1,
    LITERAL_SAME,
    LITERAL_GREATER,
    LITERAL_OTHER,  // nothing equals both
    LITERAL_OPEN,
} literal_order;

literal_order type_order(prover *p,
                         const term *x,
                         const term *a,
                         const term *b);

// PostgreSQL casts the literals of `x IN (...)` to one type, those of `x = c`
// to another: whether IN compares as = does.
bool type_lists_as_compared(prover *p,
                            const term *x,
                            const term *const *literals,
                            ptrdiff_t n);

// Whether values that are equal look alike: which of them MIN shows does not
// matter then. '24 hours' and '1 day' are one INTERVAL, 0 and -0 one FLOAT.
bool type_looks_alike(prover *p, const term *t);

#endif  // ASSAY_RELATION_TYPE_H
