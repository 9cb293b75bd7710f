// exec_rules.h - exec and subset: one verdict by one rule set.
#ifndef ASSAY_METRIC_EXEC_RULES_H
#define ASSAY_METRIC_EXEC_RULES_H

#include "metric/metric.h"
#include "score/score_rows.h"

verdict exec_by_rules(judging *j, comparison what, const metric_call *call);

#endif  // ASSAY_METRIC_EXEC_RULES_H
