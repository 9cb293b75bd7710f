/*
 * text_plug.h - the gold's values in the places of a prediction's, as
 * test-suite-sql-eval does it ([003 5], definitions/spider.md#plugged-values),
 * for --plug-values.
 *
 * Order of    text_plug_of()
 * calls         text_plug_next()   the prediction itself, then the variants
 */
#ifndef ASSAY_EVALUATORS_TEXT_PLUG_H
#define ASSAY_EVALUATORS_TEXT_PLUG_H

#include "evaluators/family.h"

enum {
    TEXT_PLUG_MOST = 4096  // a good cap on the variants that are tried
};

// What is left to give. Zero it or start it with text_plug_of.
typedef struct text_plug {
    str pred;
    const str *words;  // of the prediction, normalised; a NULL ptr is a slot
    ptrdiff_t n_words;
    const str *values;  // of the gold, each once, in order of appearance
    ptrdiff_t n_values;
    int32_t *chosen;  // the value in each slot of the next variant
    ptrdiff_t n_slots;
    int64_t n_variants;  // n_values to the power n_slots; at most INT64_MAX
    int64_t n_most;      // so many are given
    int64_t n_given;
    bool gave_pred;
} text_plug;

// The family that prepares the texts, and knows what to run for the next one.
const text_family *text_plug_family(void);

// Both texts as the family prepares them. At most `most` variants will be
// given, the prediction itself not counted.
text_plug text_plug_of(arena *a,
                       str gold,
                       str pred,
                       int64_t most,
                       arena scratch);

// The next text, in `a`; false when all were given.
bool text_plug_next(text_plug *p, arena *a, str *out);

// Are there more variants than will ever be given?
bool text_plug_is_cut(const text_plug *p);

#endif  // ASSAY_EVALUATORS_TEXT_PLUG_H
