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
#include "table/search_rows.h"
#include "table/value_key.h"

static uint64_t *row_bags(arena *a, const table *t)
{
    uint64_t *bags = arena_new(a, uint64_t, t->n_rows);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            bags[r] += hash_mix(1, value_key(table_at(t, r, c)).low);
        }
    }
    return bags;
}

// The rows that are left, their codes sorted.
static cell_rows codes_left(arena *a, const table *t, const bool *left)
{
    ptrdiff_t width = t->n_columns;
    uint64_t *codes = arena_new(a, uint64_t, t->n_rows * width);
    cell_rows out = {.codes = codes, .width = width};
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        if (left[r]) {
            row_codes(codes + out.n_rows++ * width, t, r);
        }
    }
    return out;
}

static int64_t count_shared_cells(const table *gold,
                                  const table *pred,
                                  arena scratch)
{
    bool *gold_left = arena_new(&scratch, bool, gold->n_rows);
    bool *pred_left = arena_new(&scratch, bool, pred->n_rows);
    const uint64_t *gold_bags = row_bags(&scratch, gold);
    const uint64_t *pred_bags = row_bags(&scratch, pred);
    rows_leave(false, gold_bags, gold->n_rows, pred_bags, pred->n_rows,
               gold_left, pred_left, scratch);
    cell_rows g = codes_left(&scratch, gold, gold_left);
    cell_rows p = codes_left(&scratch, pred, pred_left);
    return (gold->n_rows - g.n_rows) * gold->n_columns
           + cell_pairs_shared(&g, &p, scratch);
}

verdict compare_cell_f1(const table *gold,
                        const table *pred,
                        arena *a,
                        arena scratch)
{
    int64_t n_gold = gold->n_rows * gold->n_columns;
    int64_t n_pred = pred->n_rows * pred->n_columns;
    int64_t shared =
        n_gold + n_pred > 0 ? count_shared_cells(gold, pred, scratch) : 0;
    if (shared == n_gold && shared == n_pred) {
        return verdict_scored(compare_note_empty(verdict_yes(), gold, pred), 1);
    }
    verdict v =
        verdict_no(REASON_ROWS_DIFFER,
                   arena_printf(a,
                                "%lld of %lld gold cells found, %lld of %lld "
                                "predicted cells right",
                                (long long)shared, (long long)n_gold,
                                (long long)shared, (long long)n_pred));
    return verdict_scored(v, 2.0 * (double)shared / (double)(n_gold + n_pred));
}
