/*
 * row_sink.c - collects rows, counts them, and says when to stop.
 *
 * Method      Different rows are counted late: only when a stop asks for them,
 *             and only once there are more rows than that; then all rows so far
 *             are counted at once.
 *
 * Invariants  (1) At the end of each row there are exactly as many cells as
 *                 rows times columns.
 *             (2) A limit that is passed leaves no result, only the status.
 *
 * Cost        Constant for each cell, plus the hash of a row where it counts.
 */
#include "engine/row_sink.h"

#include <assert.h>

row_sink row_sink_new(execution *x, const engine_limits *limits, arena *a)
{
    return (row_sink){.x = x, .limits = limits, .a = a, .start = a->next};
}

void row_sink_add(row_sink *s, value cell)
{
    *vec_push(s->a, &s->cells) = cell;
}

str *row_sink_columns(execution *x, ptrdiff_t n, arena *a)
{
    str *names = arena_new(a, str, n);
    x->result.n_columns = n;
    x->result.names = names;
    return names;
}

bool row_sink_end_row(row_sink *s)
{
    engine_stop stop = s->x->stop;
    ptrdiff_t n_columns = s->x->result.n_columns;
    s->n_rows++;
    assert(s->cells.len == s->n_rows * n_columns);  // invariant 1
    for (; stop.distinct >= 0 && s->n_rows > stop.distinct
           && s->n_seen < s->n_rows;
         s->n_seen++) {
        row_set_add(&s->seen, s->a, s->cells.ptr + s->n_seen * n_columns,
                    n_columns);
    }
    if (engine_stop_reached(stop, s->n_rows, s->seen.count)) {
        s->x->result.is_cut = true;
        return false;
    }
    if (s->n_rows > s->limits->max_rows) {
        return engine_fails(s->x, REASON_TOO_MANY_ROWS,
                            arena_printf(s->a, "more than %lld rows",
                                         (long long)s->limits->max_rows));
    }
    if (s->a->next - s->start > s->limits->max_bytes) {
        return engine_fails(
            s->x, REASON_MEMORY,
            arena_printf(s->a, "the result takes more than %lld MB",
                         (long long)s->limits->max_bytes >> 20));
    }
    return true;
}

void row_sink_done(row_sink *s)
{
    s->x->result.n_rows = s->n_rows;
    s->x->result.cells = s->cells.ptr;
    s->x->n_distinct = s->seen.count;
}
