/*
 * request_worker.h - what a worker of `assay worker` does: an item is a line
 * of JSON from somebody whom we do not know, its answer another one.
 *
 * What is asked is a line and its number; the answer is a line, a str. It is
 * read here, below the sandbox and the watch, never by the parent. What
 * it asks is judged by the code that judges cases of files (score_worker.h): a
 * prediction by all metrics, a pair {"db", "left", "right"} by equiv alone.
 */
#ifndef ASSAY_JOB_REQUEST_WORKER_H
#define ASSAY_JOB_REQUEST_WORKER_H

#include "job/score_worker.h"

typedef struct request_context {
    worker_context single;   // of a request with one prediction
    worker_context several;  // with samples: figures over them are asked for
    worker_context pair;     // of two queries
    worker_context widest;   // the metrics of all: where databases are there
    field_aliases names;
} request_context;

worker_call request_worker_call(const request_context *c);

#endif  // ASSAY_JOB_REQUEST_WORKER_H
