/*
 * score_samples.h - several predictions of one model for one case: pass@k, and
 * the verdict of the majority.
 *
 * What samples add to a verdict are verdicts under keys of their own:
 *   exec@1, exec@5   score: how likely it is that of 1, of 5 samples drawn
 *                    without putting back one is right; of a metric with a
 *                    score, the score of the best of them that is expected
 *   exec@vote        the verdict of the sample that most samples agree with
 */
#ifndef ASSAY_SCORE_SCORE_SAMPLES_H
#define ASSAY_SCORE_SCORE_SAMPLES_H

#include "score/score.h"

// The first sample of run `run`, and after its verdicts what all of them add.
scored_pred score_with_samples(const scored_case *scored,
                               const score_task *task,
                               ptrdiff_t run,
                               const score_options *options,
                               arena *a);

#endif  // ASSAY_SCORE_SCORE_SAMPLES_H
