/*
 * foreign.h - pairs in a dialect that the engine does not run.
 */
#ifndef ASSAY_CHECK_FOREIGN_H
#define ASSAY_CHECK_FOREIGN_H

#include "check/check_verdict.h"
#include "check/read_query.h"
#include "schema/bind.h"

// The tables as another system has them: a type says what a column holds.
// `folds`: texts that say no collation have that which the system begins with.
const schema *foreign_schema(arena *a, const schema *s, dialect d, bool folds);

// Both queries in the words of the engine; false with the verdict.
bool foreign_translate(read_query *left,
                       read_query *right,
                       dialect d,
                       dialect home,
                       check_verdict *v,
                       arena *a,
                       arena scratch);

// Another dialect is no reason to call a query broken: what SQLite cannot run
// stays open, but for names that are not there and aggregates of aggregates.
void foreign_forgive(check_verdict *v,
                     const ast *left,
                     const ast *right,
                     arena *a);

// May SQLite's rules prove what those of PostgreSQL's types do not? Of types
// that SQLite has, too, in columns and in casts: there a SUM of counts is
// another number, which shows where something is computed of it.
// `unsafe` gets the rules that do not hold.
bool foreign_may_prove(const binding *left,
                       const binding *right,
                       const binding *const *typed,
                       const char **unsafe);

#endif  // ASSAY_CHECK_FOREIGN_H
