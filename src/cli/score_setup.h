// score_setup.h - from the options of `assay score` to those of a run.
#ifndef ASSAY_CLI_SCORE_SETUP_H
#define ASSAY_CLI_SCORE_SETUP_H

#include "cli/cli.h"
#include "job/run.h"

// False when the options contradict each other or a word is unknown; *code is
// then what the program ends with, and the user was told why.
bool score_setup(run_options *run, const cli *c, arena *a, exit_code *code);

// The same of `assay worker`, which has no files of cases.
bool score_setup_requests(run_options *run, const cli *c, exit_code *code);

#endif  // ASSAY_CLI_SCORE_SETUP_H
