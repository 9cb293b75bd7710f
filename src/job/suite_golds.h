/*
 * suite_golds.h - the golds of a data set by database: what a suite is made
 * for.
 */
#ifndef ASSAY_JOB_SUITE_GOLDS_H
#define ASSAY_JOB_SUITE_GOLDS_H

#include "base/shard.h"
#include "engine/source.h"
#include "read/dataset.h"

typedef struct golds_options {
    str gold;              // file
    dataset_options file;  // how it is read
    str db;                // source
    str sql;               // in place of a file: one query
    dialect dialect;       // unless what is behind --db speaks another one
    int64_t limit;         // cases; -1: all
    shard shard;  // of the databases: all golds of one are of one shard
} golds_options;

typedef struct gold_group {
    str db;    // name; of a source that is one file, the file's
    str path;  // empty: see error
    str error;
    map seen;  // distinct golds, templates expanded
    ptrdiff_t n_cases;
} gold_group;

typedef struct gold_groups {
    gold_group *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
    ptrdiff_t n_cases;
    source from;      // of the databases
    dialect dialect;  // of the golds
    bool is_typed;    // PostgreSQL or DuckDB runs the golds, not SQLite
    bool on_server;
} gold_groups;

// Engines for the databases, and for scratch databases beside the one at
// `path`.
engine_options gold_groups_engine(const gold_groups *g,
                                  engine_options o,
                                  str path);

// False with messages when the input cannot be read. Databases that are
// missing are said in their groups.
bool gold_groups_read(gold_groups *g,
                      arena *a,
                      const golds_options *o,
                      diag *d,
                      arena scratch);

#endif  // ASSAY_JOB_SUITE_GOLDS_H
