/*
 * robust.h - how much of what is right stays right when the question, the
 * schema or the values are changed?
 *
 * A pair is a changed case and its original. Each run becomes two runs of a
 * versus over the changed cases, before and after, so that the paired tests are
 * those of assay compare. (definitions/robustness.md)
 */
#ifndef ASSAY_REPORT_ROBUST_H
#define ASSAY_REPORT_ROBUST_H

#include "report/report_versus.h"

// A line of a journal. Its texts stay.
typedef struct robust_line {
    case_line line;
    ptrdiff_t file;
} robust_line;

typedef vec_of(robust_line) robust_lines;

typedef struct robust_run {
    str name;
    versus v;  // before, after; kinds of change are its categories
    const versus_pair *pair;
    const paired_counts *kinds;
    const double *p;     // of each kind, adjusted by Holm's method for all
    int64_t n_unpaired;  // changed cases whose original is not there
} robust_run;

typedef vec_of(robust_run) robust_runs;

// Without `kinds` by the member `of`: original and change are lines of one run.
// Else by id: files of originals and of changes take turns, and the kind is the
// category of the change, or that of its file. False with a message when no
// pair is there.
bool robust_of(robust_runs *out,
               const robust_lines *lines,
               const str *kinds,
               const versus *like,
               arena *a,
               diag *d,
               arena scratch);

// Of what was right before, the share that is right after; NaN where nothing
// was.
double robust_relative(const paired_counts *c);

void robust_doc(doc *d, const robust_runs *runs);
void robust_json(buf *out, const robust_runs *runs);

#endif  // ASSAY_REPORT_ROBUST_H
