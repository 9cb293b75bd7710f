// dataset_option.h - the options --format, --field and --encoding: how the
// files of cases and predictions are to be read.
#ifndef ASSAY_CLI_DATASET_OPTION_H
#define ASSAY_CLI_DATASET_OPTION_H

#include "cli/cli.h"
#include "read/dataset.h"

// Sets format and names, the names in c->a. A command without --format, and
// lint's `--format sarif`, find the format out. False when a word is wrong,
// with a message: wrong usage.
bool dataset_option_read(const cli *c, dataset_options *out);

// A format by its word; false with a message that names the nearest one.
bool dataset_option_format(const cli *c, str word, dataset_format *out);

#endif  // ASSAY_CLI_DATASET_OPTION_H
