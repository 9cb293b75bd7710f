/*
 * case_queries.h - the two queries of a line of a journal, in one layout: a
 * clause on each line, so that only what they say differs.
 */
#ifndef ASSAY_REPORT_CASE_QUERIES_H
#define ASSAY_REPORT_CASE_QUERIES_H

#include "base/json.h"
#include "sql/dialect.h"

typedef struct case_queries {
    str gold;          // the variant that the verdict is about, else the first
    str pred;          // empty: there is none
    const str *golds;  // as written
    ptrdiff_t n_golds;
    ptrdiff_t n_queries;  // that they stand for; 0: they cannot be expanded
} case_queries;

// `metric` is the key of the verdict. What the parser does not understand stays
// as it was written.
case_queries case_queries_of(arena *a,
                             const json *line,
                             str metric,
                             dialect d,
                             arena scratch);

#endif  // ASSAY_REPORT_CASE_QUERIES_H
