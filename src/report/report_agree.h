/*
 * report_agree.h - journals against a reference: who agrees with it, how far,
 * and who ranks the runs as it does [003 tables 2, 3] [002
 * table 4].
 *
 * Order of    agree_new()    with the key of the reference: "exec", "label"
 * calls         agree_add()  each line of the journals
 *             agree_doc()
 */
#ifndef ASSAY_REPORT_REPORT_AGREE_H
#define ASSAY_REPORT_REPORT_AGREE_H

#include "base/map.h"
#include "report/agreement.h"
#include "report/plot.h"
#include "report/report.h"
#include "report/sureness.h"

// What one of several people says of a case.
typedef struct agree_opinion {
    ptrdiff_t person;
    answer answer;  // yes or no
} agree_opinion;

typedef struct agree_metric {
    calibration sureness;  // of clear answers that tell their confidence
    // Against the first metric, where both have an answer: cases where only
    // this one, only that one agrees with the reference.
    int64_t only_this;
    int64_t only_first;
} agree_metric;

typedef enum agree_by {
    AGREE_BY_NONE,
    AGREE_BY_RUN,
    AGREE_BY_DB,
    AGREE_BY_CATEGORY,
    AGREE_BY_HARDNESS,
    AGREE_BY_CLASS,  // what verdicts of pragmatic rest on
    AGREE_BY_LENIENCY,
    AGREE_BY_NORM,
    AGREE_BY_COUNT,
} agree_by;

// Groups of cases, by group and database. What a judge said of cases without a
// reference counts under ANSWER_UNKNOWN.
typedef struct agree_groups {
    map names;
    agreement_cells cells;
} agree_groups;

// A verdict of pragmatic with the leniencies that it names, by bits.
typedef struct agree_fit_case {
    ptrdiff_t db;
    uint64_t leniencies;
    answer want;
    answer v;
} agree_fit_case;

typedef struct agree {
    arena *a;
    str reference;
    map metrics;            // in order of appearance, without the reference
    agreement_cells cells;  // by metric, run, hardness and group
    map hardness;
    map runs;
    agree_by by;  // of one more table
    map groups;
    str norm;  // of the journal that is being read; empty: it has none
    map databases;
    agree_groups evidence;  // the first group has all cases
    agree_groups judges;    // "judge", "judge open": one metric on one class
    bool fits;              // a profile is wanted
    map leniencies;
    map fit_databases;
    vec_of(agree_fit_case) fit_cases;
    people people;              // who the reference is made of
    agreement_cells by_person;  // by metric and person
    agreement_cells among;      // person by person
    vec_of(agree_metric) by_metric;
    int64_t n_lines;
    int64_t n_without;  // lines without a reference of yes or no
} agree;

agree agree_new(arena *a, str reference);
void agree_add(agree *t, const case_line *line);

// The cases of a metric, of the reference (-1) the first one's: of a run, a
// level of hardness and a group, each of which may be AGREEMENT_ANY.
agreement agree_cases(const agree *t,
                      ptrdiff_t judge,
                      ptrdiff_t run,
                      ptrdiff_t level,
                      ptrdiff_t group);

// What people say of a case, once; and of a line, beside its verdicts.
void agree_add_opinions(agree *t, const agree_opinion *o, ptrdiff_t n);
void agree_add_beside(agree *t,
                      const case_line *line,
                      const agree_opinion *o,
                      ptrdiff_t n);

// How far each metric agrees with each person, and they with each other; the
// names are theirs. Nothing where there is one person only.
void agree_people_doc(doc *d, const agree *t, const map *names);

// report_agree_class.c: what people say by class, leniency or norm, and how
// metrics without classes do on each class; `want` may be unknown.
void agree_add_class(agree *t, const case_line *line, answer want);
void agree_class_doc(doc *d, const agree *t);

// A case of a group.
void agree_groups_add(agree *t,
                      agree_groups *to,
                      str group,
                      str db,
                      answer want,
                      answer v);

// "WHAT decides 78.5 % of 836 cases; there ...".
void agree_groups_doc(doc *d, const agree_groups *g, ptrdiff_t group, str what);

// The verdict that has a class; NULL: none has.
const line_verdict *case_line_classed(const case_line *line);

// "ties, nulls": what the detail of such a verdict passes over, rejects, or
// leaves to ask; empty: nothing.
str agree_named_leniencies(const line_verdict *v);

// report_agree_profile.c: the switches of a profile, fitted to what people say,
// and how good they are elsewhere. Set `fits` before the first line.
void agree_fit_add(agree *t, const case_line *line, answer want);
void agree_fit_doc(doc *d, buf *profile, agree *t);

// Asks for one more table, before the first line: by "run", "db", "category",
// "hardness", "class", "leniency", "norm". False when the word is none of them.
bool agree_group_by(agree *t, str word);

// Tables for people: confusion and figures of each metric, the constant
// judges, by hardness, and tau over the runs.
void agree_doc(doc *d, const agree *t);

// The reference, as judge -1, and the metrics.
axis agree_judges(const agree *t, arena *a);

// report_agree_runs.c: what there is to say of several runs, by hardness.

// Errors of each metric against the reference, in percent of all questions of a
// level: mean, standard deviation and maximum over runs, and tau of the order
// [003 tables 2 to 4]; predictions called right by each judge, with the rank of
// each run [002 table 2]. Nothing where there is one run only.
void agree_runs_doc(doc *d, const agree *t);

// Cases that a judge calls right, in a confusion; and their share by run.
int64_t agree_right(const agreement *c, ptrdiff_t judge);
double agree_share(const agree *t, ptrdiff_t judge, ptrdiff_t run);
const double *agree_shares(const agree *t, ptrdiff_t judge, arena *a);

// A plot for each metric and level: a point a run, percent of yes by the
// reference across, by the metric up [003 figures 6, 7]. In `a`.
typedef struct plot_list {
    plot *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
    ptrdiff_t n_columns;
} plot_list;

plot_list agree_plots(const agree *t, arena *a);

#endif  // ASSAY_REPORT_REPORT_AGREE_H
