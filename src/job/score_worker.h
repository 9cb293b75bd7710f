/*
 * score_worker.h - what a worker of `assay score` and `assay lint` does: an
 * item is a case, its answer the journal lines of all its predictions; and what
 * it shares with those that judge requests (request_worker.h).
 */
#ifndef ASSAY_JOB_SCORE_WORKER_H
#define ASSAY_JOB_SCORE_WORKER_H

#include "journal/journal_line.h"
#include "plan/plan.h"
#include "process/worker.h"
#include "score/scorer.h"

typedef struct worker_context {
    const plan *plan;
    const score_options *options;
    const scorer_engines *engines;
    journal_times times;
    shard shard;  // whose lines they are
} worker_context;

// Answers with the lines, a str.
worker_call score_worker_call(const worker_context *c);

// Where a worker judges: a scorer, and what it may read.
typedef struct score_seat {
    scorer scorer;
    sandbox box;
    arena_store cases;  // for what lives as long as a case
} score_seat;

sandbox_rights score_seat_rights(const plan *p);

// False when there is too little memory or address space.
bool score_seat_open(score_seat *seat, const worker_context *c, worker *port);

// A case with the verdicts on all its predictions.
typedef struct judged_case {
    score_task task;
    scored_case scored;
    const scored_pred *by_run;
} judged_case;

// Whether predictions may have to write: a metric runs scripts, or the gold is
// one.
bool score_asks_for_script(const score_options *o, const plan_case *it);

// All of it in `a`, which `it` must outlive; its predictions get their SQL.
judged_case score_seat_judge(score_seat *seat,
                             const worker_context *c,
                             plan_case *it,
                             const work_request *request,
                             arena *a);

// What one of its runs has, for the journal.
journal_samples judged_samples(const judged_case *j, ptrdiff_t run);

#endif  // ASSAY_JOB_SCORE_WORKER_H
