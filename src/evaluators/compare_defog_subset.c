/*
 * compare_defog_subset.c - the reference's subset test [000 subset match].
 *
 * Why         Each gold column, in order, takes the first column of the
 *             prediction that is left and whose sorted values match within a
 *             tolerance. Nothing is ever taken back, so a column that comes
 *             first by chance may spoil a right answer. [fault N3]
 *
 * Method      Equal bags of keys match without sorting; unequal ones need it
 *             only where two columns of floating-point numbers may be near.
 *
 * Cost        Linear, but for columns of floating-point numbers that differ
 *             and overlap: those are sorted once each.
 */
#include "evaluators/compare_defog.h"

typedef enum column_fit {
    FIT_RAISES,
    FIT_NOT,
    FIT_EQUAL,
    FIT_NEAR,
} column_fit;

static bool is_numeric(const frame_column *c)
{
    return c->kind == FRAME_INT || c->kind == FRAME_FLOAT;
}

static bool is_exact(const frame_column *c)
{
    return c->kind == FRAME_INT || c->kind == FRAME_BOOL;
}

// True when cells of the two columns may match although their keys differ.
static bool may_be_near(const frame_column *x, const frame_column *y)
{
    if (x->kind == FRAME_TIME && y->kind == FRAME_TIME) {
        return x->families != y->families;
    }
    if (!frame_column_has(x, VALUE_REAL) || !frame_column_has(y, VALUE_REAL)) {
        return false;
    }
    if (is_exact(x) || is_exact(y)) {
        return is_numeric(x) && is_numeric(y) && x->kind != y->kind
               && (x->has_big || y->has_big);
    }
    return true;
}

static bool numbers_near(double a, double b)
{
    return near_equal(a, b, 1e-5, 1e-8);
}

static bool cells_match(const frame_column *x,
                        value a,
                        const frame_column *y,
                        value b,
                        lossy is)
{
    (void)is;
    if (value_is_null(a) || value_is_null(b)) {
        return a.kind == b.kind;
    }
    if (value_is_number(a) && value_is_number(b)) {
        double d = value_to_double(a);
        double e = value_to_double(b);
        if (!is_exact(x) && !is_exact(y)) {
            return value_equal(a, b) || numbers_near(d, e);
        }
        return is_numeric(x) && is_numeric(y) && x->kind != y->kind
                   ? d == e
                   : value_equal(a, b);
    }
    bool is_time = x->kind == FRAME_TIME && y->kind == FRAME_TIME;
    return is_time ? a.i == b.i : value_equal(a, b);
}

static bool ranges_match(const frame_column *x, const frame_column *y)
{
    return x->n_missing == y->n_missing
           && (x->kind == FRAME_TIME
               || (numbers_near(x->least, y->least)
                   && numbers_near(x->most, y->most)));
}

static bool sorted_match(frame *gold,
                         ptrdiff_t j,
                         frame *pred,
                         ptrdiff_t k,
                         arena *scratch)
{
    const frame_column *x = &gold->columns[j];
    const frame_column *y = &pred->columns[k];
    const int32_t *rows = frame_sorted_column(gold, j, scratch);
    const int32_t *others = frame_sorted_column(pred, k, scratch);
    for (ptrdiff_t r = 0; r < gold->n_rows; r++) {
        if (!cells_match(x, x->cells[rows[r]], y, y->cells[others[r]],
                         (lossy){0})) {
            return false;
        }
    }
    return true;
}

static bool can_sort_column(const frame *f, ptrdiff_t column)
{
    int32_t by = (int32_t)column;
    return frame_can_sort(f, (frame_order){.columns = &by, .n = 1});
}

static column_fit column_fits(frame *gold,
                              ptrdiff_t j,
                              frame *pred,
                              ptrdiff_t k,
                              arena *scratch)
{
    if (!can_sort_column(gold, j) || !can_sort_column(pred, k)) {
        return FIT_RAISES;
    }
    const frame_column *x = &gold->columns[j];
    const frame_column *y = &pred->columns[k];
    if (gold->n_rows != pred->n_rows) {
        return FIT_NOT;
    }
    if (hash128_equal(x->bag, y->bag)) {
        return FIT_EQUAL;
    }
    if (!may_be_near(x, y) || !ranges_match(x, y)
        || !sorted_match(gold, j, pred, k, scratch)) {
        return FIT_NOT;
    }
    return x->kind == FRAME_TIME ? FIT_EQUAL : FIT_NEAR;
}

// The greedy assignment of a pred column to each gold column, into taken[].
// The verdict is a yes when all are found, with a note when one is only near.
static verdict take_columns(frame *gold,
                            frame *pred,
                            int32_t *taken,
                            arena *a,
                            arena *scratch)
{
    verdict v = verdict_yes();
    bool *used = arena_new(scratch, bool, pred->n_columns);
    for (ptrdiff_t j = 0; j < gold->n_columns; j++) {
        column_fit m = FIT_NOT;
        for (ptrdiff_t k = 0; k < pred->n_columns && m == FIT_NOT; k++) {
            if (used[k]) {
                continue;
            }
            m = column_fits(gold, j, pred, k, scratch);
            taken[j] = (int32_t)k;
        }
        if (m == FIT_NOT) {
            return compare_column_missing(gold->source, j, pred->source, a);
        }
        if (m == FIT_RAISES) {
            return verdict_no(REASON_COMPARE_ERROR,
                              S("the reference cannot sort a column of values "
                                "of several types"));
        }
        used[taken[j]] = true;
        if (m == FIT_NEAR) {
            v.notes = NOTE_BIT(REASON_TOLERANCE);
        }
    }
    return v;
}

// The taken columns under the gold's names.
static frame taken_frame(arena *a,
                         const frame *gold,
                         const frame *pred,
                         const int32_t *taken)
{
    frame f = frame_take(a, pred, taken, gold->n_columns);
    for (ptrdiff_t c = 0; c < gold->n_columns; c++) {
        f.columns[c].name = gold->columns[c].name;
    }
    return f;
}

static bool took_repeated_name(const frame *pred,
                               const int32_t *taken,
                               ptrdiff_t n)
{
    for (ptrdiff_t j = 0; j < n; j++) {
        if (frame_name_repeats(pred, taken[j])) {
            return true;
        }
    }
    return false;
}

// The second step: do the rows line up again? Yes: empty reason.
static verdict compare_taken(const frame *gold,
                             const frame *pred,
                             const int32_t *taken,
                             const compare_options *o,
                             arena *a,
                             arena scratch)
{
    if (took_repeated_name(pred, taken, gold->n_columns)) {
        return verdict_no(REASON_COMPARE_ERROR,
                          S("the reference cannot take a column whose name "
                            "occurs twice"));
    }
    frame named = frame_names_apart(&scratch, gold);
    frame columns = taken_frame(&scratch, &named, pred, taken);
    static const defog_test test = {may_be_near, cells_match, {0}};
    static const str no_sql[2];
    return defog_compare(&test, &named, &columns, no_sql, o, a, scratch);
}

verdict defog_subset(frame *gold,
                     frame *pred,
                     const compare_options *o,
                     arena *a,
                     arena scratch)
{
    if (gold->n_rows == 0 || gold->n_columns == 0) {
        return verdict_no(pred->n_rows > 0 ? REASON_EXTRA_ROWS
                                           : REASON_COLUMNS_DIFFER,
                          S("an empty gold is a subset of nothing"));
    }
    int32_t *taken = arena_new(a, int32_t, gold->n_columns);
    verdict found = take_columns(gold, pred, taken, a, &scratch);
    if (found.v != ANSWER_YES) {
        return found;
    }
    verdict v = compare_taken(gold, pred, taken, o, a, scratch);
    if (v.v == ANSWER_YES) {
        v.notes = found.notes;
        v.columns = taken;
        v.n_columns = gold->n_columns;
    }
    return v;
}
