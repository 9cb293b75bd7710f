/*
 * moment.h - expressions that are one moment whatever the rows: the clock,
 * dates, and sums of these and spans of time.
 *
 * `placed >= CURRENT_DATE - INTERVAL '3 months'` is worth a value just there.
 * The clock is the sampler's; without one (0) words that tell the time are
 * none of our moments.
 */
#ifndef ASSAY_SAMPLE_MOMENT_H
#define ASSAY_SAMPLE_MOMENT_H

#include "sql/ast.h"
#include "table/value.h"

// A span of time as SQL writes it: '3 months', '-1 year 2 days'. False when the
// text is none.
typedef struct moment_span {
    int64_t months;
    int64_t us;  // of the rest
} moment_span;

bool moment_span_read(str text, moment_span *out);

// INTERVAL '3 months', INTERVAL 3 MONTH, '3 months'::interval.
bool moment_interval(const ast *n, moment_span *out);

// The moment as text that PostgreSQL and SQLite read; false when the expression
// is none that can be computed here. Literals by themselves are none.
bool moment_of(const ast *n, int64_t clock_ms, value *out, arena *a);

#endif  // ASSAY_SAMPLE_MOMENT_H
