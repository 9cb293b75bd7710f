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
    str verb;  // its first word: "SELECT", "WITH", …; as written; after the
               // parentheses that open it
    bool has_outer_order;  // an ORDER BY at depth 0 of the first statement
    bool has_limit;        // a LIMIT, FETCH or TOP at depth 0
} sql_outline;

sql_outline sql_outline_of(str sql, dialect d);

// The offset after the `;` that ends the statement at `from`, or the end of
// the text. A quote that is never closed ends with a `;` at the end of a line.
ptrdiff_t sql_statement_end(str sql, ptrdiff_t from, dialect d);

#endif  // ASSAY_SQL_OUTLINE_H
