/*
 * near_filter.c - rejects cheaply, before the full search, tables that cannot
 * be equal within a tolerance.
 *
 * Method      Each gold column needs a pred column that is equal to it, or one
 *             with as many numbers, some of them inexact, whose smallest and
 *             largest are near its own. (If rows pair up within a tolerance, so
 *             do the smallest ones, and the largest.)
 *
 * Invariant   Its no is always right; its yes means only "look closer". Sets and
 *             tables with extra rows, whose ends may differ, always pass.
 *
 * Cost        Linear in the cells, and columns times columns.
 */
#include "table/compare_near.h"
#include "table/near_cluster.h"
#include "table/search_rows.h"
#include "table/value_key.h"

#include <assert.h>
#include <math.h>

typedef struct column_range {
    hash128 signature;  // of the exact codes
    ptrdiff_t n_numbers;
    double least;
    double most;
    bool is_inexact;  // holds a REAL or a DECIMAL
} column_range;

static void range_add(column_range *range, value v)
{
    double d = value_to_double(v);
    if (isnan(d)) {
        return;
    }
    range->least = range->n_numbers == 0 ? d : fmin(range->least, d);
    range->most = range->n_numbers == 0 ? d : fmax(range->most, d);
    range->n_numbers++;
    range->is_inexact |= v.kind == VALUE_REAL || v.kind == VALUE_DECIMAL;
}

static column_range *ranges_of(const match_rules *m,
                               const table *t,
                               const coded *exact,
                               arena *a)
{
    column_range *ranges = arena_new(a, column_range, t->n_columns);
    const value *cell = t->cells;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            range_add(&ranges[c], *cell++);
        }
    }
    arena scratch = *a;
    const uint64_t *rows = rows_start(m, t->n_rows, &scratch);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        ranges[c].signature = rows_signature_with(
            m, rows, coded_column(exact, c), t->n_rows, scratch);
    }
    return ranges;
}

static bool ends_fit(double a, double b, near_limit limit)
{
    return near_equal(a, b, limit.relative, limit.absolute);
}

static bool ranges_fit(const column_range *g,
                       const column_range *p,
                       near_limit limit)
{
    if (hash128_equal(g->signature, p->signature)) {
        return true;
    }
    return (g->is_inexact || p->is_inexact) && g->n_numbers == p->n_numbers
           && g->n_numbers > 0 && ends_fit(g->least, p->least, limit)
           && ends_fit(g->most, p->most, limit);
}

bool near_columns_may_fit(const near_tables *n, near_limit limit, arena scratch)
{
    const match_rules *m = n->rules;
    if (m->are_sets || m->allows_extra_rows) {
        return true;  // numbers of rows, and the ends, may differ
    }
    const column_range *gold = ranges_of(m, n->gold, &n->gold_exact, &scratch);
    const column_range *pred = ranges_of(m, n->pred, &n->pred_exact, &scratch);
    for (ptrdiff_t g = 0; g < n->gold->n_columns; g++) {
        bool found = false;
        for (ptrdiff_t p = 0; p < n->pred->n_columns && !found; p++) {
            found = (!m->by_position || p == g)
                    && ranges_fit(&gold[g], &pred[p], limit);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}
