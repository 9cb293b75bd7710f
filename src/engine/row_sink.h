/*
 * row_sink.h - rows of a result as they come from an engine, up to the stop or
 * to a limit.
 *
 * The limits on rows and bytes are kept here, for all engines alike. Different
 * rows are counted only when somebody may stop at that, and only from the row
 * on where it can matter.
 */
#ifndef ASSAY_ENGINE_ROW_SINK_H
#define ASSAY_ENGINE_ROW_SINK_H

#include "engine/engine.h"
#include "engine/row_set.h"

typedef struct row_sink {
    execution *x;
    const engine_limits *limits;
    arena *a;
    const char *start;  // where the result begins in `a`
    vec_of(value) cells;
    row_set seen;
    ptrdiff_t n_rows;
    ptrdiff_t n_seen;  // rows that are in `seen`
} row_sink;

// Rows of x->result.n_columns cells, read with x->stop; cells lie in `a`.
row_sink row_sink_new(execution *x, const engine_limits *limits, arena *a);

void row_sink_add(row_sink *s, value cell);

// The result has so many columns: their names, to be set.
str *row_sink_columns(execution *x, ptrdiff_t n, arena *a);

// After the last cell of a row. False when no more is wanted: the stop is
// reached, or a limit is, which is then the status of the execution.
bool row_sink_end_row(row_sink *s);

// All that was wanted came, and the query went well: it is the result.
void row_sink_done(row_sink *s);

#endif  // ASSAY_ENGINE_ROW_SINK_H
