/*
 * tally.h - counts the lines of journals: the ground of every report.
 *
 * Per run and metric: yes, no, unknown and the sum of scores, in all and by
 * database, category, hardness and features of SQL; components of set in all
 * and by hardness; reasons, statuses, gold that failed, sessions. What is kept
 * depends on how many runs, metrics and groups there are, not on the number of
 * lines; but for what lines tell of the cost of their answers (bill.h).
 *
 * Order of    tally_new()      once
 * calls         tally_add()    each line of a journal that is a case
 *             then look, and go on adding if more comes
 */
#ifndef ASSAY_REPORT_TALLY_H
#define ASSAY_REPORT_TALLY_H

#include "base/map.h"
#include "report/abstained.h"
#include "report/bill.h"
#include "report/wilson.h"

typedef enum tally_by {
    TALLY_BY_DB,
    TALLY_BY_CATEGORY,
    TALLY_BY_HARDNESS,
    TALLY_BY_FEATURE,  // a case is in the group of each feature it uses
    TALLY_BY_NUMBER,   // by how often it uses tally.feature: "0", "1", ...
    TALLY_BY_COUNT,
} tally_by;

enum {
    TALLY_TURNS = 5,          // turn 1, 2, 3, 4 and all later ones
    TALLY_GROUPS_MAX = 4096,  // more databases (...) than these share a group
    TALLY_WORDS_MAX = 256,    // more reasons than these share a word
    TALLY_GOLD_FAILED_MAX = 20,
};

typedef struct tally_count {
    int64_t answers[ANSWER_COUNT];
    double score;  // the sum; a verdict without a score adds 0
} tally_count;

typedef vec_of(tally_count) tally_counts;

typedef vec_of(int64_t) tally_numbers;

// A component of set: cases whose gold, whose prediction has it at all, and how
// many of those are right.
typedef struct tally_part {
    int64_t n_gold;
    int64_t n_pred;
    int64_t n_gold_right;
    int64_t n_pred_right;
} tally_part;

typedef struct tally_parts {
    tally_part at[LINE_PARTS];
} tally_parts;

// One metric of one run.
typedef struct tally_metric {
    tally_count all;
    tally_counts by[TALLY_BY_COUNT];      // by group
    tally_numbers reasons[ANSWER_COUNT];  // by word; of no and unknown
    bool has_score;
    bool has_distance;
    int64_t distance;      // the sum
    int64_t n_both_empty;  // yes, but both results are empty
    bool has_parts;        // a verdict tells of components
    tally_parts parts;
    vec_of(tally_parts) parts_by_hardness;  // by group
    tally_count turns[TALLY_TURNS];
    int64_t sessions_failed;  // with a turn that is not yes
    int64_t last_failed;      // the session last counted there, plus 1
    abstained abstained;      // of the metric abstain
} tally_metric;

// Why golds, or predictions, did not run.
typedef struct tally_cause {
    ptrdiff_t word;  // the reason
    int64_t n;
    str example;  // what the first of them said, or how it begins
} tally_cause;

typedef vec_of(tally_cause) tally_causes;

typedef struct tally_run {
    int64_t n_cases;
    tally_numbers n_by[TALLY_BY_COUNT];  // cases by group
    tally_numbers
        n_failed_by[TALLY_BY_COUNT];  // where pred or gold did not run
    vec_of(tally_metric)
        metrics;  // by metric; n_verdicts is 0 where the run has none
    tally_numbers pred_status;  // by word
    tally_numbers gold_status;
    str_list gold_failed;      // ids of the first cases whose gold did not run
    tally_causes gold_causes;  // in the order in which they came
    tally_causes pred_causes;  // likewise, with how the first prediction begins
    str_list gold_unstable;    // likewise, whose gold has more than one result
    int64_t n_unstable;
    int64_t n_unanswerable;   // cases that no query answers
    int64_t n_abstained;      // of these, where the prediction gives none
    int64_t n_without_gold;   // cases that are not judged
    tally_numbers clauses;    // in which a prediction differs
    tally_numbers constants;  // in which it differs by a constant only
    int64_t n_clauses;        // predictions that differ in some
    int64_t n_hardness_ours;  // cases whose hardness is not Spider's
    int64_t n_sessions;
    int64_t last_session;  // plus 1
    int64_t turns[TALLY_TURNS];
    bill_answers answers;
} tally_run;

typedef struct tally {
    arena *a;
    map runs;
    map metrics;  // "exec", "exec:spider", in order of appearance
    map groups[TALLY_BY_COUNT];  // names of databases, ...
    map words;                   // reasons and statuses; 0 is "ok"
    map clauses;                 // "where"
    str feature;                 // of TALLY_BY_NUMBER; empty: nothing is asked
    vec_of(tally_run) by_run;
} tally;

tally tally_new(arena *a);

void tally_add(tally *t, const case_line *line);

int64_t tally_total(const tally_count *c);  // yes + no + unknown

// Of 100: yes among all. Of metrics with a score the mean of the scores.
double tally_percent(const tally_count *c);

// Of 100: cases with a yes or no, and of these the yes. 0 without any.
double tally_decides(const tally_count *c);
double tally_of_decided(const tally_count *c);
double tally_mean(const tally_count *c);

// What is said of a metric by these of its counts, of 100: of one with a score
// the mean, else what passes.
double tally_value(const tally_metric *m, const tally_count *c);

// The metric of a run, or NULL when the run has no verdict of it.
const tally_metric *tally_metric_at(const tally *t,
                                    ptrdiff_t run,
                                    ptrdiff_t metric);

// How often a word is the reason of such answers, of one run or of all (-1).
int64_t tally_reasons(const tally *t,
                      ptrdiff_t run,
                      ptrdiff_t metric,
                      answer v,
                      ptrdiff_t word);

// The metric that is spoken of first: exec, else the first; -1: none.
ptrdiff_t tally_main_metric(const tally *t);

// Wilson's, of the mean where a metric has scores.
interval tally_interval(const tally_metric *m);

// Counts of a group that may never have appeared in this metric.
tally_count tally_count_at(const tally_counts *counts, ptrdiff_t i);
tally_parts tally_parts_at(const tally_metric *m, ptrdiff_t hardness);
int64_t tally_number_at(const tally_numbers *numbers, ptrdiff_t i);

// Cases of a run whose gold ran.
// Cases that a prediction can pass.
int64_t tally_gold_ok(const tally *t, ptrdiff_t run);

// The cause with this word of golds that did not run, the most frequent one for
// -1; NULL: there is none.
const tally_cause *tally_gold_cause(const tally *t,
                                    ptrdiff_t run,
                                    ptrdiff_t word);

#endif  // ASSAY_REPORT_TALLY_H
