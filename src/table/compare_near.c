/*
 * compare_near.c - see compare_near.h; the clusters are near_cluster.c's.
 *
 * Method      near_rows sorts the rows of both sides into groups of equal
 *             coarse codes; only rows of one group can be near each other. In
 *             each group the rows are paired as they come; when that fails,
 *             in the order of their values, which succeeds whenever one column
 *             alone is inexact; when that fails too, by near_pair.c, which
 *             finds a pairing if there is one. Lists need no groups.
 *
 * Cost        Linear; n log n in groups that come in another order.
 */
#include "table/compare_near.h"

#include "table/near_cluster.h"
#include "table/near_pair.h"
#include "table/value_key.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool has_kind(unsigned kinds, value_kind kind)
{
    return kinds >> kind & 1;
}

near_tables near_tables_of(const match_rules *m,
                           const table *gold,
                           const table *pred,
                           arena *a)
{
    return (near_tables){
        .rules = m,
        .gold = gold,
        .pred = pred,
        .gold_exact = table_code(a, gold, m->coding),
        .pred_exact = table_code(a, pred, m->coding),
    };
}

bool near_may_help(const match_rules *m, const table *gold, const table *pred)
{
    const unsigned numbers = 1u << VALUE_INT | 1u << VALUE_REAL
                             | 1u << VALUE_BOOL | 1u << VALUE_DECIMAL;
    if (m->tolerance <= 0) {
        return false;
    }
    unsigned g = table_kinds(gold);
    unsigned p = table_kinds(pred);
    return has_kind(g | p, VALUE_REAL) && (g & numbers) && (p & numbers);
}

static bool is_single(value v)
{
    return v.is_single;
}

static double tolerance_of(const match_rules *m, bool may_be_single)
{
    double wide =
        may_be_single ? fmax(m->tolerance, m->single_tolerance) : m->tolerance;
    return fmin(wide, NEAR_MAX_TOLERANCE);
}

double near_widest(const match_rules *m, const table *gold, const table *pred)
{
    bool may_be_single =
        m->single_tolerance > m->tolerance
        && (table_has(gold, is_single) || table_has(pred, is_single));
    return tolerance_of(m, may_be_single);
}

static bool near_values(const match_rules *m, value v, value w)
{
    return (v.kind == VALUE_REAL || w.kind == VALUE_REAL)
           && near_equal(value_to_double(v), value_to_double(w),
                         tolerance_of(m, v.is_single || w.is_single), 0);
}

static void add_reals(near_clusters *clusters, const table *t, arena *a)
{
    for (ptrdiff_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (t->cells[i].kind == VALUE_REAL) {
            near_clusters_add(clusters, t->cells[i], a);
        }
    }
}

static void join_numbers(near_clusters *clusters, const table *t)
{
    for (ptrdiff_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (value_is_number(t->cells[i]) && t->cells[i].kind != VALUE_REAL) {
            near_clusters_join(clusters, t->cells[i]);
        }
    }
}

static void find_coarse_codes(near_clusters *clusters,
                              const table *t,
                              const coded *exact,
                              coded *out)
{
    assert(exact->n_rows == t->n_rows && exact->n_columns == t->n_columns);
    const value *cell = t->cells;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++, cell++) {
            ptrdiff_t i = c * t->n_rows + r;
            uint64_t cluster = value_is_number(*cell)
                                   ? near_clusters_find(clusters, *cell)
                                   : 0;
            out->codes[i] = cluster ? cluster : exact->codes[i];
        }
    }
}

static coded coded_like(const coded *exact, arena *a)
{
    coded out = *exact;
    out.codes = arena_new(a, uint64_t, out.n_rows * out.n_columns);
    return out;
}

void near_code(near_tables *n, arena *a)
{
    n->gold_coarse = coded_like(&n->gold_exact, a);
    n->pred_coarse = coded_like(&n->pred_exact, a);
    arena scratch = *a;
    near_clusters clusters =
        near_clusters_new(&scratch, near_widest(n->rules, n->gold, n->pred));
    add_reals(&clusters, n->gold, &scratch);
    add_reals(&clusters, n->pred, &scratch);
    near_clusters_link(&clusters, &scratch);
    join_numbers(&clusters, n->gold);
    join_numbers(&clusters, n->pred);
    find_coarse_codes(&clusters, n->gold, &n->gold_exact, &n->gold_coarse);
    find_coarse_codes(&clusters, n->pred, &n->pred_exact, &n->pred_coarse);
}

bool near_cells_fit(const near_tables *n,
                    ptrdiff_t gold_row,
                    ptrdiff_t gold_column,
                    ptrdiff_t pred_row)
{
    ptrdiff_t pred_column = n->columns[gold_column];
    assert(pred_column >= 0);
    if (coded_column(&n->gold_exact, gold_column)[gold_row]
        == coded_column(&n->pred_exact, pred_column)[pred_row]) {
        return true;
    }
    return n->rules->tolerance > 0
           && near_values(n->rules, table_at(n->gold, gold_row, gold_column),
                          table_at(n->pred, pred_row, pred_column));
}

bool near_rows_fit(const void *tables, ptrdiff_t gold_row, ptrdiff_t pred_row)
{
    const near_tables *n = tables;
    for (ptrdiff_t c = 0; c < n->gold->n_columns; c++) {
        if (!near_cells_fit(n, gold_row, c, pred_row)) {
            return false;
        }
    }
    return true;
}

static int compare_numbers(value v, value w)
{
    double a = value_to_double(v);
    double b = value_to_double(w);
    return (a > b) - (a < b);
}

// By their first n columns; NULL: in their own order.
static int compare_rows(const table *t,
                        const int32_t *columns,
                        ptrdiff_t n,
                        ptrdiff_t r,
                        ptrdiff_t s)
{
    int order = 0;
    for (ptrdiff_t c = 0; order == 0 && c < n; c++) {
        ptrdiff_t at = columns ? columns[c] : c;
        order = compare_numbers(table_at(t, r, at), table_at(t, s, at));
    }
    return order;
}

static int compare_gold_rows(const void *context, ptrdiff_t r, ptrdiff_t s)
{
    const table *gold = ((const near_tables *)context)->gold;
    return compare_rows(gold, NULL, gold->n_columns, r, s);
}

static int compare_pred_rows(const void *context, ptrdiff_t r, ptrdiff_t s)
{
    const near_tables *n = context;
    return compare_rows(n->pred, n->columns, n->gold->n_columns, r, s);
}

// Lists: each gold row in turn takes the next pred row that fits it. Without
// extra rows that must be the very next one.
static match_answer near_lists(const near_tables *n,
                               const uint64_t *gold,
                               const uint64_t *pred,
                               arena scratch)
{
    bool extra = n->rules->allows_extra_rows;
    bool sets = n->rules->are_sets;
    ptrdiff_t *gold_rows = arena_new(&scratch, ptrdiff_t, n->gold->n_rows);
    ptrdiff_t *pred_rows = arena_new(&scratch, ptrdiff_t, n->pred->n_rows);
    ptrdiff_t n_gold =
        coded_list(gold, n->gold->n_rows, sets, gold_rows, scratch);
    ptrdiff_t n_pred =
        coded_list(pred, n->pred->n_rows, sets && !extra, pred_rows, scratch);
    ptrdiff_t g = 0;
    for (ptrdiff_t p = 0; g < n_gold && p < n_pred; p++) {
        if (near_rows_fit(n, gold_rows[g], pred_rows[p])) {
            g++;
        } else if (!extra) {
            return MATCH_NO;
        }
    }
    return g == n_gold && (extra || n_pred == n_gold) ? MATCH_YES : MATCH_NO;
}

match_answer near_rows(const near_tables *n, arena scratch)
{
    ptrdiff_t width = n->gold->n_columns;
    const uint64_t *gold = coded_rows(&scratch, &n->gold_coarse, NULL, width);
    const uint64_t *pred =
        coded_rows(&scratch, &n->pred_coarse, n->columns, width);
    if (n->rules->is_ordered) {
        return near_lists(n, gold, pred, scratch);
    }
    const near_pairing pairing = {
        .context = n,
        .fit = near_rows_fit,
        .compare_gold = compare_gold_rows,
        .compare_pred = compare_pred_rows,
        .are_sets = n->rules->are_sets,
        .allows_extra = n->rules->allows_extra_rows,
    };
    return near_pair_bags(&pairing, gold, n->gold->n_rows, pred,
                          n->pred->n_rows, scratch);
}
