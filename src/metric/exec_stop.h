// exec_stop.h - the options of comparisons, and how far results are read.
#ifndef ASSAY_METRIC_EXEC_STOP_H
#define ASSAY_METRIC_EXEC_STOP_H

#include "metric/evidence.h"

// The comparison options of rule set r for one gold variant.
compare_options exec_options(const evidence *e,
                             rules r,
                             const family_text *variant,
                             str pred_sql);

// How far the result of a prediction must be read.
engine_stop exec_stop(const evidence *e, family_id f, str pred_sql);

#endif  // ASSAY_METRIC_EXEC_STOP_H
