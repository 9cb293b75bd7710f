/*
 * read_query.h - a query of a pair that was read: a text, and the tree of it.
 *
 * It is read once. Who says it otherwise (spell.h, translate.h) makes another
 * one of it; where nothing is to be said, it is the same one.
 *
 * Invariants  (1) The places in a tree are those in its text.
 *             (2) A tree is not changed. Whoever binds it numbers its nodes:
 *                 that binding is good until the tree is bound again, to
 *                 whichever schema.
 *             (3) Both lie as long as the verdict, so that all worlds and
 *                 testbeds of a pair share them.
 */
#ifndef ASSAY_CHECK_READ_QUERY_H
#define ASSAY_CHECK_READ_QUERY_H

#include "sql/ast.h"
#include "sql/dialect.h"

typedef struct read_query {
    str sql;
    ast *tree;  // NULL: it is not one query that can be read
} read_query;

read_query read_query_of(arena *a, str sql, dialect d, arena scratch);

// The query of a tree, which may be made of parts of others.
read_query read_query_printed(arena *a,
                              const ast *query,
                              dialect d,
                              arena scratch);

#endif  // ASSAY_CHECK_READ_QUERY_H
