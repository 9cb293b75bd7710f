/*
 * request_run.h - a whole run of `assay worker`: requests that come at any
 * time, judged as `assay score` judges cases.
 */
#ifndef ASSAY_JOB_REQUEST_RUN_H
#define ASSAY_JOB_REQUEST_RUN_H

#include "job/request_queue.h"
#include "job/run.h"

typedef struct request_outcome {
    supervisor_end end;
    bool was_stopped;  // by a signal
    bool is_broken;    // nobody reads the answers any more
} request_outcome;

// `way` says how lines and answers travel; how many workers there are the
// options say. Of these plan.{db,suite,tables,names,needs_db}, score,
// has_clock, jobs and times count; the clock stands at the moment the run
// began. False when it could not begin or go on; the reasons are in `d`.
bool request_run(run_options *options,
                 request_queue_options way,
                 request_outcome *out,
                 arena *a,
                 diag *d,
                 arena scratch);

#endif  // ASSAY_JOB_REQUEST_RUN_H
