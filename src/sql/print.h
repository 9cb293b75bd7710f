/*
 * print.h - trees back to SQL.
 *
 * Law: parsing the printed text gives an equal tree, and printing that gives
 * the same text. Keywords are in upper case, literals and names as they were
 * written, parentheses only where the tree needs them. Comments are gone.
 */
#ifndef ASSAY_SQL_PRINT_H
#define ASSAY_SQL_PRINT_H

#include "sql/ast.h"
#include "sql/dialect.h"

typedef enum print_layout {
    PRINT_ONE_LINE,
    PRINT_PRETTY,  // a clause per line; what fits stays on its line
} print_layout;

// Any node, without what follows it in a list.
void print_sql(buf *out,
               const ast *n,
               dialect d,
               print_layout layout,
               arena scratch);

#endif  // ASSAY_SQL_PRINT_H
