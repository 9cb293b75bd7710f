/*
 * sort_keys.h - a query that also shows what it sorts by.
 *
 * Why         Rows that tie on the sort keys may come in any order, and where
 *             LIMIT cuts inside a tie any choice among the tied rows is right.
 *             To know which rows tie, the keys must be in the result.
 */
#ifndef ASSAY_SQL_SORT_KEYS_H
#define ASSAY_SQL_SORT_KEYS_H

#include "base/arena.h"
#include "sql/dialect.h"

typedef struct sort_keys {
    str sql;  // the query, keys behind its columns, LIMIT gone
    ptrdiff_t n_keys;
    bool had_limit;
} sort_keys;

// False when the query is none that this can be done to: a set operation, an
// OFFSET, a DISTINCT whose keys are not among its columns, broken SQL.
bool sort_keys_of(sort_keys *out, arena *a, str sql, dialect d, arena scratch);

#endif  // ASSAY_SQL_SORT_KEYS_H
