// translate_internal.h - what the files that translate a query share.
#ifndef ASSAY_SQL_TRANSLATE_INTERNAL_H
#define ASSAY_SQL_TRANSLATE_INTERNAL_H

#include "sql/ast.h"
#include "sql/semantics.h"

typedef struct translator {
    arena *a;  // of the trees
    dialect from;
    semantics means;     // its queries
    str why;             // the first thing that was refused
    ptrdiff_t n_copied;  // nodes
    arena scratch;
} translator;

// Remembers the first reason; returns the node as it is.
ast *translate_refuse(translator *t, ast *n, str why);
// The expression of SQLite with these arguments for ?1, ?2, ...
ast *translate_expression(translator *t, str text, ast *const *args);

ast *translate_like(translator *t, ast *n);
ast *translate_concat(translator *t, ast *n);
void translate_place_nulls(translator *t, ast **list);

#endif  // ASSAY_SQL_TRANSLATE_INTERNAL_H
