// wilson.h - the confidence interval of a share (Wilson).
#ifndef ASSAY_REPORT_WILSON_H
#define ASSAY_REPORT_WILSON_H

#include <stdint.h>

typedef struct interval {
    double low;
    double high;
} interval;

// A part of a whole; NaN where that is nothing.
double part_share(int64_t part, int64_t whole);

// The Wilson score interval, 95 %, of `yes` successes among n trials, as
// fractions. [0, 1] when n is 0. 0 <= yes <= n.
interval wilson_interval(double yes, int64_t n);

#endif  // ASSAY_REPORT_WILSON_H
