// metric_ves.h - ves, for whoever times both queries.
#ifndef ASSAY_METRIC_METRIC_VES_H
#define ASSAY_METRIC_METRIC_VES_H

#include "metric/exec_rows.h"
#include "metric/metric.h"

// Is the prediction right; and in which family are both looked at?
verdict ves_of_rows(const evidence *e, family_id *f);

#endif  // ASSAY_METRIC_METRIC_VES_H
