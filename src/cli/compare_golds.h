/*
 * compare_golds.h - `assay compare --golds OLD NEW RUN...`: predictions are
 * scored against two versions of the golds, and what that changes is shown.
 */
#ifndef ASSAY_CLI_COMPARE_GOLDS_H
#define ASSAY_CLI_COMPARE_GOLDS_H

#include "cli/cli.h"

bool compare_golds(cli *c, arena *a, arena scratch);

#endif  // ASSAY_CLI_COMPARE_GOLDS_H
