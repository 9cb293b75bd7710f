/*
 * score_make.h - evidence that single metrics need, each made once.
 */
#ifndef ASSAY_SCORE_SCORE_MAKE_H
#define ASSAY_SCORE_SCORE_MAKE_H

#include "score/judging.h"

// Of the case: the outcome of its suite for each prediction, and what the
// gold's statements left.
void score_make_suite(judging *j);
void score_make_gold_script(judging *j);

// Of the prediction at hand.
void score_make_checks(judging *j);
void score_make_script(judging *j);
void score_make_times(judging *j);

#endif  // ASSAY_SCORE_SCORE_MAKE_H
