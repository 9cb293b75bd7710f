/*
 * score_judge.h - the metric judge of `assay score`: a model's opinion where
 * nothing cheaper has settled a case.
 *
 * Models are asked by the parent, after the workers are done: these have no
 * network. The journal is written again with the verdicts in it.
 */
#ifndef ASSAY_CLI_SCORE_JUDGE_H
#define ASSAY_CLI_SCORE_JUDGE_H

#include "cli/score_output.h"

// False when the options do not fit together; the user was told.
bool score_judge_check(const cli *c);

// Asks about the lines of the journal at --out and shows the new lines to
// `out`. False when something was not answered; the user was told.
bool score_judge(const cli *c, score_output *out, arena *a, arena scratch);

#endif  // ASSAY_CLI_SCORE_JUDGE_H
