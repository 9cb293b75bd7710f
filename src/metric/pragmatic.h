/*
 * pragmatic.h - pragmatic equivalence: would the person who asked be satisfied
 * with this prediction?
 *
 * Two queries are pragmatically equivalent when their results convey
 * the same information to the person who asked, though format and details
 * differ [002 2.1.1]. Nobody can decide that; this metric says yes where every
 * difference between two results, or between two intentions, is one that a
 * profile passes over, and names those. It needs no model and no chance: same
 * input, same verdict.
 *
 * It sees values only: trees, a schema, results that somebody else computed.
 */
#ifndef ASSAY_METRIC_PRAGMATIC_H
#define ASSAY_METRIC_PRAGMATIC_H

#include "metric/leniency.h"
#include "schema/bind.h"
#include "table/table.h"
#include "table/verdict.h"

// A query and what it returned.
typedef struct pragmatic_side {
    str sql;
    const table *result;  // NULL: not known
    const binding *b;     // NULL: it cannot be read, or there is no schema
} pragmatic_side;

// Two queries, to be asked about.
typedef struct pragmatic_pair {
    pragmatic_side gold;
    pragmatic_side pred;
    bool has_schema;  // false: only results are looked at
    dialect d;
    arena *a;
    arena scratch;
    // For pragmatic*.c:
    arena work;    // what is left of it while intents are compared
    bool is_read;  // both intents, when they were compared last
    str why;       // the first difference of intents that was found
} pragmatic_pair;

verdict pragmatic_classed(verdict v, verdict_class c);

// Binds both; `s` may be NULL.
pragmatic_pair pragmatic_pair_of(pragmatic_side gold,
                                 pragmatic_side pred,
                                 const schema *s,
                                 dialect d,
                                 arena *a,
                                 arena scratch);

// Each has its class. yes, with the leniencies that it took in `detail`; no,
// intent_differs, when the results or the profile tell that the prediction is
// wrong; unknown, left_to_ask, when the difference is one to ask about, and
// intent_differs when nothing tells.
verdict pragmatic_verdict(pragmatic_pair *u, pragmatic_profile profile);

// The same where the rows are known to be equal, or may be by a tie: yes, or
// unknown when the queries are after different things all the same.
verdict pragmatic_of_equal(pragmatic_pair *u);

// Does the prediction collect rows by a column of a table whose key the gold
// collects them by? Things of one name are one there.
bool pragmatic_merges_groups(pragmatic_pair *u);

// Do both pick one row, each by another measure (how many, how much in all, a
// column), or by counts of other things? Then one equal row is equal by luck:
// `why` says which. False where an intent is not understood, or a measure is
// of no simple form.
bool pragmatic_picks_by_luck(const pragmatic_pair *u,
                             pragmatic_profile profile,
                             str *why);

// A text that a query wants a column to be equal to.
typedef struct pragmatic_filter {
    int32_t table;
    int32_t column;
    str value;
} pragmatic_filter;

typedef vec_of(pragmatic_filter) pragmatic_filters;

// Those of the prediction on columns of which the gold wants nothing.
pragmatic_filters pragmatic_own_filters(const pragmatic_pair *u);

#endif  // ASSAY_METRIC_PRAGMATIC_H
