/*
 * report_text.h - what the parts of the summary for people share. Internal to
 * report_text*.c; everybody else calls report.h.
 */
#ifndef ASSAY_REPORT_REPORT_TEXT_H
#define ASSAY_REPORT_REPORT_TEXT_H

#include "report/report.h"

typedef struct text_report {
    doc *d;
    const tally *t;
    ptrdiff_t n_runs;
    const int32_t *metrics;  // those of the tally that are shown, the main one
    ptrdiff_t n_metrics;     // first, without what samples add to them
    axis by_run;             // with their names as tables show them
} text_report;

// Names and cells.
str text_run(const text_report *r, ptrdiff_t run);
str text_metric(const text_report *r, ptrdiff_t metric);
const tally_metric *text_tally(const text_report *r,
                               ptrdiff_t run,
                               ptrdiff_t metric);

// Runs most of whose predictions fail in one way.
void text_add_alike(const text_report *r);

// What limits the figures: golds that fail or have several results, passes
// with both results empty, what is unknown. Nothing where all is well.
void text_add_limits(const text_report *r);

// Why answers failed: of one run all metrics, of several runs the main metric.
void text_add_reasons(const text_report *r);

// Percent of yes; of metrics with a score its mean, as percent. Empty where
// there is nothing.
str text_value(arena *a, const tally_metric *m, tally_count count);

// report_text_samples.c: pass@k and the vote, and the same by group.
void text_add_samples(const text_report *r);
void text_add_sample_groups(const text_report *r, tally_by by, str title);

// In which clauses predictions differ from the gold.
void text_add_clauses(const text_report *r);

#endif  // ASSAY_REPORT_REPORT_TEXT_H
