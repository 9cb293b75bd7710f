// ast_rewrite.h - a copy of a tree with other nodes in some places.
#ifndef ASSAY_SQL_AST_REWRITE_H
#define ASSAY_SQL_AST_REWRITE_H

#include "sql/ast.h"
#include "sql/dialect.h"

// What stands in a node's place, without a next; NULL: a copy of it, in which
// what lies below is asked about.
typedef ast *ast_replace(void *context, const ast *n);

ast *ast_rewrite(arena *a, const ast *n, ast_replace *replace, void *context);

// The tree with copies of the arguments for ?1, ?2, ...; NULL: it keeps these.
// A SELECT of nothing but one that is a query is that query.
ast *ast_fill(arena *a, const ast *n, const ast *const *args);

// The expression so filled.
ast *ast_expression(arena *a,
                    str text,
                    dialect d,
                    const ast *const *args,
                    arena scratch);

// A column in quotes, of a table if that has a name; an expression with a name.
ast *ast_column(arena *a, str name, str table);
ast *ast_named(arena *a, ast *expr, str name);

// Both, or the one there is.
ast *ast_both(arena *a, ast *one, ast *other, arena scratch);

// Puts what `replace` makes of each node below in its place.
void ast_replace_kids(ast *n,
                      ast *(*replace)(void *context, ast *kid),
                      void *context);

#endif  // ASSAY_SQL_AST_REWRITE_H
