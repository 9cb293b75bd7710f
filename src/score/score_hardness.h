// score_hardness.h - how hard a case is.
#ifndef ASSAY_SCORE_SCORE_HARDNESS_H
#define ASSAY_SCORE_SCORE_HARDNESS_H

#include "score/judging.h"

// Fills set_golds.
void score_read_golds(judging *j);

str score_hardness(judging *j, bool *is_ours);  // see scored_case

#endif  // ASSAY_SCORE_SCORE_HARDNESS_H
