/*
 * explain.h - what differs between two results, and what a witness cannot do
 * without.
 *
 * Source      definitions/equivalence.md#reasons-and-causes
 */
#ifndef ASSAY_CHECK_EXPLAIN_H
#define ASSAY_CHECK_EXPLAIN_H

#include "check/check_verdict.h"
#include "check/trial.h"
#include "schema/reading.h"

// The reason word for two results that differ, with as many columns each;
// *detail is one line for people.
str explain_reason(const table *left,
                   const table *right,
                   bool is_list,
                   bool by_position,
                   double tolerance,
                   str *detail,
                   arena *a,
                   arena scratch);

// Bit set of 1 << cause. `declared` is the schema with all its constraints.
unsigned explain_causes(const instance *rows,
                        const pair_run *run,
                        const pair *p,
                        const reading *reads,
                        const schema *declared,
                        arena temporary,
                        arena scratch);

#endif  // ASSAY_CHECK_EXPLAIN_H
