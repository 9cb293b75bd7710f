// value_interval.h - intervals of time, for which there is no value_kind.
#ifndef ASSAY_TABLE_VALUE_INTERVAL_H
#define ASSAY_TABLE_VALUE_INTERVAL_H

#include "table/value.h"

// A value of kind OTHER: "-1 days 02:00:00". A month counts as 30 days, as
// servers count when they compare; spans of one length are equal texts.
value value_interval(int64_t days, int64_t us, arena *a);

#endif  // ASSAY_TABLE_VALUE_INTERVAL_H
