/*
 * pool.h - worker processes: start, feed, watch, kill, replace.
 *
 * Invariants  (1) Every case that was asked for is answered exactly once,
 *                 whatever happens to workers, or counted as lost.
 *             (2) A case is blamed only for what the watch page says it was
 *                 doing; the others that the worker held are asked again.
 *             (3) A worker that is past its limit is killed within half a
 *                 second.
 */
#ifndef ASSAY_JOB_POOL_H
#define ASSAY_JOB_POOL_H

#include "job/worker.h"

typedef enum pool_end {
    POOL_DONE,
    POOL_INTERRUPTED,  // SIGINT, SIGTERM or SIGHUP; what was answered counts
    POOL_FAILED,       // workers cannot be started, or the sink refused
} pool_end;

// Who takes the answers. `take` gets the journal lines of one case, in no
// particular order of cases; false ends the run. `idle` is called now and
// then.
typedef struct pool_sink {
    void *context;
    bool (*take)(void *context, int32_t case_no, str lines);
    void (*idle)(void *context);
} pool_sink;

typedef struct pool_job {
    const worker_context *context;
    const int32_t *cases;  // records of the plan's gold file
    ptrdiff_t n_cases;
    ptrdiff_t n_workers;
    int64_t kill_after_ms;  // of one query, by the watch
    pool_sink sink;
} pool_job;

// Judges the cases of the job. *n_lost counts those that no worker survived.
pool_end pool_run(const pool_job *job,
                  ptrdiff_t *n_lost,
                  diag *d,
                  arena *a,
                  arena scratch);

#endif  // ASSAY_JOB_POOL_H
