/*
 * lint_who.h - a case and the predictions of several runs: who is wrong?
 *
 * Predictions that are proved equal, or that return the same where the gold
 * returns something else, are one class. The largest class that is not the
 * gold's stands against the gold, and blame/ weighs the two.
 */
#ifndef ASSAY_JOB_LINT_WHO_H
#define ASSAY_JOB_LINT_WHO_H

#include "blame/blame.h"
#include "score/judging.h"

typedef struct lint_who {
    bool is_asked;  // false: there is nothing to tell
    blame_verdict verdict;
    str gold;           // of several that the gold stands for, the query that
                        // was looked at; empty: it is one
    ptrdiff_t variant;  // its number
    str pred;           // what stands against the gold; empty: nothing
    ptrdiff_t n_runs;   // that say so
    ptrdiff_t n_with_gold;  // that are equal to the gold
    bool has_data;          // the database has rows
} lint_who;

// The gold of the case has run.
lint_who lint_who_is_wrong(judging *j, bool is_chosen);

// ,"who":...: members of an open object.
void lint_who_add(buf *b, const lint_who *w);

#endif  // ASSAY_JOB_LINT_WHO_H
