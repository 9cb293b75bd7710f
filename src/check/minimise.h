/*
 * minimise.h - the same witness with fewer rows and plainer values.
 *
 * Greedy and deterministic: each step is executed again and kept only while
 * the database stays legal and the results stay as different as they were.
 *
 * Source      definitions/equivalence.md#minimising
 */
#ifndef ASSAY_CHECK_MINIMISE_H
#define ASSAY_CHECK_MINIMISE_H

#include "check/check_verdict.h"
#include "check/trial.h"
#include "schema/reading.h"

// `rows` is a witness with the given finding; the result lies in `a`. After
// half of a pair's time it is what was reached: the rest is for running it
// again.
instance minimise(pair *p,
                  const instance *rows,
                  finding least,
                  const reading *reads,
                  const check_options *o,
                  arena *a,
                  arena temporary,
                  arena scratch);

#endif  // ASSAY_CHECK_MINIMISE_H
