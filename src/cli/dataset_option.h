// dataset_option.h - options of files: --format, --field and --encoding, how
// files of cases and predictions are read; --only, --limit, --seed and --shard,
// which of the cases are taken.
#ifndef ASSAY_CLI_DATASET_OPTION_H
#define ASSAY_CLI_DATASET_OPTION_H

#include "cli/cli.h"
#include "read/choice.h"

// Of a file of golds; the names lie in c->a. A command without --format, and
// lint's `--format sarif`, find the format out.
dataset_options dataset_option(const cli *c);

// Which cases are taken.
choice choice_option(const cli *c);

// lint --format sarif; its other words are formats of the input.
bool lint_writes_sarif(const opt *o);

#endif  // ASSAY_CLI_DATASET_OPTION_H
