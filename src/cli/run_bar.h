/*
 * run_bar.h - the progress bar of a command that runs cases: it appears with
 * the first report, on a terminal and not under --quiet.
 */
#ifndef ASSAY_CLI_RUN_BAR_H
#define ASSAY_CLI_RUN_BAR_H

#include "cli/cli.h"
#include "cli/progress.h"

typedef struct run_bar {
    const cli *c;
    progress bar;
    bool has_begun;
} run_bar;

// `context` is a run_bar whose `c` is set and the rest zero.
void run_bar_show(void *context, int64_t done, int64_t total);

// Before anything else is printed: takes the line away until the next report.
void run_bar_clear(run_bar *b);
void run_bar_end(run_bar *b);

// run_score() below the bar.
struct run_options;
struct run_outcome;
bool run_bar_score(run_bar *b,
                   struct run_options *run,
                   struct run_outcome *out,
                   arena *a,
                   diag *d,
                   diag *notes,
                   arena scratch);

#endif  // ASSAY_CLI_RUN_BAR_H
