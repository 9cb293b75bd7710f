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

#include "check/reading.h"
#include "check/trial.h"

// `rows` is a witness with the given finding; the result lies in `a`.
instance minimise(pair *p,
                  const instance *rows,
                  finding least,
                  const reading *reads,
                  unsigned assume,
                  arena *a,
                  arena temporary,
                  arena scratch);

#endif  // ASSAY_CHECK_MINIMISE_H
