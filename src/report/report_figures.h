/*
 * report_figures.h - what documents of several formats say in the same words.
 */
#ifndef ASSAY_REPORT_REPORT_FIGURES_H
#define ASSAY_REPORT_REPORT_FIGURES_H

#include "report/doc.h"
#include "report/render.h"
#include "report/report_bill.h"

// "78.4 %", of a metric with scores their mean; empty without cases.
str figures_percent(arena *a, const tally_metric *m, tally_count count);

// Each run by each metric.
void figures_runs(doc *d, const tally *t);

// What is counted of abstaining, of costs and of confidence, under one metric
// of all runs.
void figures_tables(doc *d, const tally *t, ptrdiff_t metric);

// "hardness", "category", "database", "feature".
str figures_group_word(tally_by by);

// "assay 0.2.0, SQLite 3.40.1; gold dev.json; ..." of the first line of a
// journal; empty for NULL.
str figures_head_text(arena *a, const json *head);

#endif  // ASSAY_REPORT_REPORT_FIGURES_H
