/*
 * other_meaning.h - what of a query in SQLite's words means something else in
 * the dialect that it was written in, and has no other words: semantics.def.
 */
#ifndef ASSAY_CHECK_OTHER_MEANING_H
#define ASSAY_CHECK_OTHER_MEANING_H

#include "check/check_verdict.h"
#include "schema/bind.h"

// Unknown, for SQLite has no equal for it.
void other_meaning_refuse(check_verdict *v, str what, arena *a);

// A proof takes what both queries have alike for one thing, whatever it means:
// what only one has stands against it. A counterexample is SQLite's alone where
// anything means something else. Of a query that cannot be bound, NULL, nothing
// is known.
void other_meaning_heed(check_verdict *v,
                        const binding *left,
                        const binding *right,
                        dialect d,
                        arena *a,
                        arena scratch);

// Does the query read columns of types that SQLite lacks, as REAL of single
// precision and CHAR(n)?
bool reads_other_types(const binding *b);

// Does it cast to a number of single precision, in PostgreSQL's words?
bool casts_to_single(const binding *b);

// Does it divide, join texts or CAST, so that the type of a number shows?
bool shows_types(const binding *b);

#endif  // ASSAY_CHECK_OTHER_MEANING_H
