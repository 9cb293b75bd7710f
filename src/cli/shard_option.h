/*
 * shard_option.h - the option --shard, and the first line of a shard whose
 * command writes no journal.
 *
 * A journal has a head that says what was run (journal/journal_head.h). What
 * check, judge and generate write has none; a shard of it gets one, so that
 * assay merge can tell whether all shards are there, and takes it off.
 */
#ifndef ASSAY_CLI_SHARD_OPTION_H
#define ASSAY_CLI_SHARD_OPTION_H

#include "base/shard.h"
#include "cli/cli.h"

shard shard_option(const cli *c);

// The line, newline and all: the command, its options, and the hash of the file
// `input`, which holds its cases.
str shard_option_head(const cli *c,
                      arena *a,
                      shard s,
                      str input,
                      ptrdiff_t n_cases,
                      ptrdiff_t n_all);

#endif  // ASSAY_CLI_SHARD_OPTION_H
