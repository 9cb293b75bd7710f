/*
 * native.h - does a system that is not at hand take a query?
 *
 * What is proved of two queries in their own words says what they mean if they
 * run. Where an engine has tried them nobody need ask; elsewhere this looks at
 * what the prover takes for granted.
 */
#ifndef ASSAY_CHECK_NATIVE_H
#define ASSAY_CHECK_NATIVE_H

#include "schema/bind.h"

// Does the dialect, in which it is bound, have all functions that it calls, and
// make the same of the same each time; do aggregates and windows stand where
// they may, and columns beside them only where the group tells them; is what a
// SELECT DISTINCT is ordered by shown? Of the types of values nothing is said.
bool native_takes(const binding *b, arena scratch);

#endif  // ASSAY_CHECK_NATIVE_H
