/*
 * progress.h - how far a long job is, on one line of a terminal.
 *
 *      45 % ######-------- 1,234 of 2,740, 310/s, 0:05 left
 *      99 % #############- 2,739 of 2,740, 290/s, waiting 0:12
 *
 * Order of    progress_begin()    once
 * calls         progress_step()   as often as one likes; draws rarely
 *               progress_clear()  before anything else is printed
 *             progress_end()      takes the line away
 */
#ifndef ASSAY_CLI_PROGRESS_H
#define ASSAY_CLI_PROGRESS_H

#include "base/arena.h"

typedef enum progress_show {
    PROGRESS_HIDDEN,
    PROGRESS_SHOWN,
} progress_show;

typedef struct progress {
    progress_show show;
    int64_t total;
    int64_t first;     // how many were done before this run (--resume)
    int64_t done;      // at the last step that went on
    int64_t start_ns;  // clock_ns() at the begin
    int64_t step_ns;   // when `done` became what it is; 0: not known
    int64_t drawn_ns;  // at the last drawing; 0: the line is empty
} progress;

// `done` of `total` are finished before the first step. Shown or hidden is the
// caller's choice: shown only when stderr is a terminal and not --quiet.
progress progress_begin(progress_show show, int64_t done, int64_t total);
void progress_step(progress *p, int64_t done);
void progress_clear(progress *p);
void progress_end(progress *p);

// The line for a moment, at most `width` columns: a pure function.
str progress_text(arena *a,
                  const progress *p,
                  int64_t done,
                  int64_t now_ns,
                  ptrdiff_t width);

#endif  // ASSAY_CLI_PROGRESS_H
