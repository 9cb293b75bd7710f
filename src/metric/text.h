/*
 * text.h - metrics that look at the two texts only [001].
 *
 * string  the normalised tokens are the same
 * edit    Levenshtein distance over tokens, similarity 1 - d / max(|a|, |b|)
 * The _sql_eval forms give the numbers of the program behind [001], which
 * formats with sqlparse 0.4.2 and counts top-level groups
 * (rules/evaluators.md 4.3, 4.4).
 */
#ifndef ASSAY_METRIC_TEXT_H
#define ASSAY_METRIC_TEXT_H

#include "sql/dialect.h"
#include "table/verdict.h"

verdict metric_string(str gold, str pred, dialect d, arena *a, arena scratch);

// distance, and score = similarity; yes when the distance is 0.
verdict metric_edit(str gold, str pred, dialect d, arena *a, arena scratch);

verdict metric_string_sql_eval(str gold, str pred, arena *a, arena scratch);
verdict metric_edit_sql_eval(str gold, str pred, arena *a, arena scratch);

#endif  // ASSAY_METRIC_TEXT_H
