/*
 * proved_run.h - a prediction that is proved equivalent to its gold is not run.
 *
 * Where the gold takes long the prediction does, too, and a proof takes a tenth
 * of a millisecond. What is proved returns what the gold returned, so that
 * every metric goes on as if it had run; the note `proved` says so.
 */
#ifndef ASSAY_SCORE_PROVED_RUN_H
#define ASSAY_SCORE_PROVED_RUN_H

#include "score/judging.h"

// The run of the gold that stands for that of the prediction in family f; NULL:
// it is to be run.
const execution *proved_run(judging *j, family_id f);

#endif  // ASSAY_SCORE_PROVED_RUN_H
