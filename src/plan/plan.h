/*
 * plan.h - what is to be scored: the files, opened and paired, and the cases
 * chosen from them.
 *
 * A plan is complete before the first query runs: wrong input is found and
 * reported up front, and the workers, forked with the plan in their memory,
 * need nothing but the number of a case.
 */
#ifndef ASSAY_PLAN_PLAN_H
#define ASSAY_PLAN_PLAN_H

#include "engine/source.h"
#include "plan/filter.h"
#include "read/choice.h"
#include "read/pair.h"
#include "schema/schema_spider.h"
#include "suite/suite_set.h"

#include <signal.h>

// Predictions of a run in a file of their own; or, where they are made here,
// lines of their ids and texts, and in place of the path what they are made of.
typedef struct plan_pred {
    str path;
    str name;  // empty: made from the path
    bool is_made;
    buf lines;
} plan_pred;

typedef vec_of(plan_pred) plan_pred_list;

// The prediction of the next case; without an id it is paired by position.
void plan_pred_add(plan_pred *made, str id, str sql);

typedef struct plan_options {
    str gold;
    str results;            // folder of results that are golds; empty: none
    plan_pred_list preds;   // none: the gold file carries them
    bool has_no_preds;      // only golds are looked at
    str db;                 // source; empty: none
    str gold_db;            // source of golds that run elsewhere; empty: none
    str setup;              // dumps that databases of a server are made of
    str suite;              // folder; empty: none
    str tables;             // Spider's tables.json; empty: none
    field_aliases names;    // what the user calls fields
    str encoding;           // of golds and predictions; empty: UTF-8
    dataset_format format;  // of the gold file
    bool allows_missing;
    bool needs_ids;     // but only where ids tell which are missing
    bool needs_db;      // a metric runs SQL
    bool needs_schema;  // of --db or --tables
    bool runs_scripts;  // a metric does, on copies of databases
    bool copies_wal;    // SQLite files that others write to are copied
    int64_t clock_ms;   // of databases that are made
    choice choice;      // of the cases, besides the filters
    filter_list filters;
} plan_options;

typedef struct plan_run {
    str name;
    bool is_in_gold;  // its predictions are in the gold file
    str model;        // then which of a record's, by name; empty: all
    dataset set;      // else the file
    pairing pairs;
} plan_run;

typedef struct plan {
    dataset gold;
    plan_run *runs;
    ptrdiff_t n_runs;
    suite_set suites;
    bool has_suites;
    schema_list tables;  // empty without a tables.json
    source source;
    bool has_source;
    bool runs_sql;  // else a schema of `tables` does in place of a database
    source gold_source;  // of golds that run elsewhere
    bool has_gold_source;
    str engine_version;
    str remark;        // on the login to a server; empty: none
    str_list made;     // databases that are dropped in the end
    sigset_t signals;  // that were blocked before any was made
    struct {
        str path;  // of the database's file, or its URL; empty: see error
        str error;
        str dump;  // that it was made of; empty: not made
    } * dbs;       // by index into gold.dbs; the last one is that of cases
                   // without a database name
    ptrdiff_t n_dbs;
    engine_images images;   // copies of such files, by path
    int32_t *session_next;  // by record: the next one of its session, after the
                            // last the first; NULL: there are no sessions
    int32_t *cases;  // the chosen records of the gold file, in file order
    ptrdiff_t n_cases;
    ptrdiff_t n_all;  // chosen cases of all shards
    bool *all_dbs;    // by index into gold.dbs, the nameless one last: a chosen
                      // case of any shard is on it
    bool has_samples;  // a run has several predictions for a case
    arena *a;
} plan;

// False when the input cannot be scored; every reason is in `d`. Warnings that
// do not stop it (missing predictions that are allowed) are in `notes`.
bool plan_open(plan *p,
               arena *a,
               const plan_options *options,
               diag *d,
               diag *notes,
               arena scratch);
void plan_close(plan *p);

// A plan without files of cases, for those that come one by one: tables.json,
// suites, the source of the databases; one run, whose predictions come with
// their golds. False when something of it cannot be used.
bool plan_open_worlds(plan *p,
                      arena *a,
                      const plan_options *options,
                      diag *d,
                      arena scratch);

// Is that the id of case i? Nothing is read again.
bool plan_is_case(const plan *p, ptrdiff_t i, str id);

// As what the file of a run was read, or the gold file (run -1), and how it is
// paired.
str plan_said(const plan *p, ptrdiff_t run, arena *a);

// Marks of all files that workers read, by number as in the plan: one that
// differs later was written to. 0: no file.
typedef struct plan_marks {
    uint64_t *dbs;     // the nameless one last
    uint64_t *inputs;  // of the runs; the gold's last
} plan_marks;

plan_marks plan_marks_of(const plan *p, arena scratch);

// What each database holds, by index into gold.dbs, the nameless one last; 0
// where that cannot be told, with a message.
uint64_t *plan_fingerprints(const plan *p, arena *a, diag *d, arena scratch);

// The pages of the files that were read so far may go from memory.
void plan_forget(const plan *p);

// What one run has for a case; several are samples of one model.
typedef struct plan_preds {
    const record_pred *ptr;
    ptrdiff_t n;  // 0: there is none
} plan_preds;

// One case with all its predictions, read into `a`.
typedef struct plan_case {
    record gold;        // its id is never empty
    plan_preds *preds;  // by run
    str path;
    str path_error;
    str gold_path;  // where the gold runs, if elsewhere
    str gold_path_error;
    const schema *keys;        // from tables.json, or NULL
    const suite_entry *suite;  // or NULL
    bool order_was_asked;      // by an earlier turn, whose gold sorts likewise
} plan_case;

plan_case plan_case_at(const plan *p, ptrdiff_t i, arena *a);

// A case of a plan without files, out of its record. The database is looked for
// now.
plan_case plan_case_of(const plan *p, record gold, arena *a, arena scratch);

#endif  // ASSAY_PLAN_PLAN_H
