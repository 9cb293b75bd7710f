/*
 * suite_set.h - the suites that a run scores on, by database.
 *
 * Of a folder that `assay distill` wrote the suite files are taken; of any
 * other folder, the SQLite files that lie in FOLDER/DB/ (as in the official
 * suite, DB/DB.sqlite and DB/DBv1.sqlite and so on). Files are mapped before
 * workers are forked, and read by each worker when it first needs them.
 */
#ifndef ASSAY_SUITE_SUITE_SET_H
#define ASSAY_SUITE_SUITE_SET_H

#include "base/file.h"
#include "base/map.h"
#include "engine/scratch.h"
#include "suite/suite.h"

// What there is for one database: a suite file, or paths of SQLite files.
typedef struct suite_entry {
    str db;
    file_map file;     // empty: none
    const str *paths;  // in the order of their names
    ptrdiff_t n_paths;
} suite_entry;

typedef struct suite_set {
    str folder;
    map names;  // of databases; ids index `entries`
    vec_of(suite_entry) entries;
} suite_set;

// False with a message when the folder holds no suite at all.
bool suite_set_open(suite_set *s, arena *a, str folder, diag *d, arena scratch);
void suite_set_close(suite_set *s);

// NULL: nothing for that database. A set with one entry serves any name when
// `name` is empty.
const suite_entry *suite_set_find(const suite_set *s, str name);

// A suite file, read, with a connection for its databases.
typedef struct suite_bench {
    suite suite;
    scratch_db *db;  // where queries run; NULL: see error
    str error;
    ptrdiff_t filled;    // number of the database that is there; -1: none
    scratch_db *filler;  // of the images; NULL: `db` is filled in
    str *images;         // by database; empty: not yet filled in
    arena *a;
} suite_bench;

enum {
    // What a connection of an open bench takes of the address space, beside
    // `a`: it has an engine of its own. It has two, or one on a server and the
    // messages to that, or DuckDB's.
    SUITE_BENCH_BYTES = 80 << 20,
    SUITE_SERVER_BYTES = 160 << 20,
};

// In `a`, which must live as long as the bench. `beside` is the path of the
// database of the case: a suite that was not made on SQLite lies in an engine
// of its kind, or on its server.
suite_bench *suite_bench_open(const suite_entry *e,
                              const engine_options *options,
                              str beside,
                              arena *a,
                              arena scratch);
void suite_bench_close(suite_bench *b);

// Fills in database `no`, unless it is there.
bool suite_bench_fill(suite_bench *b, ptrdiff_t no, arena scratch);

#endif  // ASSAY_SUITE_SUITE_SET_H
