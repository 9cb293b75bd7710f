/*
 * distill_run.h - a whole run of `assay distill`: golds of a data set in, a
 * folder of suites and a manifest out. Golds of one schema share their
 * databases [003 4.2].
 *
 * A database that is done is a file in the folder; the same run again goes on
 * where it was interrupted, and gives the same bytes.
 */
#ifndef ASSAY_JOB_DISTILL_RUN_H
#define ASSAY_JOB_DISTILL_RUN_H

#include "job/suite_golds.h"
#include "process/supervisor.h"
#include "suite/suite.h"

typedef struct distill_run_options {
    golds_options golds;
    str out;  // folder
    uint64_t seed;
    int64_t tries;
    int64_t max_databases;
    int64_t max_neighbors;
    bool nulls_as_data;  // no NULL in columns where the database has none
    bool is_private;     // no value of the databases is used
    bool writes_sqlite;  // --layout spider
    bool leaves_out_times;
    ptrdiff_t jobs;
    int64_t clock_ms;
    void *context;  // for progress, in golds
    void (*progress)(void *context, int64_t done, int64_t total);
} distill_run_options;

typedef struct distill_outcome {
    supervisor_end end;
    int64_t n_cases;
    int64_t n_golds;   // distinct
    int64_t n_unused;  // of these, that could not be run
    suite_count count;
    int64_t databases;
    int64_t most_databases;  // of one schema
    int64_t rows;
    int64_t bytes;  // of all files
    int64_t tries;
    int64_t wall_ns;
    ptrdiff_t n_schemas;
    ptrdiff_t n_kept;  // schemas that an earlier run had done
    ptrdiff_t n_failed;
} distill_outcome;

// False when something went wrong; the reasons are in `d`, what could be done
// was done. `notes` gets what the databases break of their schemas.
bool distill_run(const distill_run_options *o,
                 distill_outcome *out,
                 arena *a,
                 diag *d,
                 diag *notes,
                 arena scratch);

#endif  // ASSAY_JOB_DISTILL_RUN_H
