/*
 * pragmatic_cue.h - what the words of a question say about what is to be shown.
 *
 * A gold may show more than was asked for, or leave open whether a key will do
 * for a name. The question decides, as far as its words tell. Without a
 * question there are no cues.
 *
 * Source      definitions/people.md#principles
 */
#ifndef ASSAY_METRIC_PRAGMATIC_CUE_H
#define ASSAY_METRIC_PRAGMATIC_CUE_H

#include "metric/pragmatic_intent.h"

// Does the question ask for a name, which the gold shows, and the prediction
// another thing in its place?
bool cue_wants_name(str question,
                    const schema *s,
                    const intent_output *gold,
                    const intent_output *pred);

// May the question ask for what is shown? True also where nobody can tell.
bool cue_asks_for(str question, const schema *s, const intent_output *shown);

#endif  // ASSAY_METRIC_PRAGMATIC_CUE_H
