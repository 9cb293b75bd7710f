/*
 * progress.h - how far a long job is, on one line of a terminal.
 *
 *      45 % ######-------- 1,234 of 2,740, 310/s, 0:05 left
 *      99 % #############- 2,739 of 2,740, 290/s, waiting 0:12
 *
 * It appears with the first report, on a terminal and not under --quiet.
 */
#ifndef ASSAY_CLI_PROGRESS_H
#define ASSAY_CLI_PROGRESS_H

#include "cli/cli.h"

typedef struct progress {
    const cli *c;  // set by who has it; the rest begins as zero
    int64_t total;
    int64_t first;     // how many were done before this run (--resume)
    int64_t done;      // at the last step that went on
    int64_t start_ns;  // clock_ns() at the first report
    int64_t step_ns;   // when `done` became what it is; 0: not known
    int64_t drawn_ns;  // at the last drawing; 0: the line is empty
} progress;

// A report, as often as one likes; `context` is a progress.
void progress_show(void *context, int64_t done, int64_t total);

// Before anything else is printed, and at the end: takes the line away until
// the next report.
void progress_clear(progress *p);

// run_score() below the line.
struct run_options;
struct run_outcome;
bool progress_run(progress *p,
                  struct run_options *run,
                  struct run_outcome *out,
                  arena *a,
                  diag *d,
                  diag *notes,
                  arena scratch);

// The line for a moment, at most `width` columns: a pure function.
str progress_text(arena *a,
                  const progress *p,
                  int64_t done,
                  int64_t now_ns,
                  ptrdiff_t width);

#endif  // ASSAY_CLI_PROGRESS_H
