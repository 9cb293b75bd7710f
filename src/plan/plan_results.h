/*
 * plan_results.h - golds that are Parquet files, read before the workers start,
 * which open no files.
 */
#ifndef ASSAY_PLAN_PLAN_RESULTS_H
#define ASSAY_PLAN_PLAN_RESULTS_H

#include "plan/plan.h"

// One that cannot be read says so; false with a message where none can.
bool plan_read_parquet(plan *p, diag *d, arena scratch);

#endif  // ASSAY_PLAN_PLAN_RESULTS_H
