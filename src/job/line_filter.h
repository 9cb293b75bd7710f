// line_filter.h - the filters of --filter on lines of a journal.
#ifndef ASSAY_JOB_LINE_FILTER_H
#define ASSAY_JOB_LINE_FILTER_H

#include "plan/filter.h"
#include "report/case_line.h"

bool line_passes(const filter_list *filters, const case_line *line);

#endif  // ASSAY_JOB_LINE_FILTER_H
