// score_stop.h - the options of comparisons, and how far results are read.
#ifndef ASSAY_SCORE_SCORE_STOP_H
#define ASSAY_SCORE_SCORE_STOP_H

#include "score/judging.h"

// The comparison options of rule set r for one gold variant.
compare_options score_options_for(const judging *j,
                                  rules r,
                                  const family_text *variant,
                                  str pred_sql);

// How far the result of a prediction must be read.
engine_stop score_stop_for(const judging *j, family_id f, str pred_sql);

#endif  // ASSAY_SCORE_SCORE_STOP_H
