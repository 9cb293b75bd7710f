/*
 * gold_query.c - a gold on small databases.
 *
 * Method      Nearly all comparisons are of a few rows in the same order, cell
 *             by cell the same: those are settled without the rules, the others
 *             go through them.
 *
 * Invariant   gold_query_ties says yes in doubt: a gold that might choose among
 *             tied rows kills nothing.
 *
 * Cost        Linear in the cells; ties cost one more run of the gold.
 */
#include "suite/gold_query.h"

#include "schema/bind_text.h"
#include "table/compare.h"

#include <assert.h>

bool gold_query_open(gold_query *g,
                     scratch_db *db,
                     str sql,
                     dialect d,
                     execution *failed,
                     arena *a,
                     arena scratch)
{
    assert(db && failed);
    *g = (gold_query){0};
    arena trees = arena_half(&scratch);
    g->query = scratch_prepare(db, sql, failed, a);
    if (!g->query) {
        return false;
    }
    const binding *b = bind_text(&trees, sql, scratch_schema(db), d, scratch);
    if (!b) {
        return true;
    }
    engine_choices own = engine_choices_outermost(a, b, scratch);
    g->is_ordered = own.is_ordered;
    g->top = own.top;
    if (own.is_ordered && own.top.offset == 0 && own.top.sql.len > 0) {
        execution ignored;
        g->keyed = scratch_prepare(db, own.top.sql, &ignored, a);
    }
    return true;
}

void gold_query_close(gold_query *g)
{
    scratch_forget(g->query);
    scratch_forget(g->keyed);
    *g = (gold_query){0};
}

bool gold_query_ties(const gold_query *g, const table *gold, arena scratch)
{
    assert(g->query);
    if (!g->keyed || gold->n_rows == 0) {
        return false;
    }
    execution keyed = scratch_run(g->keyed, ENGINE_READ_ALL, &scratch);
    const table *t = &keyed.result;
    ptrdiff_t n = gold->n_columns;
    if (keyed.status != REASON_NONE || n != g->top.n_shown
        || t->n_columns != g->top.n_columns) {
        return true;  // it cannot be told
    }
    // Beyond the gold's own rows, too, as long as they tie with its last one:
    // there LIMIT chose.
    bool goes_on = true;
    bool is_tied = false;
    for (ptrdiff_t r = 1; goes_on && !is_tied && r < t->n_rows; r++) {
        const value *row = t->cells + r * t->n_columns;
        const value *before = row - t->n_columns;
        bool has_keys = true;
        for (ptrdiff_t k = 0; has_keys && k < g->top.n_keys; k++) {
            int32_t column = g->top.keys[k].column;
            has_keys = value_same(row[column], before[column]);
        }
        goes_on = has_keys || r < gold->n_rows;
        is_tied = has_keys && !values_same(row, before, n);
    }
    return is_tied;
}

engine_stop gold_query_stop(const gold_query *g, const table *gold)
{
    compare_options c = {.is_ordered = g->is_ordered};
    compare_need need = compare_need_assay(COMPARE_EXEC, gold, &c);
    return (engine_stop){need.rows, need.distinct};
}

bool gold_query_equal(const gold_query *g,
                      const table *gold,
                      const table *other,
                      arena scratch)
{
    if (gold->n_columns != other->n_columns || gold->n_rows != other->n_rows) {
        return false;
    }
    if (values_same(gold->cells, other->cells,
                    gold->n_rows * gold->n_columns)) {
        return true;
    }
    compare_options c = {.is_ordered = g->is_ordered};
    return compare_is_same_assay(gold, other, &c, scratch);
}
