// relation_choice_internal.h - what relation_choice.c and its tests share.
#ifndef ASSAY_RELATION_CHOICE_INTERNAL_H
#define ASSAY_RELATION_CHOICE_INTERNAL_H

#include "relation/relation.h"
#include "relation/relation_choice.h"
#include "relation/relation_select.h"
#include "relation/relation_values.h"

// WITH clauses in whose reach we are, outermost first
typedef vec_of(const ast *) with_list;

// What builds the tests of one query.
typedef struct engine_choice_builder {
    arena *a;  // of the choices
    const binding *b;
    semantics_bare bare;
    with_list with;
    engine_choices out;
    arena trees;     // of the queries that are built
    relation *read;  // NULL: nobody asked yet
} engine_choice_builder;

// By what the rows of a query are merged and sorted, as far as it is known.
schema_collation engine_choice_collation(const bound_query *q, int32_t output);

// Test for which rows `query` returns, of all that it would.
engine_choice engine_choice_test_limit(engine_choice_builder *c,
                                       const ast *query,
                                       row_range range);

// Test for the bare columns of a grouped SELECT.
engine_choice engine_choice_test_bare(engine_choice_builder *c,
                                      const ast *select,
                                      const node_list *bare,
                                      engine_choice_extreme extreme,
                                      const ast *argument);

// Test for texts of which MIN or MAX shows one spelling, by group.
engine_choice engine_choice_test_extreme(engine_choice_builder *c,
                                         const ast *select,
                                         const ast *argument);

// Test for rows that a SELECT DISTINCT takes for one.
engine_choice engine_choice_test_distinct(engine_choice_builder *c,
                                          const ast *select);

// Test for rows that a set operation takes for one, or would.
engine_choice engine_choice_test_set(engine_choice_builder *c,
                                     const ast *query);

// Test for rows that tie in a window of a SELECT that is not grouped.
engine_choice engine_choice_test_window(engine_choice_builder *c,
                                        const ast *select,
                                        const ast *window);

// Test for a subquery in the place of a value that depends on the rows of the
// SELECT around it: has it more than one row for any of them?
engine_choice engine_choice_test_single(engine_choice_builder *c,
                                        const ast *select,
                                        const ast *query);

#endif  // ASSAY_RELATION_CHOICE_INTERNAL_H
