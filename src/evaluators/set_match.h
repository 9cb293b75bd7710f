/*
 * set_match.h - exact set match and hardness, as the program defines them that
 * made them known [003 5, 7.1].
 */
#ifndef ASSAY_EVALUATORS_SET_MATCH_H
#define ASSAY_EVALUATORS_SET_MATCH_H

#include "schema/schema.h"
#include "sql/ast.h"
#include "table/verdict.h"

typedef struct spider_query set_query;

// NULL where the program's grammar does not read it.
const set_query *set_query_of(arena *a,
                              str sql,
                              const schema *s,
                              arena scratch);

// "easy", "medium", "hard", "extra".
str set_query_hardness(const set_query *gold);

// The same counts from a tree, for what that grammar does not read.
str set_tree_hardness(const ast *query);

typedef enum set_match_kind {
    SET_MATCH_RELEASED,
    SET_MATCH_ADAPTED,  // and the ON conditions are the same
} set_match_kind;

// The query of a prediction, which is edited first.
const set_query *set_pred_of(arena *a,
                             str line,
                             const schema *s,
                             arena scratch);

// `s` is what both were read with; `keys` has the foreign keys. `pred` may be
// NULL.
verdict set_match(set_match_kind kind,
                  const set_query *gold,
                  const set_query *pred,
                  const schema *s,
                  const schema *keys,
                  arena *a,
                  arena scratch);

#endif  // ASSAY_EVALUATORS_SET_MATCH_H
