/*
 * score_single.h - numbers that have single precision only.
 *
 * A server says so of a column that is shown as it is. AVG(real) it gives as a
 * double, with digits that come from nowhere: those are found by the names of
 * the query.
 */
#ifndef ASSAY_SCORE_SCORE_SINGLE_H
#define ASSAY_SCORE_SCORE_SINGLE_H

#include "score/judging.h"

// Marks the numbers of the result that are computed from a column of single
// precision (value.is_single). Nothing where the query or its schema cannot be
// read.
void score_mark_single(judging *j, str sql, execution *x);

#endif  // ASSAY_SCORE_SCORE_SINGLE_H
