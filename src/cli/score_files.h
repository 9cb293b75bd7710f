// score_files.h - the outputs of a run may not fall on its inputs.
#ifndef ASSAY_CLI_SCORE_FILES_H
#define ASSAY_CLI_SCORE_FILES_H

#include "cli/cli.h"

// False when an output would overwrite an input, another output, a database,
// or, for the journal, anything that is no journal; the user was told.
bool score_files_are_apart(const cli *c);

#endif  // ASSAY_CLI_SCORE_FILES_H
