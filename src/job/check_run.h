/*
 * check_run.h - many pairs, in worker processes.
 *
 * Verdicts do not depend on what was checked before, and answers are handed on
 * in the order of the pairs, as they come: any number of workers gives the same
 * bytes. A pair that kills its worker gets an answer too.
 */
#ifndef ASSAY_JOB_CHECK_RUN_H
#define ASSAY_JOB_CHECK_RUN_H

#include "check/checker.h"
#include "job/check_pairs.h"
#include "process/supervisor.h"

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
    str data;               // the path of a database that shows what is
                            // realistic; empty: none
    str facts;              // the text of a file of facts; empty: none
    str facts_file;         // its name
    ptrdiff_t n_workers;
    check_format *format;
    // Does the text speak of this pair? It is what `format` made in a worker.
    bool (*is_of)(void *context,
                  const check_item *item,
                  str text,
                  arena scratch);
    // What the rows of a database break of its schema: once a database.
    void (*note)(void *context, str text);
    // Now and then, how many of how many pairs have an answer; may be NULL.
    void (*idle)(void *context, int64_t done, int64_t total);
    void *context;
} check_job;

// Gets the text of one answer, and why the pair could not be checked: empty, it
// could. False: nobody wants more.
typedef bool check_take(void *context, str text, str problem);

typedef struct check_tally {
    ptrdiff_t answers[CHECK_DIFFERENT + 1];  // pairs by answer
    ptrdiff_t n_checked;
    ptrdiff_t n_broken;  // pairs that could not be checked: no schema, a crash
} check_tally;

// Calls `take` with the texts, in order.
supervisor_end check_run(const check_job *job,
                         check_tally *tally,
                         check_take *take,
                         diag *d,
                         arena a);

// Is Z3 there? Else there is a message.
bool check_has_solver(diag *d, arena a);

#endif  // ASSAY_JOB_CHECK_RUN_H
