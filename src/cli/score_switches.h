// score_switches.h - options of score that would have no effect are errors.
#ifndef ASSAY_CLI_SCORE_SWITCHES_H
#define ASSAY_CLI_SCORE_SWITCHES_H

#include "cli/cli.h"
#include "metric/options.h"

// Is the metric judge asked for? The parent asks it, no worker does.
bool score_wants_judge(const cli *c);

// False when an option was given that bears on nothing that is scored; the user
// was told. The metrics and rules of `o` are set.
bool score_switches_are_heeded(const cli *c, const score_options *o);

#endif  // ASSAY_CLI_SCORE_SWITCHES_H
