/*
 * exec_made_up.h - detects a right result that the prediction contains as
 * constants instead of reading it: copied from the question, or guessed.
 */
#ifndef ASSAY_METRIC_EXEC_MADE_UP_H
#define ASSAY_METRIC_EXEC_MADE_UP_H

#include "metric/metric.h"

// Of a yes by these rules.
bool exec_is_made_up(const evidence *e, rules r, const verdict *yes);

#endif  // ASSAY_METRIC_EXEC_MADE_UP_H
