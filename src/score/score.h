/*
 * score.h - one case: its gold, its predictions, all verdicts.
 *
 * The values that go in and come out; scorer.h makes the verdicts. A
 * scorer holds what is kept between cases: the engine with its open databases
 * and the cache of results.
 */
#ifndef ASSAY_SCORE_SCORE_H
#define ASSAY_SCORE_SCORE_H

#include "check/checker.h"
#include "engine/engine.h"
#include "metric/options.h"
#include "process/sandbox.h"
#include "process/watch.h"
#include "read/record.h"
#include "score/result_cache.h"
#include "sql/features.h"
#include "suite/suite_set.h"

// How databases are opened.
typedef struct scorer_engines {
    engine_options own;
    const engine_options *golds;  // of golds that run on other databases;
                                  // NULL: none do
} scorer_engines;

typedef struct scorer {
    const score_options *options;
    const scorer_engines *engines;
    engine *engine;     // NULL when no metric runs SQL
    engine *elsewhere;  // of golds; NULL: that one
    result_cache cache;
    arena_store scratch_store;
    arena scratch;            // of the case at hand
    void (*on_full)(void);    // for scratch: see arena.h
    watch *watch;             // told before and after each query; may be NULL
    arena_store bench_store;  // suites that were opened, for good
    arena benches;
    map bench_names;
    vec_of(suite_bench *) bench_list;  // by id in bench_names
    arena_store checker_store;  // what equiv knows of the databases, for good
    arena checker_arena;
    map checker_paths;
    vec_of(checker *) checkers;  // by id in checker_paths; NULL: there is none
    str_list checker_breaks;     // by id: what the rows break
    map shown_paths;             // of databases, in checker_arena, too
    vec_of(const schema *) shown;  // by id: see shown_schema.h
    const sandbox *sandbox;        // whose limit is lifted while a database is
                                   // mapped; may be NULL
} scorer;

// One verdict under its journal key: "exec", "exec:bird", "edit".
typedef struct scored_verdict {
    str key;
    verdict verdict;
} scored_verdict;

typedef struct scored_pred {
    const scored_verdict *verdicts;
    ptrdiff_t n_verdicts;
    reason status;  // REASON_NONE: ok, or not run
    str message;
    int64_t ns;          // of the query as written; 0: not run
    int64_t work;        // of the same; 0: not run, or not counted
    const str *clauses;  // beside a no: in which clauses it differs, in words
    ptrdiff_t n_clauses;
} scored_pred;

// Which results of one run's samples are equal, and which most samples have.
typedef struct score_vote {
    const int32_t *groups;  // by sample: the first one with an equal result;
                            // -1: its query did not run, it has no vote
    int32_t chosen;         // the sample that is first in the largest group,
                            // of equally large ones in the first
    int32_t n_votes;        // for it; 0: nobody has a vote
} score_vote;

typedef struct scored_case {
    str hardness;           // Spider's; empty: not known
    bool hardness_is_ours;  // its grammar does not read the gold: the same
                            // counts were taken from the tree
    sql_features features;  // of the gold's first variant
    reason gold_status;     // REASON_NONE: at least one variant ran
    str gold_message;
    int64_t gold_ns;          // of the variants that ran
    bool counts_work;         // both works are to be told
    int64_t gold_work;        // of the one that took most; 0: not counted
    const score_pred *texts;  // the task's
    const scored_pred *preds;
    ptrdiff_t n_preds;
    const score_vote *votes;  // by run of the task; NULL: not asked for
} scored_case;

// The samples of one run.
typedef struct score_samples {
    const int32_t *texts;  // by sample: which of the predictions it is
    ptrdiff_t n;           // at least 1
    bool is_missing;       // there is none; an empty one stands for all
} score_samples;

// What to judge. `path` is the database's file; empty with `path_error` set
// when there is none.
typedef struct score_task {
    const record *gold;
    const score_pred *preds;
    ptrdiff_t n_preds;
    const score_samples *runs;  // NULL: each prediction stands for itself
    ptrdiff_t n_runs;
    str path;
    str path_error;
    str gold_path;  // of golds that run elsewhere
    str gold_path_error;
    const schema *keys;  // foreign keys of the database (tables.json); NULL:
                         // the database's own
    const suite_entry *suite;   // databases of the suite; NULL: none
    bool order_was_asked;       // by an earlier turn of the conversation
    const watch_death *deaths;  // queries that killed an earlier worker
    ptrdiff_t n_deaths;
} score_task;

#endif  // ASSAY_SCORE_SCORE_H
