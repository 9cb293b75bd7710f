/*
 * pred_option.h - the option --pred: FILE, or NAME=FILE.
 */
#ifndef ASSAY_CLI_PRED_OPTION_H
#define ASSAY_CLI_PRED_OPTION_H

#include "cli/cli.h"

typedef struct pred_option {
    str name;  // of the run; empty: the file's
    str path;
} pred_option;

// A file that is there is meant as it is written, though its name may hold '='.
pred_option pred_option_split(str text, arena scratch);

#endif  // ASSAY_CLI_PRED_OPTION_H
