// score_hardness.h - how hard a case is.
#ifndef ASSAY_SCORE_SCORE_HARDNESS_H
#define ASSAY_SCORE_SCORE_HARDNESS_H

#include "score/judging.h"

// Fills set_golds.
void score_read_golds(judging *j);

// Fills hardness, hardness_is_ours and features.
void score_grade(judging *j, scored_case *out);

#endif  // ASSAY_SCORE_SCORE_HARDNESS_H
