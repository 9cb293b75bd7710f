/*
 * outline.h - what the lexer alone can say about a query, broken or not.
 */
#ifndef ASSAY_SQL_OUTLINE_H
#define ASSAY_SQL_OUTLINE_H

#include "base/arena.h"
#include "sql/dialect.h"

typedef struct sql_outline {
    ptrdiff_t n_statements;  // not counting empty ones
    str first;               // the first statement, without its `;`
    str verb;  // its first word: "SELECT", "WITH", …; as written; behind the
               // parentheses that open it
    bool has_outer_order;  // an ORDER BY at depth 0 of the first statement
    bool has_limit;        // a LIMIT, FETCH or TOP at depth 0
} sql_outline;

sql_outline sql_outline_of(str sql, dialect d);

#endif  // ASSAY_SQL_OUTLINE_H
