// known.h - which kinds of values a term has, whatever the row.
#ifndef ASSAY_RELATION_KNOWN_H
#define ASSAY_RELATION_KNOWN_H

#include "relation/relation_term.h"

// What all values of a term are that are not NULL.
typedef enum known_kind {
    KNOWN_NULL,     // there is none
    KNOWN_INTEGER,  // an integer of 64 bits
    KNOWN_REAL,     // a floating-point number
    KNOWN_NUMBER,   // either
    KNOWN_TEXT,     // text or a blob, never a number
    KNOWN_KEPT,  // as a column of INTEGER or NUMERIC keeps them: no REAL that
                 // could be an integer
    KNOWN_KEPT_REAL,  // as a column of REAL keeps them: no integer
    KNOWN_NOTHING,    // anything
} known_kind;

known_kind known_kind_of(prover *p, const term *t);

// Is it that, where of the assumptions only those of `may` are made?
bool known_is(prover *p, const term *t, known_kind kind, unsigned may);

// Is every value a number, where values fit the types that are declared? Asked
// last.
bool known_counts(prover *p, const term *t);

// Whether equal values of these kinds are the same to every function.
bool known_identity(known_kind a, known_kind b);
bool known_number(known_kind k);
known_kind known_join(known_kind a, known_kind b);  // of a value of either

// Whether comparing a value of affinity `own` with a side of the other one
// leaves it as it is.
bool known_stays(prover *p,
                 const term *t,
                 schema_affinity own,
                 schema_affinity other);

// PostgreSQL, DuckDB: has a value of the type one form only?
bool known_one_form(const schema_column *c);

// SQLite converts what it stores of a derived table, in an index of its own, to
// the affinity that it takes for the type of the column; of a set operation
// that is one side's. Whether a value may become another one so.
bool known_converts(prover *p, const term *column);

#endif  // ASSAY_RELATION_KNOWN_H
