// exec_rules.h - exec and subset: one verdict by one rule set.
#ifndef ASSAY_METRIC_EXEC_RULES_H
#define ASSAY_METRIC_EXEC_RULES_H

#include "metric/exec_rows.h"
#include "metric/metric.h"

verdict exec_by_rules(const evidence *e, comparison what, rules r);

#endif  // ASSAY_METRIC_EXEC_RULES_H
