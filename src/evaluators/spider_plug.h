/*
 * spider_plug.h - the gold's values in the places of a prediction's, as
 * test-suite-sql-eval does it (rules/spider.md 12). Only --rules spider with
 * --plug-values uses it.
 *
 * Order of    spider_plug_of()
 * calls         spider_plug_next()   the prediction itself, then the variants
 */
#ifndef ASSAY_EVALUATORS_SPIDER_PLUG_H
#define ASSAY_EVALUATORS_SPIDER_PLUG_H

#include "base/arena.h"

enum {
    SPIDER_PLUG_MOST = 4096  // a good cap on the variants that are tried
};

// What is left to give. Zero it or start it with spider_plug_of.
typedef struct spider_plug {
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
} spider_plug;

// Both texts as spider_text.h prepares them. At most `most` variants will be
// given, the prediction itself not counted.
spider_plug spider_plug_of(arena *a,
                           str gold,
                           str pred,
                           int64_t most,
                           arena scratch);

// The next text, in `a`; false when all were given.
bool spider_plug_next(spider_plug *p, arena *a, str *out);

// Are there more variants than will ever be given?
bool spider_plug_is_cut(const spider_plug *p);

#endif  // ASSAY_EVALUATORS_SPIDER_PLUG_H
