/*
 * engine_stop.c - when the rest of a result no longer matters, and when a query
 * has done too much for it.
 *
 * Method      A stop is reached when both of its bounds are passed (an absent
 *             bound always is). Different rows are counted by row_set.h, which
 *             may count too few, never too many, so stopping is always right.
 *
 * Invariant   engine_cut gives what a run with that stop would have given: the
 *             result does not depend on who read it before.
 *
 * Cost        Linear in the rows up to the stop.
 */
#include "engine/engine.h"
#include "engine/row_set.h"

#include <assert.h>

bool engine_stop_reached(engine_stop stop,
                         ptrdiff_t n_rows,
                         ptrdiff_t n_distinct)
{
    assert(n_rows >= 0 && n_distinct >= 0);
    bool some = stop.rows >= 0 || stop.distinct >= 0;
    return some && (stop.rows < 0 || n_rows > stop.rows)
           && (stop.distinct < 0 || n_distinct > stop.distinct);
}

bool engine_stop_equal(engine_stop a, engine_stop b)
{
    return a.rows == b.rows && a.distinct == b.distinct;
}

bool engine_fails(execution *x, reason why, str message)
{
    assert(why != REASON_NONE);
    x->status = why;
    x->message = message;
    x->result = (table){0};
    return false;
}

execution engine_within(const execution *x, int64_t work)
{
    assert(work >= 0);
    if (work == 0 || x->work <= work) {
        return *x;
    }
    return (execution){.status = REASON_TOO_MUCH_WORK,
                       .message = S("it ran into its work limit"),
                       .offset = -1,
                       .stop = x->stop,
                       .ns = x->ns,
                       .work = work,
                       .reads_clock = x->reads_clock,
                       .reads_random = x->reads_random};
}

execution engine_cut(const execution *x, engine_stop stop, arena scratch)
{
    execution cut = *x;
    row_set seen = {0};
    ptrdiff_t width = x->result.n_columns;
    // Fewer rows than the larger bound cannot reach the stop.
    ptrdiff_t least = stop.rows > stop.distinct ? stop.rows : stop.distinct;
    if (least < 0 || x->result.n_rows <= least) {
        return cut;
    }
    for (ptrdiff_t r = 0; r < x->result.n_rows; r++) {
        if (stop.distinct >= 0) {
            row_set_add(&seen, &scratch, x->result.cells + r * width, width);
        }
        if (engine_stop_reached(stop, r + 1, seen.count)) {
            cut.result.n_rows = r + 1;
            cut.result.is_cut = true;
            break;
        }
    }
    return cut;
}
