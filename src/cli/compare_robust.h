/*
 * compare_robust.h - `assay compare --robust`: each run on changed questions
 * beside the same run on their originals.
 */
#ifndef ASSAY_CLI_COMPARE_ROBUST_H
#define ASSAY_CLI_COMPARE_ROBUST_H

#include "cli/cli.h"
#include "report/versus.h"

// What --metric and --cluster ask for.
versus compare_versus(const cli *c, arena *a, versus_clock_use clock);

bool compare_robust(cli *c, arena *a, arena scratch);

#endif  // ASSAY_CLI_COMPARE_ROBUST_H
