// score_vote.h - the majority vote of a run's samples over results.
#ifndef ASSAY_SCORE_SCORE_VOTE_H
#define ASSAY_SCORE_SCORE_VOTE_H

#include "score/judging.h"

// Which samples of each run have equal results.
const score_vote *score_votes(judging *j, const scored_pred *preds);

// Where the gold is no query: which samples answer, and which abstain.
const score_vote *score_votes_to_answer(const score_task *task,
                                        const scored_pred *preds,
                                        arena *a);

#endif  // ASSAY_SCORE_SCORE_VOTE_H
