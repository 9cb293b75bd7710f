/*
 * fragment.h - the queries of DuckDB that mean what they are read as.
 */
#ifndef ASSAY_RELATION_FRAGMENT_H
#define ASSAY_RELATION_FRAGMENT_H

#include "schema/bind.h"

// What of the query lies outside; empty: nothing. Of other dialects nothing is
// asked.
str fragment_obstacle(const binding *b);

#endif  // ASSAY_RELATION_FRAGMENT_H
