// score_stable.h - does the gold itself have one result?
#ifndef ASSAY_SCORE_SCORE_STABLE_H
#define ASSAY_SCORE_SCORE_STABLE_H

#include "score/judging.h"

// Fills other_golds.
void score_check_gold(judging *j);

#endif  // ASSAY_SCORE_SCORE_STABLE_H
