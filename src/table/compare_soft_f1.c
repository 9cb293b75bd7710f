/*
 * compare_soft_f1.c - soft F1 as BIRD's program computes it.
 * [definitions/bird.md#soft-f1]
 *
 * Why         Repeated rows are dropped, then rows are paired by position. In
 *             a pair a cell counts when its value occurs anywhere in the other
 *             row, however often it was counted before; the counts are divided
 *             by the width of the gold row. So the score depends on the order
 *             of rows, and a wide prediction can make up for misses. [faults]
 *             compare_cell_f1.c is the score without them.
 *
 * Cost        Linear in the rows; a row's cells are sorted.
 */
#include "table/compare.h"
#include "table/value_key.h"

typedef struct sums {
    double match;
    double pred_only;
    double gold_only;
} sums;

// How many of the n sorted codes occur among the m sorted others.
static ptrdiff_t count_members(const uint64_t *codes,
                               ptrdiff_t n,
                               const uint64_t *others,
                               ptrdiff_t m)
{
    ptrdiff_t count = 0;
    ptrdiff_t j = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        while (j < m && others[j] < codes[i]) {
            j++;
        }
        count += j < m && others[j] == codes[i];
    }
    return count;
}

// The numbers of the rows that repeat no earlier one.
static int32_t *first_rows(arena *a, const table *t, ptrdiff_t *n)
{
    int32_t *rows = arena_new(a, int32_t, t->n_rows);
    arena scratch = *a;
    const hash128 *keys = table_row_keys(&scratch, t);
    *n = keys_distinct(keys, t->n_rows, rows, scratch);
    return rows;
}

static sums add_pairs(const table *gold,
                      const int32_t *gold_rows,
                      const table *pred,
                      const int32_t *pred_rows,
                      ptrdiff_t n,
                      arena scratch)
{
    sums s = {0};
    ptrdiff_t width = gold->n_columns;
    uint64_t *g = arena_new(&scratch, uint64_t, width);
    uint64_t *p = arena_new(&scratch, uint64_t, pred->n_columns);
    for (ptrdiff_t r = 0; r < n; r++) {
        row_codes(g, gold, gold_rows[r]);
        row_codes(p, pred, pred_rows[r]);
        ptrdiff_t in_gold = count_members(p, pred->n_columns, g, width);
        ptrdiff_t in_pred = count_members(g, width, p, pred->n_columns);
        s.match += (double)in_gold / (double)width;
        s.pred_only += (double)(pred->n_columns - in_gold) / (double)width;
        s.gold_only += (double)(width - in_pred) / (double)width;
    }
    return s;
}

static double ratio(double part, double rest)
{
    return part + rest > 0 ? part / (part + rest) : 0;
}

static double f1_of(sums s)
{
    double precision = ratio(s.match, s.pred_only);
    double recall = ratio(s.match, s.gold_only);
    return precision + recall > 0
               ? 2 * precision * recall / (precision + recall)
               : 0;
}

verdict compare_soft_f1(const table *gold,
                        const table *pred,
                        arena *a,
                        arena scratch)
{
    if (table_has_invalid_text(gold) || table_has_invalid_text(pred)) {
        return verdict_scored(verdict_no(REASON_BAD_TEXT, (str){0}), 0);
    }
    if (gold->n_rows == 0 && pred->n_rows == 0) {
        return verdict_scored(compare_note_empty(verdict_yes(), gold, pred), 1);
    }
    ptrdiff_t n_gold = 0;
    ptrdiff_t n_pred = 0;
    const int32_t *gold_rows = first_rows(&scratch, gold, &n_gold);
    const int32_t *pred_rows = first_rows(&scratch, pred, &n_pred);
    ptrdiff_t n = n_gold < n_pred ? n_gold : n_pred;
    sums s = add_pairs(gold, gold_rows, pred, pred_rows, n, scratch);
    s.gold_only += (double)(n_gold - n);
    s.pred_only += (double)(n_pred - n);
    double score = f1_of(s);
    if (score == 1) {
        return verdict_scored(compare_note_empty(verdict_yes(), gold, pred), 1);
    }
    str detail = arena_printf(
        a, "match %.2f, only in the prediction %.2f, only in the gold %.2f",
        s.match, s.pred_only, s.gold_only);
    return verdict_scored(verdict_no(REASON_ROWS_DIFFER, detail), score);
}
