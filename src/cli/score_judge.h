/*
 * score_judge.h - the metric judge of `assay score`: a model's opinion where
 * nothing cheaper has settled a case.
 *
 * Models are asked by the parent, after the workers are done: these have no
 * network. The journal is written again with the verdicts in it.
 */
#ifndef ASSAY_CLI_SCORE_JUDGE_H
#define ASSAY_CLI_SCORE_JUDGE_H

#include "cli/cli.h"
#include "job/run.h"

// False when the options do not fit together; the user was told.
bool score_judge_check(const cli *c);

// Asks about the lines of the journal at --out, which the outcome holds the new
// ones of then. False when something was not answered; the user was told.
bool score_judge(const cli *c, run_outcome *run, arena *a, arena scratch);

#endif  // ASSAY_CLI_SCORE_JUDGE_H
