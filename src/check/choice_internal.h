// choice_internal.h - what choice.c and choice_test.c share.
#ifndef ASSAY_CHECK_CHOICE_INTERNAL_H
#define ASSAY_CHECK_CHOICE_INTERNAL_H

#include "check/choice.h"

// WITH clauses in whose reach we are, outermost first
typedef vec_of(const ast *) with_list;

typedef vec_of(const ast *) node_list;

// What builds the tests of one query.
typedef struct choice_builder {
    arena *a;  // of the choices
    const binding *b;
    with_list with;
    choices out;
    arena trees;  // of the queries that are built
} choice_builder;

// The expression of an item without its alias.
const ast *choice_item(const ast *item);

// WITH, ORDER BY or LIMIT of a query.
const ast *choice_part_of(const ast *query, query_part part);

// Test for what `query` returns with at most `count` rows.
choice choice_test_limit(choice_builder *c,
                         const ast *query,
                         int64_t count,
                         int64_t offset);

// Test for the bare columns of a grouped SELECT.
choice choice_test_bare(choice_builder *c,
                        const ast *select,
                        const node_list *bare,
                        choice_extreme extreme,
                        const ast *argument);

// Test for rows that tie in a window of a SELECT that is not grouped.
choice choice_test_window(choice_builder *c,
                          const ast *select,
                          const ast *window);

// Test for a subquery in the place of a value that depends on the rows of the
// SELECT around it: has it more than one row for any of them?
choice choice_test_single(choice_builder *c,
                          const ast *select,
                          const ast *query);

#endif  // ASSAY_CHECK_CHOICE_INTERNAL_H
