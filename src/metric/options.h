/*
 * options.h - the options by which a prediction is scored, and the prediction
 * itself.
 */
#ifndef ASSAY_METRIC_OPTIONS_H
#define ASSAY_METRIC_OPTIONS_H

#include "evaluators/evaluator.h"
#include "evaluators/like.h"
#include "sql/dialect.h"

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

typedef struct score_options {
    uint32_t metrics;  // bit set of METRIC_BIT
    rules rules[RULES_COUNT];
    ptrdiff_t n_rules;
    const like_texts *texts;  // string and edit as another program computes
                              // them; NULL: as we do
    score_ordered ordered;
    score_distinct distinct;
    bool audits_golds;      // no metrics: `assay lint`
    bool ranks_golds;       // then: who is wrong, gold or predictions?
    uint32_t also_suspect;  // by these signals, too: bits of blame_signal
    bool plugs_values;      // of results: no prediction is wrong before the
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
} score_options;

// One prediction. The texts differ only in what was around the SQL.
typedef struct score_pred {
    str sql;  // what is run; empty: there is none
    str raw;  // all that the model wrote, for metrics that format it themselves
    str line;         // what a program that reads lines takes for the SQL
    bool is_missing;  // there is no prediction, not even one without SQL
} score_pred;

#endif  // ASSAY_METRIC_OPTIONS_H
