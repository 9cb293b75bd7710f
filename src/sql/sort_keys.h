/*
 * sort_keys.h - a query that also shows what it sorts by.
 *
 * Why         Rows that tie on the sort keys may come in any order, and where
 *             LIMIT cuts inside a tie any choice among the tied rows is right.
 *             To know which rows tie, the keys must be in the result.
 */
#ifndef ASSAY_SQL_SORT_KEYS_H
#define ASSAY_SQL_SORT_KEYS_H

#include "sql/ast.h"
#include "sql/dialect.h"

typedef struct sort_keys {
    str sql;  // the query, keys after its columns, without LIMIT
    ptrdiff_t n_keys;
    const ptrdiff_t *places;  // of a set operation: its keys are among its
                              // columns, here; NULL: they follow them
    int64_t offset;           // rows that the query leaves out before the first
    bool had_limit;
} sort_keys;

// What a key of ORDER BY means, beside these items: the item at a place or
// under an alias, or itself. NULL: nobody knows.
const ast *sort_key_meaning(const ast *items, const ast *key);

// False when the query is none that this can be done to: a DISTINCT whose keys
// are not among its columns, an OFFSET that is no number, a set operation that
// sorts by more than its columns, broken SQL.
bool sort_keys_of(sort_keys *out, arena *a, str sql, dialect d, arena scratch);

// Only what has its keys after its columns, and no OFFSET.
bool sort_keys_plain(sort_keys *out,
                     arena *a,
                     str sql,
                     dialect d,
                     arena scratch);

#endif  // ASSAY_SQL_SORT_KEYS_H
