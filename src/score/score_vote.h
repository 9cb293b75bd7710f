// score_vote.h - the majority vote of a run's samples over results.
#ifndef ASSAY_SCORE_SCORE_VOTE_H
#define ASSAY_SCORE_SCORE_VOTE_H

#include "score/judging.h"

// Which samples of each run have equal results.
const score_vote *score_votes(judging *j, const scored_pred *preds);

#endif  // ASSAY_SCORE_SCORE_VOTE_H
