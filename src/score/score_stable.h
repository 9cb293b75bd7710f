// score_stable.h - does the gold itself have one result?
#ifndef ASSAY_SCORE_SCORE_STABLE_H
#define ASSAY_SCORE_SCORE_STABLE_H

#include "score/score_rows.h"

// Fills other_golds.
void score_check_gold(judging *j);

// `no`, or yes when the prediction returns what one of them does.
verdict score_other_golds(judging *j,
                          comparison what,
                          const execution *pred,
                          str pred_sql,
                          verdict no);

#endif  // ASSAY_SCORE_SCORE_STABLE_H
