/*
 * pragmatic_cue.h - what the words of a question say about what is wanted.
 *
 * A gold may show more than was asked for, leave open whether a key will do for
 * a name, or contradict its question. The question decides, as far as its words
 * tell. Without a question (no words) there are no cues: nothing is told, and
 * everything may be asked for.
 *
 * Source      definitions/people.md#principles
 */
#ifndef ASSAY_METRIC_PRAGMATIC_CUE_H
#define ASSAY_METRIC_PRAGMATIC_CUE_H

#include "intent/asked_words.h"
#include "metric/pragmatic_intent.h"

// Does the question ask for a name, which the gold shows, and not for the other
// thing that the prediction shows in its place?
bool cue_wants_name(const str_list *q,
                    const schema *s,
                    const intent_output *gold,
                    const intent_output *pred);

// May the question ask for what is shown? True also where nobody can tell.
bool cue_asks_for(const str_list *q,
                  const schema *s,
                  const intent_output *shown,
                  arena scratch);

// Do words bound something by this value in this way: "at least 3", >= and 3?
bool cue_bounds(const str_list *q, str relation, str value, arena scratch);

// Does nothing in the question speak of alternatives?
bool cue_wants_both(const str_list *q);

// Does nothing in the question speak of the first, the most, the largest?
bool cue_ranks_nothing(const str_list *q);

typedef enum cue_which_end {
    CUE_END_OPEN,  // the words do not tell
    CUE_END_HIGHEST,
    CUE_END_LOWEST,
} cue_which_end;

// Which end of what is ranked ("1 max dog.age") is asked for.
cue_which_end cue_end(const str_list *q, str ranked);

// Does it ask how many, and not for each of anything?
bool cue_wants_one_number(const str_list *q);

// "for each press", and `group` is press or press.name.
bool cue_wants_each(const str_list *q, str group, arena scratch);

#endif  // ASSAY_METRIC_PRAGMATIC_CUE_H
