/*
 * fragment.h - the queries of DuckDB that mean what the prover takes them for.
 */
#ifndef ASSAY_PROVE_FRAGMENT_H
#define ASSAY_PROVE_FRAGMENT_H

#include "schema/bind.h"

// What of the query lies outside; empty: nothing. Of other dialects nothing is
// asked.
str fragment_obstacle(const binding *b);

#endif  // ASSAY_PROVE_FRAGMENT_H
