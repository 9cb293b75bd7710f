/*
 * pragmatic.h - pragmatic equivalence: would whoever asked be content with this
 * prediction?
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
#include "schema/schema.h"
#include "sql/dialect.h"
#include "table/table.h"
#include "table/verdict.h"

// A query and what it returned.
typedef struct pragmatic_side {
    str sql;
    const table *result;  // NULL: not known
} pragmatic_side;

// Each has its class. yes, with the leniencies that it took in `detail`; no,
// intent_differs, when the results or the profile tell that the prediction is
// wrong; unknown, left_to_ask, when the difference is one to ask about, and
// intent_differs when nothing tells. `s` may be NULL: then only results are
// looked at.
verdict pragmatic_verdict(pragmatic_side gold,
                          pragmatic_side pred,
                          const schema *s,
                          dialect d,
                          pragmatic_profile profile,
                          arena *a,
                          arena scratch);

// The same where the rows are known to be equal, or may be by a tie: yes, or
// unknown when the queries are after different things all the same.
verdict pragmatic_of_equal(pragmatic_side gold,
                           pragmatic_side pred,
                           const schema *s,
                           dialect d,
                           arena *a,
                           arena scratch);

// Does the prediction collect rows by a column of a table whose key the gold
// collects them by? Things of one name are one there.
bool pragmatic_merges_groups(str gold,
                             str pred,
                             const schema *s,
                             dialect d,
                             arena *a,
                             arena scratch);

// Do both pick one row, each by another measure (how many, how much in all, a
// column), or by counts of other things? Then one equal row is equal by luck:
// `why` says which. False where an intent is not understood, or a measure is
// of no simple form.
bool pragmatic_picks_by_luck(str gold,
                             str pred,
                             const schema *s,
                             dialect d,
                             pragmatic_profile profile,
                             str *why,
                             arena *a,
                             arena scratch);

// A text that a query wants a column to be equal to.
typedef struct pragmatic_filter {
    int32_t table;
    int32_t column;
    str value;
} pragmatic_filter;

// Those of the prediction on columns of which the gold wants nothing, one after
// the other: false when there is none with this number.
bool pragmatic_own_filter(pragmatic_filter *out,
                          ptrdiff_t no,
                          str gold,
                          str pred,
                          const schema *s,
                          dialect d,
                          arena *a,
                          arena scratch);

#endif  // ASSAY_METRIC_PRAGMATIC_H
