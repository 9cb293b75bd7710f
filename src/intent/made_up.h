/*
 * made_up.h - does a query make up what it returns: a constant where a column
 * should be, or rows without reading a table?
 *
 * Only the tree is looked at. A constant is an expression that reads no row: no
 * column, no star, no table, no aggregate, no window. `SELECT 12`,
 * `SELECT name, 1 FROM t` and `WITH x AS (SELECT 12 AS n) SELECT n FROM x`
 * make up a column, `SELECT count(1) FROM t` does not.
 */
#ifndef ASSAY_INTENT_MADE_UP_H
#define ASSAY_INTENT_MADE_UP_H

#include "schema/schema.h"
#include "sql/ast.h"

// With the schema, NULL where none is known, t('x') of a virtual table reads t,
// and so does what is given the name of one: bm25(t).
bool makes_up_column(const ast *query, const schema *s, dialect d);

// False when the text cannot be parsed. Both arenas are scratch.
bool text_makes_up_column(str sql,
                          const schema *s,
                          dialect d,
                          arena a,
                          arena scratch);

#endif  // ASSAY_INTENT_MADE_UP_H
