/*
 * set_clauses.h - gold and prediction clause by clause.
 */
#ifndef ASSAY_METRIC_SET_CLAUSES_H
#define ASSAY_METRIC_SET_CLAUSES_H

#include "metric/evidence.h"

// assay's own set match.
verdict set_own(const evidence *e);

// In which clauses the prediction differs from the nearest variant of the gold.
const str *set_clause_words(const evidence *e, ptrdiff_t *n);

#endif  // ASSAY_METRIC_SET_CLAUSES_H
