/*
 * score_worker.h - what a worker of `assay score` and `assay lint` does: an
 * item is a case, its answer the journal lines of all its predictions.
 */
#ifndef ASSAY_JOB_SCORE_WORKER_H
#define ASSAY_JOB_SCORE_WORKER_H

#include "journal/journal_line.h"
#include "plan/plan.h"
#include "process/worker.h"

typedef struct worker_context {
    const plan *plan;
    const score_options *options;
    journal_times times;
    bool marks_positions;  // the lines are of a shard (base/shard.h)
} worker_context;

worker_table score_worker_table(const worker_context *c);

#endif  // ASSAY_JOB_SCORE_WORKER_H
