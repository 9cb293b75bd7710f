/*
 * plan_results.h - golds that are Parquet files, read before the workers start,
 * which open no files.
 */
#ifndef ASSAY_PLAN_PLAN_RESULTS_H
#define ASSAY_PLAN_PLAN_RESULTS_H

#include "read/result_files.h"

// One that cannot be read says so; false with a message where none can.
bool plan_read_parquet(result_files *f, arena *a, diag *d, arena scratch);

#endif  // ASSAY_PLAN_PLAN_RESULTS_H
