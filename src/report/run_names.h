/*
 * run_names.h - what the runs of several journals are called.
 *
 * A run has its name from the file of its predictions, and two journals may
 * both have a run "predictions". Whoever reads several journals asks here, so
 * that all call a run alike.
 *
 * Order of    run_names_add()  each journal, in order
 * calls       run_names_end()  once
 *               run_names_at()
 */
#ifndef ASSAY_REPORT_RUN_NAMES_H
#define ASSAY_REPORT_RUN_NAMES_H

#include "base/arena.h"

typedef struct run_name {
    ptrdiff_t journal;
    str run;  // as the journal has it
} run_name;

typedef struct run_names {
    vec_of(run_name) runs;
    vec_of(str) names;  // by run; of all journals different
    vec_of(str) files;  // by run
    ptrdiff_t n_journals;
} run_names;

// `text`: of the journal, which is looked through for its runs.
void run_names_add(run_names *n, arena *a, str file, str text, arena scratch);
void run_names_end(run_names *n, arena *a, arena scratch);

// What the run `run` of a journal is called, journals counted from 0.
str run_names_at(const run_names *n, ptrdiff_t journal, str run);

#endif  // ASSAY_REPORT_RUN_NAMES_H
