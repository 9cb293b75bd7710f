// output_files.h - checks that the outputs of a command do not overwrite its
// inputs.
#ifndef ASSAY_CLI_OUTPUT_FILES_H
#define ASSAY_CLI_OUTPUT_FILES_H

#include "cli/cli.h"

// False when an output would overwrite an input, another output, a database,
// or, for the journal of score, anything that is no journal; the user was told.
bool output_files_are_apart(const cli *c);

// Is one of them standard output?
bool outputs_take_stdout(const cli *c);

// Is the output a file, there or to be made? Not standard output, a device or a
// pipe, and not nothing.
bool output_can_be_read(const cli *c, opt_id output);

#endif  // ASSAY_CLI_OUTPUT_FILES_H
