/*
 * agree_score.h - `assay agree --gold`: from prediction files to a journal, as
 * [003] scored: values plugged in, DISTINCT ignored, on a test suite.
 */
#ifndef ASSAY_CLI_AGREE_SCORE_H
#define ASSAY_CLI_AGREE_SCORE_H

#include "cli/cli.h"

// Distils the suite where its folder is not there yet, and scores all runs into
// the journal of --out, or goes on with it.
bool agree_score(const cli *c);

#endif  // ASSAY_CLI_AGREE_SCORE_H
