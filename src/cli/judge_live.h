// judge_live.h - pairs put to a model, or to the record of one.
#ifndef ASSAY_CLI_JUDGE_LIVE_H
#define ASSAY_CLI_JUDGE_LIVE_H

#include "cli/judge_output.h"

// `path` is the file of pairs. Closes the output.
bool judge_live(judge_output *out, str path, arena *a, arena scratch);

#endif  // ASSAY_CLI_JUDGE_LIVE_H
