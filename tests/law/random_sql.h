/*
 * random_sql.h - random queries for SQLite over three small tables.
 *
 * Everything comes from one rng, nothing from a clock.
 */
#ifndef ASSAY_TESTS_RANDOM_SQL_H
#define ASSAY_TESTS_RANDOM_SQL_H

#include "base/buf.h"
#include "base/rng.h"
#include "sql/lex.h"

extern const char random_sql_schema[];  // the tables and their rows

// A query, nearly always one that SQLite accepts.
str random_sql(arena *a, rng *r, arena scratch);

// The tokens of a query with one change: gone, doubled, swapped, another word.
str random_change(arena *a, rng *r, str sql, dialect d, arena scratch);

// The tokens of a query with comments between them.
str random_comments(arena *a, rng *r, str sql, dialect d, arena scratch);

#endif  // ASSAY_TESTS_RANDOM_SQL_H
