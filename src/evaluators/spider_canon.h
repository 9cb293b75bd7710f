/*
 * spider_canon.h - what Spider's evaluator does to both queries before it
 * compares them (definitions/spider.md#exact-set-match). Internal to the
 * spider_* files.
 */
#ifndef ASSAY_EVALUATORS_SPIDER_CANON_H
#define ASSAY_EVALUATORS_SPIDER_CANON_H

#include "evaluators/spider_query.h"

// For each column id the one that stands for all columns that foreign keys tie
// to it; the column itself when there are none.
typedef struct spider_keys {
    const int32_t *canonical;
    ptrdiff_t n;
} spider_keys;

// `keys` may be NULL: then every column stands for itself.
spider_keys spider_keys_of(arena *a,
                           const schema *s,
                           const schema *keys,
                           arena scratch);

// Of all that is in a query: equal ones have equal keys.
hash128 spider_query_key(const spider_query *q);

// A copy without values, also without right-hand columns; subqueries stay, but
// lose theirs.
spider_query *spider_bare(arena *a, const spider_query *q);

// A copy of `q` without values, foreign keys folded and DISTINCT cleared where
// the evaluator does so.
spider_query *spider_canon(arena *a,
                           const spider_query *q,
                           const schema *s,
                           const spider_keys *keys);

#endif  // ASSAY_EVALUATORS_SPIDER_CANON_H
