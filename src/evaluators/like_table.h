/*
 * like_table.h - what the tables of the reference programs are made of; for
 * like*.c only.
 *
 * Cells are those of Spider and BIRD: 20 columns, left-justified, a blank
 * between them, blanks at the end of a row. Nothing is cut when longer.
 */
#ifndef ASSAY_EVALUATORS_LIKE_TABLE_H
#define ASSAY_EVALUATORS_LIKE_TABLE_H

#include "report/report.h"

typedef struct like_run {
    buf *out;
    const tally *t;
    ptrdiff_t run;
    arena *a;
} like_run;

const tally_run *like_counts(const like_run *r);

// A row: its label, then numbers with so many decimals.
void like_row(const like_run *r,
              str label,
              const double *values,
              ptrdiff_t n,
              int decimals);

double like_share(int64_t part, int64_t whole);

// A row without label: the heading.
void like_names(const like_run *r, const char *const *names, ptrdiff_t n);

// The id of a hardness, -1 when no case has it; its cases; its verdicts.
ptrdiff_t like_level(const like_run *r, const char *level);
int64_t like_level_cases(const like_run *r, const char *level);
tally_count like_level_count(const like_run *r,
                             const tally_metric *m,
                             const char *level);

void like_print_spider(const like_run *r);
void like_print_spider_case(buf *out, const case_line *line);

#endif  // ASSAY_EVALUATORS_LIKE_TABLE_H
