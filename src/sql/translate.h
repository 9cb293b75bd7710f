/*
 * translate.h - a query of another dialect in SQLite's words. One of SQLite's
 * own stays as it is, or is refused where SQLite has no such words.
 *
 * Only where the meaning is the same, apart from what SQLite itself does
 * otherwise: the case of letters in comparisons, rounding of decimals. What
 * SQLite cannot express is refused.
 *
 * Source      definitions/equivalence.md#dialects
 */
#ifndef ASSAY_SQL_TRANSLATE_H
#define ASSAY_SQL_TRANSLATE_H

#include "base/arena.h"
#include "sql/ast.h"
#include "sql/dialect.h"

// NULL with a reason in words when the query has something that SQLite has no
// equal for. A query of NULL is one that cannot be read.
ast *translate_to_sqlite(arena *a,
                         const ast *query,
                         dialect from,
                         str *why,
                         arena scratch);

// Has a query of another dialect conditions that stand in another FROM then,
// where their names may mean something else: those of SEMI and ANTI JOINs?
bool translate_moves_names(const ast *query);

// Has a query an aggregate of an aggregate, which none of the dialects has?
// NULL has none.
bool translate_nests_aggregates(const ast *query);

// An argument of a call, from 1, without the word before it; NULL: there are
// not as many.
ast *translate_argument(const ast *call, int no);

// The argument of a function that has to be a time, and what follows it if that
// is one, too; NULL: it is another function.
const ast *translate_time_of(dialect from, const ast *call, const ast **other);

// The name of a unit of time that the dialect writes so: day of DD; empty: it
// NULL has none.
str translate_unit(dialect from, str word);

// The query as SQLite is to run it where texts are equal whatever the case of
// their letters: also those that it computes.
ast *translate_folded_query(arena *a, const ast *query);

// A name of GROUP BY or ORDER BY that several tables have, and one of them in
// the select list, is that one.
ast *translate_names(arena *a, const ast *query);

#endif  // ASSAY_SQL_TRANSLATE_H
