/*
 * checker.h - are two queries equivalent? Proved, refuted by a smallest
 * database, or unknown.
 *
 * A checker holds what pairs over one schema share: the tables in memory, the
 * assumptions. Each pair is bound, proved if it can be, and else searched for
 * a database on which the results differ for certain. A witness is made
 * smaller, printed as SQL, loaded from that text into a fresh connection and
 * tried again before it counts.
 *
 * The same schema, queries, options and seed give the same verdict, on any
 * machine.
 *
 * Order of    checker_open()
 * calls         checker_pair()   any number of times
 *             checker_close()
 *
 * Source      definitions/equivalence.md; what equivalent means is
 *             [002 semantic equivalence]
 */
#ifndef ASSAY_CHECK_CHECKER_H
#define ASSAY_CHECK_CHECKER_H

#include "base/diag.h"
#include "check/check_verdict.h"

typedef struct checker checker;

// NULL with a message when SQLite does not take the schema. The checker goes
// on to take memory from `a` itself, not from a copy of it.
checker *checker_open(arena *a,
                      const schema *s,
                      const check_options *o,
                      diag *d,
                      arena scratch);
void checker_close(checker *c);

// Both queries in the dialect `d`. The verdict lies in `a`; the scratch should
// have some MB.
check_verdict checker_pair(checker *c,
                           str left,
                           str right,
                           dialect d,
                           arena *a,
                           arena scratch);

#endif  // ASSAY_CHECK_CHECKER_H
