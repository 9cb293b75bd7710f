/*
 * score.h - one case: its gold, its predictions, all verdicts.
 *
 * The values that go in and come out; metric/scorer.h makes the verdicts. A
 * scorer holds what is kept between cases: the engine with its open databases
 * and the cache of results.
 */
#ifndef ASSAY_SCORE_SCORE_H
#define ASSAY_SCORE_SCORE_H

#include "check/checker.h"
#include "engine/engine.h"
#include "evaluators/evaluator.h"
#include "evaluators/like.h"
#include "process/sandbox.h"
#include "process/watch.h"
#include "read/record.h"
#include "score/gold_memo.h"
#include "score/result_cache.h"
#include "sql/dialect.h"
#include "sql/features.h"
#include "suite/suite_set.h"

typedef enum score_ordered {
    ORDERED_AUTO,
    ORDERED_ALWAYS,
    ORDERED_NEVER,
} score_ordered;

typedef enum score_distinct {
    DISTINCT_BY_RULES,
    DISTINCT_KEEP,
    DISTINCT_IGNORE,
} score_distinct;

// Which databases may speak against a prediction.
typedef enum score_world {
    WORLD_BY_METRIC,  // equiv: declared; suite: realistic
    WORLD_DECLARED,   // all that the schema allows
    WORLD_REALISTIC,  // those that also obey what the case's data show
} score_world;

typedef struct score_options score_options;
struct score_options {
    uint32_t metrics;  // bit set of METRIC_BIT
    rules rules[RULES_COUNT];
    ptrdiff_t n_rules;
    const like_texts *texts;  // string and edit as another program computes
                              // them; NULL: as we do
    score_ordered ordered;
    score_distinct distinct;
    bool audits_golds;  // no metrics: `assay lint`
    bool ranks_golds;   // then: who is wrong, gold or predictions?
    bool plugs_values;  // of results: no prediction is wrong before the
                        // gold's values were tried in the places of its own
    score_world world;
    bool golds_are_queries;  // equiv: a gold that fails is a query that differs
                             // from one that does not
    bool runs_proved;        // also what is proved to be its gold
    bool limits_work;        // steps of a query are counted, and limited
    int64_t most_work;       // to so many; 0: by what the gold takes
    int64_t ves_runs;        // in which ves:time is measured; 0: it is not
    bool same_column_order;
    bool allows_extra_rows;
    bool has_tolerance;
    double tolerance;
    const int64_t *pass_at;  // the k of pass@k, rising; none: the first of
    ptrdiff_t n_pass_at;     // several samples is all that is judged
    const struct pragmatic_profile *profile;  // what is passed over; NULL: as
                                              // metric/pragmatic.h has it
    dialect dialect;
    engine_options engine;
    const score_options *elsewhere;  // of golds that run on other databases;
                                     // NULL: none do
};

typedef struct scorer {
    const score_options *options;
    engine *engine;     // NULL when no metric runs SQL
    engine *elsewhere;  // of golds; NULL: that one
    result_cache cache;
    gold_memo golds;
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

// One prediction. The texts differ only in what was around the SQL.
typedef struct score_pred {
    str sql;  // what is run; empty: there is none
    str raw;  // all that the model wrote, for metrics that format it themselves
    str line;         // what a program that reads lines takes for the SQL
    bool is_missing;  // there is no prediction, not even one without SQL
} score_pred;

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
