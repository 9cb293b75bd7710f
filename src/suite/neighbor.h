/*
 * neighbor.h - queries that differ from a gold query in one thing.
 *
 * A neighbor is what a model nearly gets right: `>` for `>=`, another column,
 * a condition forgotten [003 3.1]. A database on which gold and neighbor give
 * the same result does not prove that the thing matters; a suite is made of
 * databases that together tell the gold from all its neighbors.
 *
 * Law         Each neighbor parses, prints as the text it has, and differs
 *             from the gold and from the others. It may still not compile
 *             (an aggregate put where none may stand): who has an engine drops
 *             those.
 *
 * Source      [003 3.1], definitions/suites.md#neighbors and #aims
 */
#ifndef ASSAY_SUITE_NEIGHBOR_H
#define ASSAY_SUITE_NEIGHBOR_H

#include "schema/bind.h"

typedef enum neighbor_kind {
#define NEIGHBOR(constant, word, text) NEIGHBOR_##constant,
#include "suite/neighbor.def"
    NEIGHBOR_KIND_COUNT,
} neighbor_kind;

str neighbor_word(neighbor_kind v);  // "number_near"
bool neighbor_from_word(str word, neighbor_kind *out);

typedef struct neighbor {
    neighbor_kind kind;
    str sql;      // on one line
    str spelled;  // it differs from the query at most where a column that has
                  // one spelling holds this text, spelled otherwise. Empty:
                  // elsewhere too
} neighbor;

typedef vec_of(neighbor) neighbor_list;

typedef struct neighbor_options {
    dialect dialect;
    uint64_t seed;
    ptrdiff_t max;  // so many at most; the rest is drawn off; 0: no limit
} neighbor_options;

// The neighbors of the bound query, in the order of its text. The tree is
// changed on the way and is as it was in the end.
neighbor_list neighbors_of(arena *a,
                           ast *query,
                           const binding *b,
                           const neighbor_options *options,
                           arena scratch);

#endif  // ASSAY_SUITE_NEIGHBOR_H
