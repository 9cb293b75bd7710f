/*
 * score_clauses.h - gold and prediction clause by clause.
 */
#ifndef ASSAY_SCORE_SCORE_CLAUSES_H
#define ASSAY_SCORE_SCORE_CLAUSES_H

#include "score/judging.h"

// assay's own set match.
verdict score_own_set(judging *j);

// In which clauses the prediction differs from the nearest variant of the gold.
const str *score_clause_words(judging *j, ptrdiff_t *n);

#endif  // ASSAY_SCORE_SCORE_CLAUSES_H
