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
    ptrdiff_t n_metrics;
    ptrdiff_t main_metric;
} text_report;

// A table in the look of the report; text_print appends it below an empty line.
grid text_grid(const text_report *r, ptrdiff_t n_columns);
void text_print(const text_report *r, const grid *g);

// Names and cells.
str text_run(const text_report *r, ptrdiff_t run);
str text_metric(const text_report *r, ptrdiff_t metric);
str text_int(const text_report *r, int64_t n);

// The gold ceiling; for one run also statuses and empty results.
void text_add_execution(const text_report *r);

// Why the noes: of one run all metrics, of several runs the main metric.
void text_add_reasons(const text_report *r);

// In which clauses predictions differ from the gold.
void text_add_clauses(const text_report *r);

#endif  // ASSAY_REPORT_REPORT_TEXT_H
