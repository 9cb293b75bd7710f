/*
 * report_text.h - what the parts of the summary for people share. Internal to
 * report_text*.c; everybody else calls report.h.
 */
#ifndef ASSAY_REPORT_REPORT_TEXT_H
#define ASSAY_REPORT_REPORT_TEXT_H

#include "report/grid.h"
#include "report/report.h"

typedef struct text_report {
    buf *out;
    const tally *t;
    const report_look *look;
    arena *a;  // for cells
    ptrdiff_t n_runs;
    const int32_t *metrics;  // those of the tally that are shown, without
    ptrdiff_t n_metrics;     // what samples add to them
    ptrdiff_t main_metric;   // which of these
} text_report;

// A table in the look of the report; text_print appends it below an empty line.
grid text_grid(const text_report *r, ptrdiff_t n_columns);
void text_print(const text_report *r, const grid *g);

// Names and cells.
str text_run(const text_report *r, ptrdiff_t run);
str text_metric(const text_report *r, ptrdiff_t metric);
const tally_metric *text_tally(const text_report *r,
                               ptrdiff_t run,
                               ptrdiff_t metric);
str text_int(const text_report *r, int64_t n);

// The gold ceiling; for one run also statuses and empty results.
void text_add_execution(const text_report *r);

// Why the noes: of one run all metrics, of several runs the main metric.
void text_add_reasons(const text_report *r);

// Percent of yes; of metrics with a score its mean, as percent. Empty where
// there is nothing.
str text_value(const text_report *r, const tally_metric *m, tally_count count);

// report_text_samples.c: pass@k and the vote, and the same by group.
void text_add_samples(const text_report *r);
void text_add_sample_groups(const text_report *r, tally_by by, str title);

// In which clauses predictions differ from the gold.
void text_add_clauses(const text_report *r);

#endif  // ASSAY_REPORT_REPORT_TEXT_H
