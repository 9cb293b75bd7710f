// score_setup.h - from the options of `assay score` to those of a run.
#ifndef ASSAY_CLI_SCORE_SETUP_H
#define ASSAY_CLI_SCORE_SETUP_H

#include "cli/cli.h"
#include "job/run.h"

// False when the options contradict each other or a word is unknown: the
// user was told why.
bool score_setup(run_options *run, const cli *c, arena *a);

// Of predictions against one version of the golds: the metric is that of
// --metric, by its key. Predictions that are missing or extra are allowed.
bool score_setup_golds(run_options *run,
                       const cli *c,
                       str gold,
                       plan_pred_list preds);

// The same of `assay worker`, which has no files of cases.
bool score_setup_requests(run_options *run, const cli *c);

#endif  // ASSAY_CLI_SCORE_SETUP_H
