// audit_fact.h - what the audit finds out about a block by itself.
#ifndef ASSAY_PROVE_AUDIT_FACT_H
#define ASSAY_PROVE_AUDIT_FACT_H

#include "prove/audit_stage.h"

typedef enum audit_fact_kind {
    FACT_MIXED,  // equal values of it need not be identical
    FACT_WHOLE,
    FACT_REAL,
    FACT_TEXT,
    FACT_NULL,
} audit_fact_kind;

// What values a term has, if equality of them is identity.
audit_fact_kind fact_exact(prover *p, const term *t);

// Whether `a = b` of two columns says that they have one value.
bool fact_identical(prover *p, const term *a, const term *b);

// Whether one value of the column `x` at most is equal to a value of `y`.
bool fact_fixes(prover *p, const term *x, const term *y);

// Whether the condition is not true in a row where the column (with `source`:
// every column of the source) is NULL; whether the term is NULL there.
bool fact_rejects(const term *t, const term *column, const instance *source);
bool fact_null_with(const term *t, const term *column, const instance *source);

// Whether a condition is true where all of a list are, by AND, OR and IN alone:
// by trying which of their parts are true.
bool fact_implies(prover *p, const term_list *all, const term *t);

// Whether the term is not NULL in any row of the block; the condition `but`
// does not count.
bool fact_not_null(prover *p, const stage *s, const term *t, const term *but);

// What rows of the block have in common that have these terms in common:
// `same` holds the columns with one value (the rowid: the row is one), `equal`
// those that are equal by their collation.
typedef struct fixed {
    const stage *s;
    term_list same;
    term_list equal;
} fixed;

// Rows that agree in `from` as groups and rows of DISTINCT do; `is_same`: whose
// values there are identical.
fixed fact_fixed(prover *p,
                 const stage *s,
                 const term_list *from,
                 bool is_same);
bool fixed_value(const fixed *f, const term *t);
bool fixed_key(const fixed *f, const term *t);
bool fixed_row(prover *p, const fixed *f, instance *i);
bool fixed_rows(prover *p, const fixed *f);  // of all sources

// Whether the block shows no row twice, as far as its DISTINCT has it.
bool fact_distinct_idle(prover *p, const block *b);

// Whether both only select from the same tables, without outer join.
bool fact_same_tables(const block *a, const block *b);

#endif  // ASSAY_PROVE_AUDIT_FACT_H
