/*
 * versus.h - several runs over the same cases: who got which case right.
 *
 * The ground of `assay compare`. Journals go in line by line; out come, for
 * any two runs, the cases that both answered, the paired difference, the cases
 * that one fixes and breaks, and the same by database, hardness or feature.
 *
 * Order of    versus_new()
 * calls         versus_begin_file()  each journal
 *                 versus_add()       each line of it that is a case
 *             versus_end()           once
 *               versus_pair() ...    as often as wanted
 */
#ifndef ASSAY_REPORT_VERSUS_H
#define ASSAY_REPORT_VERSUS_H

#include "base/diag.h"
#include "base/map.h"
#include "report/bill.h"
#include "report/paired.h"

typedef enum versus_group {
    VERSUS_BY_DB,
    VERSUS_BY_HARDNESS,
    VERSUS_BY_CATEGORY,
    VERSUS_BY_FEATURE,
    VERSUS_GROUP_COUNT,
    VERSUS_BY_CASE = VERSUS_GROUP_COUNT,  // each is a group of its own
} versus_group;

str versus_group_word(versus_group by);

// What is one observation for the interval.
typedef enum versus_cluster {
    VERSUS_CLUSTER_AUTO,  // a database where there are enough, else a case
    VERSUS_CLUSTER_DB,
    VERSUS_CLUSTER_CASE,
} versus_cluster;

str versus_cluster_word(versus_cluster v);
bool versus_cluster_from_word(str word, versus_cluster *out);

// Of verdicts that queries run for; those of texts do not depend on the clock.
typedef enum versus_clock_use {
    VERSUS_CLOCK_MATTERS,
    VERSUS_CLOCK_IGNORED,
} versus_clock_use;

typedef struct versus_case {
    str question;                       // without one, the gold
    int32_t groups[VERSUS_BY_FEATURE];  // ids of names; the empty one: none
    uint64_t features;                  // bit set of ids of names
    bool reads_clock;                   // a query of some run, or the gold
} versus_case;

// What a run said of a case.
typedef enum versus_answer {
    VERSUS_ABSENT,  // no line, or no verdict of the metric
    VERSUS_SAID,    // then the answers, each this many above its own number
    VERSUS_UNKNOWN = VERSUS_SAID + ANSWER_UNKNOWN,
    VERSUS_NO = VERSUS_SAID + ANSWER_NO,
    VERSUS_YES = VERSUS_SAID + ANSWER_YES,
} versus_answer;

typedef struct versus_outcome {
    uint8_t answer;   // versus_answer
    uint16_t reason;  // id of a word; of a no and an unknown
} versus_outcome;

typedef struct versus_run {
    str name;  // of all journals different (journals.h)
    str file;
    str clock;
    vec_of(
        versus_outcome) outcomes;    // by case; cases beyond its end are absent
    bill_answers answers;            // of metric 0: the one that is compared
    int64_t counts[VERSUS_YES + 1];  // by answer; of absent: lines without a
                                     // verdict of the metric
} versus_run;

typedef struct versus {
    arena *a;
    str metric;
    versus_cluster cluster;
    versus_clock_use clock_use;
    str file;             // that is read
    str clock;            // of it
    ptrdiff_t first_run;  // of that file
    map ids;              // of cases
    map names[VERSUS_GROUP_COUNT];
    map reasons;
    map metrics;                // that were seen, for messages
    vec_of(versus_case) cases;  // by id in ids
    vec_of(versus_run) runs;
    int64_t n_clock;  // cases left out: they read a clock that differs
} versus;

versus versus_new(arena *a,
                  str metric,
                  versus_cluster cluster,
                  versus_clock_use clock_use);

// `clock`: what its queries took for now; empty: the machine's.
void versus_begin_file(versus *v, str file, str clock);

// False with a message at `place` when the run has the case already.
bool versus_add(versus *v, const case_line *line, diag_place place, diag *d);

// False with a message when there are not two runs with that metric.
bool versus_end(versus *v, diag *d, arena scratch);

versus_outcome versus_outcome_at(const versus *v, ptrdiff_t run, ptrdiff_t at);

// Run `a` against run `b`. Cases that either does not know or does not have
// are not compared, but counted.
typedef struct versus_pair {
    paired_difference d;
    bool is_by_db;   // else each case is a cluster
    int64_t n_dbs;   // with at least one case
    int64_t as_dbs;  // they count as much as so many of one size
    interval bootstrap;
    int64_t n_unknown;     // at least one side is unknown
    int64_t n_only_in[2];  // cases that only a, only b has
    double p_holm;         // set by versus_all
} versus_pair;

// All pairs a < b, row by row, with p adjusted by Holm's method.
const versus_pair *versus_all(const versus *v, arena *a, arena scratch);

// The pair (a, b), a < b, among those of versus_all.
ptrdiff_t versus_pair_at(const versus *v, ptrdiff_t a, ptrdiff_t b);

// -1: a is better, 1: b is; 0: chance cannot be excluded. Both the test and
// the interval must say so, as the test takes each case by itself.
int versus_conclusion(const versus_pair *p);

// The compared cases of each group, by who got them right; in the order of
// v->names[by], or of the cases.
const paired_counts *versus_counts(const versus *v,
                                   ptrdiff_t a,
                                   ptrdiff_t b,
                                   versus_group by,
                                   arena *out);

// The cases that only one of both gets right: `fixed` those of b, else those
// of a. The length goes to *n; ids as in v->ids, in the order of the cases.
const ptrdiff_t *versus_changed(const versus *v,
                                ptrdiff_t a,
                                ptrdiff_t b,
                                bool fixed,
                                ptrdiff_t *n,
                                arena *out);

// What the answers of each run cost, and how sure they are.
const bill_run *versus_bills(const versus *v, arena *a);

// Passes among the cases of a run that are known.
double versus_share(const versus *v, ptrdiff_t run);

// 1 + the number of runs that are better than it by versus_conclusion.
ptrdiff_t versus_rank(const versus *v, const versus_pair *pairs, ptrdiff_t run);

#endif  // ASSAY_REPORT_VERSUS_H
