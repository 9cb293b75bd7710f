/*
 * print.h - trees back to SQL.
 *
 * Law: parsing the printed text gives an equal tree, and printing that gives
 * the same text. Keywords are in upper case, literals and names as they were
 * written, parentheses only where the tree needs them. Comments are no part of
 * a tree: print_script knows them, print_sql does not.
 */
#ifndef ASSAY_SQL_PRINT_H
#define ASSAY_SQL_PRINT_H

#include "sql/parse.h"

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

// The same as a text, on one line.
str print_line(arena *a, const ast *n, dialect d, arena scratch);

// All statements of a text that was parsed without a mistake, each with its `;`
// and line end, and every comment near to what it stood at. On one line, and
// where no line can end, `-- x` becomes a comment in slashes and stars.
void print_script(buf *out,
                  str sql,
                  const parse_result *r,
                  dialect d,
                  print_layout layout,
                  arena scratch);

// The tree of each statement (ast_dump_pretty), with a line end; of a text with
// mistakes, too.
void print_trees(buf *out, const parse_result *r, arena scratch);

#endif  // ASSAY_SQL_PRINT_H
