/*
 * worker.h - a process that judges cases, and what it and its parent say to
 * each other.
 *
 * The worker is forked with the whole plan in its memory. A request is the
 * number of a case and what earlier workers died of in it; the answer is the
 * journal lines of all its predictions.
 */
#ifndef ASSAY_JOB_WORKER_H
#define ASSAY_JOB_WORKER_H

#include "journal/journal_line.h"
#include "plan/plan.h"
#include "process/watch.h"

enum {
    WORKER_MAX_DEATHS = 30
};

typedef struct worker_request {
    int32_t case_no;   // record of the gold file
    int32_t slot;      // of the watch page
    int32_t n_spared;  // deaths that were not held against it
    int32_t n_deaths;
    watch_death deaths[WORKER_MAX_DEATHS];
} worker_request;

// In front of the lines of a case.
typedef struct worker_answer {
    int32_t case_no;
    int32_t size;  // bytes of the lines that follow
} worker_answer;

// How a worker ends when it cannot go on; the parent makes a verdict of it.
enum {
    WORKER_EXIT_OK = 0,
    WORKER_EXIT_SETUP = 70,   // could not even begin: the run is over
    WORKER_EXIT_MEMORY = 71,  // an arena was full
};

typedef struct worker_context {
    const plan *plan;
    const score_options *options;
    journal_times times;
} worker_context;

// Serves requests from `fd` until it is closed. Never returns.
_Noreturn void worker_serve(const worker_context *c, int fd, watch *w);

#endif  // ASSAY_JOB_WORKER_H
