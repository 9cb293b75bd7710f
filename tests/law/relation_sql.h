/*
 * relation_sql.h - what was read of a query, as SQL again.
 *
 * Law   Run on SQLite, it returns what the query returns from which the block
 *       was read (law_relation): what is said of a block is said of the query.
 */
#ifndef ASSAY_TESTS_RELATION_SQL_H
#define ASSAY_TESTS_RELATION_SQL_H

#include "relation/relation.h"

// Empty: it holds what SQL cannot say, a value with another one's affinity.
str relation_sql(arena *a, const relation *r);

#endif  // ASSAY_TESTS_RELATION_SQL_H
