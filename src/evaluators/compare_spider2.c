/*
 * compare_spider2.c - the rules `spider2`: Spider 2.0's comparison of columns.
 * [definitions/spider2.md#comparison]
 *
 * Why         For each gold column that counts some column of the prediction
 *             must hold the same values. One column of the prediction may
 *             serve several gold columns, extra ones are free, and the rows
 *             are never lined up across columns: two columns may match under
 *             different orders. [fault] exec and subset are therefore one.
 *
 *             Numbers match within 0.01, or 1e-9 of the larger one. A missing
 *             value is 0. Columns are lined up by the texts of their values,
 *             so that a small difference may put two numbers elsewhere and
 *             fail the match. [fault]
 *
 *             All published data ignore the order of rows. Here it counts when
 *             the caller says is_ordered; leave it unset to reproduce them.
 *
 * Method      Columns with equal bags of typed values match. Unequal ones are
 *             sorted only when both hold numbers that may be near.
 *
 * Cost        Linear, but for columns of numbers that differ and overlap.
 *
 * Not here    Several golds: the caller tries one after the other.
 */
#include "evaluators/compare_spider2_csv.h"
#include "evaluators/evaluator.h"

compare_need compare_need_spider2(comparison what,
                                  const table *gold,
                                  const compare_options *o)
{
    (void)what, (void)o;
    return (compare_need){.rows = gold->n_rows, .distinct = -1};
}

static bool numbers_near(double a, double b, double slack)
{
    return near_equal(a, b, slack * 1e-9, slack * 1e-2);
}

static bool cells_match(value a, value b)
{
    if (a.kind == VALUE_TEXT || b.kind == VALUE_TEXT) {
        return value_equal(a, b);
    }
    return numbers_near(value_to_double(a), value_to_double(b), 1);
}

// False when no order of the cells could make the two columns match.
static bool may_be_near(const csv_column *x, const csv_column *y)
{
    if (x->kind == CSV_TEXT || y->kind == CSV_TEXT || x->n == 0) {
        return false;
    }
    if (!numbers_near(x->least, y->least, 2)
        || !numbers_near(x->most, y->most, 2)) {
        return false;
    }
    // Integers below 10^9 match only when they are equal.
    const double far = 1e9;
    return x->kind != CSV_INT || y->kind != CSV_INT || x->most >= far
           || x->least <= -far;
}

static bool columns_match(csv_column *x,
                          csv_column *y,
                          const compare_options *o,
                          arena scratch)
{
    if (x->n != y->n) {
        return false;
    }
    if (hash128_equal(x->bag, y->bag)
        && (!o->is_ordered || hash128_equal(x->list, y->list))) {
        return true;
    }
    if (!may_be_near(x, y)) {
        return false;
    }
    if (!o->is_ordered) {
        csv_sort(x, scratch);
        csv_sort(y, scratch);
    }
    for (ptrdiff_t r = 0; r < x->n; r++) {
        if (!cells_match(x->cells[r], y->cells[r])) {
            return false;
        }
    }
    return true;
}

// The positions of the gold columns that count; NULL and an error when one is
// outside the table. Negative ones count from the end.
static const int32_t *columns_that_count(const table *gold,
                                         const compare_options *o,
                                         ptrdiff_t *n,
                                         arena *a)
{
    bool has_all = o->n_gold_columns == 0;
    *n = has_all ? gold->n_columns : o->n_gold_columns;
    int32_t *out = arena_new(a, int32_t, *n);
    for (ptrdiff_t i = 0; i < *n; i++) {
        ptrdiff_t c = has_all ? i : o->gold_columns[i];
        c += c < 0 ? gold->n_columns : 0;
        if (c < 0 || c >= gold->n_columns) {
            return NULL;
        }
        out[i] = (int32_t)c;
    }
    return out;
}

static ptrdiff_t find_match(csv_column *x,
                            const csv_table *pred,
                            const compare_options *o,
                            arena scratch)
{
    for (ptrdiff_t c = 0; c < pred->n_columns; c++) {
        if (columns_match(x, &pred->columns[c], o, scratch)) {
            return c;
        }
    }
    return -1;
}

static verdict yes_with(const table *gold, const int32_t *found, ptrdiff_t n)
{
    verdict v = verdict_yes();
    if (n == gold->n_columns) {
        v.columns = found;
        v.n_columns = n;
    }
    return v;
}

verdict compare_spider2(comparison what,
                        const table *gold,
                        const table *pred,
                        const compare_options *o,
                        arena *a,
                        arena scratch)
{
    (void)what;
    ptrdiff_t n = 0;
    const int32_t *which = columns_that_count(gold, o, &n, &scratch);
    if (!which) {
        return verdict_no(
            REASON_COMPARE_ERROR,
            S("condition_cols names a column that the gold does not have"));
    }
    csv_table gold_csv = csv_from_table(&scratch, gold, which, n);
    csv_table pred_csv = csv_from_table(&scratch, pred, NULL, pred->n_columns);
    int32_t *found = arena_new(a, int32_t, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t c = find_match(&gold_csv.columns[i], &pred_csv, o, scratch);
        if (c < 0 || pred->is_cut) {
            return compare_column_missing(gold, which[i], pred, a);
        }
        found[i] = (int32_t)c;
    }
    return yes_with(gold, found, n);
}
