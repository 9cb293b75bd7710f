/*
 * otherwise.h - what a construct of a system is in other words: a row of
 * otherwise.def.
 *
 *     otherwise o = {.a = a, .from = DIALECT_MYSQL, .scratch = scratch};
 *     ast *said = otherwise_said(&o, SAID_IN_SQLITE, node);
 */
#ifndef ASSAY_SQL_OTHERWISE_H
#define ASSAY_SQL_OTHERWISE_H

#include "sql/ast.h"
#include "sql/dialect.h"

typedef enum otherwise_kind {
    SAID_IN_OWN = 1,     // words of the same system
    SAID_IN_SQLITE = 2,  // SQLite's
    SAID_AS_TRUTH = 4,   // SQLite's where only the truth of it counts
} otherwise_kind;

// Who says a query otherwise. An argument that is used twice at every level
// would double it with each; all that is said together has an end.
typedef struct otherwise {
    arena *a;  // of the trees
    dialect from;
    str why;             // the first thing that nobody has words for
    ptrdiff_t n_copied;  // nodes
    arena scratch;
} otherwise;

// The node in other words, with copies of what stands in it; NULL: no row has
// it, or a row says that there are none, or there were too many already: `why`.
ast *otherwise_said(otherwise *o, otherwise_kind kind, const ast *n);

// The expression with copies of the arguments for ?1, ?2, ...; without them,
// and a `why`, where too much was said.
ast *otherwise_expression(otherwise *o,
                          str text,
                          dialect d,
                          const ast *const *args);

#endif  // ASSAY_SQL_OTHERWISE_H
