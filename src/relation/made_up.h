/*
 * made_up.h - does a query make up what it returns: a constant where a column
 * should be, or rows without reading a table?
 *
 * Only the tree is looked at; what the result depends on, where an expression
 * reads rows and makes nothing of them, is seen by running it without them
 * (metric/exec_made_up.c). A constant is an expression that reads no row: no
 * column, no star, no table, no aggregate, no window. `SELECT 12`,
 * `SELECT name, 1 FROM t` and `WITH x AS (SELECT 12 AS n) SELECT n FROM x`
 * make up a column, `SELECT count(1) FROM t` does not.
 */
#ifndef ASSAY_RELATION_MADE_UP_H
#define ASSAY_RELATION_MADE_UP_H

#include "schema/bind.h"

// t('x') of a virtual table reads t, and so does what is given the name of one:
// bm25(t).
bool makes_up_column(const binding *b);

// Does it compute a column, here or in a query that it is made of, by more than
// one aggregate or window of columns?
bool computes_column(const binding *b);

#endif  // ASSAY_RELATION_MADE_UP_H
