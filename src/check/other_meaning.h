/*
 * other_meaning.h - what of a query in SQLite's words means something else in
 * the dialect that it was written in, and has no other words: see
 * semantics.def.
 *
 * What both queries of a pair have alike does not stand against a proof,
 * which takes it for one thing; any of it stands against a counterexample.
 */
#ifndef ASSAY_CHECK_OTHER_MEANING_H
#define ASSAY_CHECK_OTHER_MEANING_H

#include "schema/bind.h"

// In words, each once, sorted: "a text beside a number: b = 1".
str_list other_meanings(const binding *b, dialect d, arena *a, arena scratch);

// Does the query read columns of types that SQLite lacks, as REAL of single
// precision and CHAR(n)?
bool reads_other_types(const binding *b);

// Does it divide, join texts or CAST, so that the type of a number shows?
bool shows_types(const binding *b);

bool other_meanings_equal(const str_list *l, const str_list *r);

#endif  // ASSAY_CHECK_OTHER_MEANING_H
