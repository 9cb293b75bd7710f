/*
 * compare_cell_f1.c - F1 over cells, without the faults of soft F1.
 * [definitions/bird.md#cell-f1]
 *
 * Why         How much of the gold is there, and how much of the prediction
 *             is right? Rows that are equal as bags of cells are paired first,
 *             the others greedily by the number of cells they share. The
 *             order of rows and columns does not count, repeated rows do, and
 *             numerator and denominators count cells: 2 * shared / (cells of
 *             the gold + cells of the prediction).
 *
 * Cost        Linear; see compare_cell_pairs.c for what is not equal.
 */
#include "table/compare.h"
#include "table/compare_cell_pairs.h"
#include "table/value_key.h"

#include <assert.h>

static hash128 *row_bags(arena *a, const table *t)
{
    hash128 *bags = arena_new(a, hash128, t->n_rows);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            bags[r] = key_bag_add(bags[r], value_key(table_at(t, r, c)));
        }
    }
    return bags;
}

// Marks the rows that have a partner equal as a bag; how many pairs there are.
static ptrdiff_t mark_equal_rows(const table *gold,
                                 bool *gold_paired,
                                 const table *pred,
                                 bool *pred_paired,
                                 arena scratch)
{
    const hash128 *gold_bags = row_bags(&scratch, gold);
    const hash128 *pred_bags = row_bags(&scratch, pred);
    key_set bags = key_set_new(&scratch, gold->n_rows);
    ptrdiff_t *left = arena_new(&scratch, ptrdiff_t, gold->n_rows);
    for (ptrdiff_t r = 0; r < gold->n_rows; r++) {
        left[key_set_add(&bags, gold_bags[r])]++;
    }
    ptrdiff_t n = 0;
    ptrdiff_t *taken = arena_new(&scratch, ptrdiff_t, gold->n_rows);
    for (ptrdiff_t r = 0; r < pred->n_rows; r++) {
        ptrdiff_t bag = key_set_find(&bags, pred_bags[r]);
        if (bag >= 0 && taken[bag] < left[bag]) {
            taken[bag]++;
            pred_paired[r] = true;
            n++;
        }
    }
    for (ptrdiff_t r = 0; r < gold->n_rows; r++) {
        ptrdiff_t bag = key_set_find(&bags, gold_bags[r]);
        gold_paired[r] = taken[bag] > 0;
        taken[bag] -= gold_paired[r];
    }
    return n;
}

// The rows that are not paired, their codes sorted.
static cell_rows rows_left(arena *a,
                           const table *t,
                           const bool *paired,
                           ptrdiff_t n_paired)
{
    ptrdiff_t width = t->n_columns;
    assert(n_paired >= 0 && n_paired <= t->n_rows);
    cell_rows out = {.n_rows = t->n_rows - n_paired, .width = width};
    uint64_t *codes = arena_new(a, uint64_t, out.n_rows * width);
    out.codes = codes;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        if (paired[r]) {
            continue;
        }
        row_codes(codes, t, r);
        codes += width;
    }
    return out;
}

static int64_t count_shared_cells(const table *gold,
                                  const table *pred,
                                  arena scratch)
{
    bool *gold_paired = arena_new(&scratch, bool, gold->n_rows);
    bool *pred_paired = arena_new(&scratch, bool, pred->n_rows);
    ptrdiff_t n =
        mark_equal_rows(gold, gold_paired, pred, pred_paired, scratch);
    cell_rows gold_left = rows_left(&scratch, gold, gold_paired, n);
    cell_rows pred_left = rows_left(&scratch, pred, pred_paired, n);
    return n * gold->n_columns
           + cell_pairs_shared(&gold_left, &pred_left, scratch);
}

verdict compare_cell_f1(const table *gold,
                        const table *pred,
                        arena *a,
                        arena scratch)
{
    int64_t n_gold = gold->n_rows * gold->n_columns;
    int64_t n_pred = pred->n_rows * pred->n_columns;
    verdict v = compare_note_empty(verdict_yes(), gold, pred);
    v.has_score = true;
    v.score = 1;
    if (n_gold + n_pred == 0) {
        return v;
    }
    int64_t shared = count_shared_cells(gold, pred, scratch);
    if (shared == n_gold && shared == n_pred) {
        return v;
    }
    v = verdict_no(REASON_ROWS_DIFFER,
                   arena_printf(a,
                                "%lld of %lld gold cells found, %lld of %lld "
                                "predicted cells right",
                                (long long)shared, (long long)n_gold,
                                (long long)shared, (long long)n_pred));
    v.has_score = true;
    v.score = 2.0 * (double)shared / (double)(n_gold + n_pred);
    return v;
}
