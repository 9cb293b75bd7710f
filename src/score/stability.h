/*
 * stability.h - which choices that the engine is free to make does the result
 * of a gold depend on?
 *
 * Why         SQL leaves open which of several rows with equal sort keys LIMIT
 *             takes, in which order such rows come, and which row of a group a
 *             column comes from that is neither grouped by nor aggregated. A
 *             gold that leaves such a choice has several right results on the
 *             same database; the engine shows one of them, another version
 *             another.
 *
 * Method      The places where a query leaves a choice are read off its tree,
 *             and for each a query is run that tells whether the choice matters
 *             on this database (relation/relation_choice.h).
 */
#ifndef ASSAY_SCORE_STABILITY_H
#define ASSAY_SCORE_STABILITY_H

#include "score/judging.h"

// Bits: what the result depends on.
typedef enum stability {
    STABILITY_LIMIT_TIE = 1,   // LIMIT takes some of the rows that tie
    STABILITY_LIMIT_FREE = 2,  // LIMIT without ORDER BY takes any rows
    STABILITY_BARE = 4,        // the row a column of a group comes from
    STABILITY_INNER = 8,       // a choice inside: LIMIT or ties in a subquery
    STABILITY_ORDER = 16,      // rows that tie on all sort keys
} stability;

// A bit set. 0 also when the query cannot be read or its tests cannot be run.
unsigned score_stability(judging *j, str sql);

#endif  // ASSAY_SCORE_STABILITY_H
