/*
 * gold_query.h - a gold on small databases: what it returns, whether that is
 * settled, and whether another result is the same.
 *
 * Neighbors are killed and predictions are judged by the same functions.
 */
#ifndef ASSAY_SUITE_GOLD_QUERY_H
#define ASSAY_SUITE_GOLD_QUERY_H

#include "engine/scratch.h"
#include "relation/relation_choice.h"

typedef struct gold_query {
    scratch_query *query;
    scratch_query *keyed;  // with its sort keys, without LIMIT; NULL: none
    engine_choice top;     // what its columns are then
    bool is_ordered;       // it has an outer ORDER BY: rows are a list
} gold_query;

// False when it does not compile: `failed` says why.
bool gold_query_open(gold_query *g,
                     scratch_db *db,
                     str sql,
                     dialect d,
                     execution *failed,
                     arena *a,
                     arena scratch);
void gold_query_close(gold_query *g);

// Do rows tie, on the present filling, that ORDER BY or LIMIT choose among?
// `gold` is what it returned.
bool gold_query_ties(const gold_query *g, const table *gold, arena scratch);

// How far another result must be read.
engine_stop gold_query_stop(const gold_query *g, const table *gold);

// Is the other result the gold's? (The rules of assay.)
bool gold_query_equal(const gold_query *g,
                      const table *gold,
                      const table *other,
                      arena scratch);

#endif  // ASSAY_SUITE_GOLD_QUERY_H
