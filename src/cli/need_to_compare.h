/*
 * need_to_compare.h - what must be equal for verdicts of a metric to be
 * compared.
 *
 * metric.def knows what a metric reads, report/ does not know metrics: commands
 * hand this function to it.
 */
#ifndef ASSAY_CLI_NEED_TO_COMPARE_H
#define ASSAY_CLI_NEED_TO_COMPARE_H

#include "report/comparable.h"

// `key`: as in a journal, "exec:bird"; of no metric that is known: the clock.
comparable_need need_to_compare(str key);

#endif  // ASSAY_CLI_NEED_TO_COMPARE_H
