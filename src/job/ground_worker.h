/*
 * ground_worker.h - runs the queries of a grounded judge (judge_ground.h) in a
 * separate process: SQL that a model wrote, databases and dumps are never
 * opened by the process that makes the calls and knows the key.
 *
 * Order of    ground_worker_open()      before a key is read
 * calls         ground_worker_schema()  and the others, in any order
 *             ground_worker_close()
 */
#ifndef ASSAY_JOB_GROUND_WORKER_H
#define ASSAY_JOB_GROUND_WORKER_H

#include "job/judge_ground.h"
#include "process/supervisor.h"

typedef struct ground_worker {
    ground ground;  // opened, and used by nobody but the worker
    supervisor *supervisor;
    supervisor_job keeping;
    map files;       // schemas that pairs name, by path
    str_list texts;  // of them
    arena *a;
    diag *d;
} ground_worker;

bool ground_worker_open(ground_worker *w,
                        arena *a,
                        const ground_options *options,
                        diag *d,
                        arena scratch);
void ground_worker_close(ground_worker *w);

// See ground_samples(); empty also when the worker died of it.
str ground_worker_samples(ground_worker *w,
                          const judge_pair *p,
                          ptrdiff_t n_rows,
                          arena *a);

// The bench of a session (judge_session.h); `context` is the ground_worker. A
// schema that the worker died of is empty, such a trial has failed.
str ground_worker_schema(void *context, const judge_pair *p, arena *a);
judge_trial ground_worker_trial(void *context,
                                const judge_pair *p,
                                const json *rows,
                                arena *a);

#endif  // ASSAY_JOB_GROUND_WORKER_H
