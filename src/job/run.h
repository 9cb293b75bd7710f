/*
 * run.h - a whole run of `assay score`: plan, workers, journal.
 */
#ifndef ASSAY_JOB_RUN_H
#define ASSAY_JOB_RUN_H

#include "journal/journal.h"
#include "journal/journal_line.h"
#include "plan/plan.h"
#include "process/supervisor.h"

typedef struct run_options {
    plan_options plan;
    score_options score;
    scorer_engines engines;
    bool has_clock;  // the user fixed that of the engines
    ptrdiff_t jobs;
    str out;  // journal; empty: none, "-": standard output
    bool resumes;
    bool overwrites;          // what `out` holds may be lost
    bool verifies_unchanged;  // looks at all databases before and after
    journal_times times;
    journal_reader reader;
    void *context;  // for progress
    void (*progress)(void *context, int64_t done, int64_t total);
} run_options;

typedef struct run_outcome {
    supervisor_end end;
    ptrdiff_t n_cases;    // chosen
    ptrdiff_t n_all;      // chosen, in all shards
    ptrdiff_t n_done;     // judged, now or before
    ptrdiff_t n_resumed;  // of these, taken from an earlier run
    ptrdiff_t n_changed;  // databases that were changed meanwhile
    ptrdiff_t n_lost;     // cases that no worker survived
    ptrdiff_t n_runs;
    str_list read;  // as what each file was read, the gold's first
    int64_t wall_ns;
    file_map journal;  // its lines, in the order of the cases
    int lock;          // no other process writes it
} run_outcome;

// False when the run could not begin or its journal not be written; the
// reasons are in `d`. `notes` holds what the user should know all the same.
// The options are completed (clock, pass_at) and must outlive the call.
// Otherwise the outcome is to be closed.
bool run_score(run_options *options,
               run_outcome *out,
               arena *a,
               diag *d,
               diag *notes,
               arena scratch);

void run_close(run_outcome *out);

// Opens the files and says as what they are read, with the first case spelled
// out; runs nothing. False with messages.
bool run_dry(run_options *options,
             buf *out,
             arena *a,
             diag *d,
             diag *notes,
             arena scratch);

// What the source of the databases says of how queries run.
void run_set_source(run_options *options, const plan *p);

// A job of workers that judge, with the limits of the run.
supervisor_job run_job(const run_options *options, supervisor_job job);

// What is told of samples when nothing is asked for.
extern const int64_t run_one_sample;

// What of the sandbox of workers is not to be had here, where that is as it
// was asked for; NULL: nothing.
const char *run_lacks_sandbox(bool is_required);

#endif  // ASSAY_JOB_RUN_H
