/*
 * neighbor_run.h - the neighbors of queries, as far as they compile on their
 * database: what `assay neighbors` lists.
 */
#ifndef ASSAY_JOB_NEIGHBOR_RUN_H
#define ASSAY_JOB_NEIGHBOR_RUN_H

#include "job/suite_golds.h"
#include "process/supervisor.h"

typedef struct neighbor_found {
    str db;
    str gold;
    str kind;  // of the change
    str sql;
} neighbor_found;

typedef struct neighbor_sink {
    void *context;
    // Before its neighbors; may be NULL.
    void (*gold)(void *context, str db, str gold);
    void (*take)(void *context, const neighbor_found *n);
} neighbor_sink;

typedef struct neighbor_run_options {
    golds_options golds;
    uint64_t seed;
    int64_t max;     // of one gold; 0: all
    str_list kinds;  // none: all
} neighbor_run_options;

// SUPERVISOR_FAILED when there is nothing to list, or some gold or database is
// broken; every reason is in `d`, and what could be listed was.
supervisor_end neighbor_run(const neighbor_run_options *o,
                            neighbor_sink sink,
                            arena *a,
                            diag *d,
                            arena scratch);

#endif  // ASSAY_JOB_NEIGHBOR_RUN_H
