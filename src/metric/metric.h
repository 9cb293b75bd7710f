/*
 * metric.h - the metrics: a row of metric.def each, and a file metric_WORD.c; a
 * few that differ in little share one.
 *
 * Whoever parses --metrics, writes journals and help, or runs a case asks this
 * table; nobody else knows which metrics there are.
 */
#ifndef ASSAY_METRIC_METRIC_H
#define ASSAY_METRIC_METRIC_H

#include "metric/evidence.h"

typedef enum metric_id {
#define METRIC(constant, ...) METRIC_##constant,
#include "metric/metric.def"
#undef METRIC
    METRIC_COUNT,
} metric_id;

#define METRIC_BIT(m) (1u << (m))

typedef enum metric_trait {
    IN_ALL = 1 << 0,             // part of --metrics all
    ASKS_CLAUSES = 1 << 1,       // beside a no: which clauses differ
    BLAMES_PREDICTION = 1 << 2,  // where judging kills a worker the prediction
                                 // has too much of something, and is wrong
    ASKS_MODEL = 1 << 3,  // workers leave it out: it is given when they are
                          // done, by the parent
    LEADS = 1 << 4,       // stands for all where none is named: one row
    TAKES_ABSTAINING = 1 << 5,  // says yes where giving no query is right
    HAS_SHARE = 1 << 6,         // its verdicts have a score from 0 to 1
    TAKES_RESULTS = 1 << 7,     // compares results: a gold need be no query
    RUNS_SCRIPTS = 1 << 8,      // lists are statements that run one by one, no
                                // alternatives and no samples
    SPARES_DB = 1 << 9,         // without databases some cases are known
    SAYS_A_PART = 1 << 10,      // wrong queries may pass: it is about a part
} metric_trait;

// One verdict that a metric gives.
typedef struct metric_key {
    str key;      // in the journal: "exec", "exec:bird"
    rules rules;  // by which it is given, for metrics that have several
    int part;     // of a metric that knows several kinds
    metric_id metric;
} metric_key;

typedef vec_of(metric_key) metric_keys;

// Appends the verdicts that `word` gives under the options.
typedef void metric_keys_function(metric_keys *keys,
                                  const score_options *o,
                                  str word,
                                  arena *a);

typedef verdict metric_judge_function(const evidence *e, metric_key key);

typedef struct metric_info {
    str word;
    str text;  // one sentence
    str how;   // the page of `assay help metrics`
    str lies;
    str cost;
    metric_keys_function *keys;
    uint32_t needs;    // of score_need
    uint32_t honours;  // of evaluator_option
    uint32_t traits;   // of metric_trait
    metric_judge_function *judge;
} metric_info;

const metric_info *metric_at(metric_id m);
str metric_word(metric_id m);
bool metric_from_word(str word, metric_id *out);

// The bits of the metrics that need one of `needs`, honour one of `options`,
// have one of `traits`.
uint32_t metrics_needing(uint32_t needs);
uint32_t metrics_honouring(uint32_t options);
uint32_t metrics_with(uint32_t traits);

// The key of the metric that leads.
str metric_leading_word(void);

// All that the metrics of a bit set need.
uint32_t metrics_needs(uint32_t set);

// "exec, subset and suite"
str metrics_words(uint32_t set, arena *a);

// All verdicts that the options ask for, in the order of the metrics.
metric_keys metrics_asked(const score_options *o, arena *a);

// The journal keys of all verdicts that these options give, in the order of
// the journal.
str_list metrics_keys(const score_options *o, arena *a);

// What the samples of a run add to a key: "exec@5", "exec@vote".
str metric_pass_key(arena *a, str key, int64_t k);
str metric_vote_key(arena *a, str key);

// Is there a result that samples vote about?
bool metrics_vote(const score_options *o);

metric_keys_function metric_keys_none;      // of a worker
metric_keys_function metric_keys_one;       // its word
metric_keys_function metric_keys_by_rules;  // exec, exec:bird, ...
metric_keys_function metric_keys_subset;
metric_keys_function metric_keys_set;
metric_keys_function metric_keys_ves;  // the root, the reward
metric_keys_function metric_keys_link;

// The word with each of these ends, numbered.
void metric_keys_parts(metric_keys *keys,
                       str word,
                       const char *const *ends,
                       int n,
                       arena *a);

// clang-format off
#define METRIC(constant, word, ...) metric_judge_function metric_judge_##word;
#include "metric/metric.def"
#undef METRIC
// clang-format on

#endif  // ASSAY_METRIC_METRIC_H
