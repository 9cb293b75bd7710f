/*
 * check_run.h - many pairs, in worker processes.
 *
 * Which worker takes which pair is fixed, verdicts do not depend on what was
 * checked before, and answers are handed on in the order of the pairs: any
 * number of workers gives the same bytes. A pair that kills its worker gets an
 * answer too, and the worker a successor.
 */
#ifndef ASSAY_RUN_CHECK_RUN_H
#define ASSAY_RUN_CHECK_RUN_H

#include "check/checker.h"
#include "run/check_pairs.h"

// Makes the text of an answer, in the worker.
typedef void check_format(void *context,
                          const check_item *item,
                          const check_verdict *v,
                          buf *out,
                          arena scratch);

typedef struct check_job {
    const check_pairs *pairs;
    check_options options;  // `solver` counts for nothing
    bool uses_solver;       // where there is one
    ptrdiff_t n_workers;
    check_format *format;
    void *context;
} check_job;

typedef struct check_tally {
    ptrdiff_t answers[CHECK_DIFFERENT + 1];  // pairs by answer
    ptrdiff_t n_broken;  // pairs that could not be checked: no schema, a crash
} check_tally;

// Calls `take` with the texts, in order. False with a message when workers
// cannot be started or `take` refuses.
bool check_run(const check_job *job,
               check_tally *tally,
               bool (*take)(void *context, str text),
               diag *d,
               arena a);

#endif  // ASSAY_RUN_CHECK_RUN_H
