/*
 * text.h - metrics that look at the two texts only [001].
 *
 * string  the normalised tokens are the same
 * edit    Levenshtein distance over tokens, similarity 1 - d / max(|a|, |b|)
 * How the program behind [001] computes them: evaluators/sql_eval.h.
 */
#ifndef ASSAY_METRIC_TEXT_H
#define ASSAY_METRIC_TEXT_H

#include "sql/dialect.h"
#include "table/verdict.h"

verdict metric_string(str gold, str pred, dialect d, arena *a, arena scratch);

// distance, and score = similarity; yes when the distance is 0.
verdict metric_edit(str gold, str pred, dialect d, arena *a, arena scratch);

#endif  // ASSAY_METRIC_TEXT_H
