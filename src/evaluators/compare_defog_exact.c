/*
 * compare_defog_exact.c - the reference's exact test [000 exact match]:
 * broadcast, then cell by cell on prepared frames.
 *
 * Why         The broadcast test repeats a side of size 1 until it fits the
 *             other, and finds two results equal when there is nothing to
 *             compare. So an empty result "equals" a count. [faults P1-P3]
 *
 * Invariants  NULL never equals NULL in the broadcast test unless both columns
 *             are of kind object; afterwards NULL is -99999.
 */
#include "evaluators/compare_defog.h"

static const int64_t STANDS_FOR_NULL = -99999;

// How a side's numbers are held when all its columns are looked at as one
// block.
typedef enum block_kind {
    BLOCK_OBJECT,
    BLOCK_INT,
    BLOCK_FLOAT,
} block_kind;

typedef enum null_state {
    NULLS_KEPT,
    NULLS_FILLED,  // a column of NULL alone has become one of integers
} null_state;

static block_kind block_of_column(const frame_column *c, null_state nulls)
{
    bool is_all_null = c->families == 0 && c->n_missing > 0;
    if (c->kind == FRAME_INT || (is_all_null && nulls == NULLS_FILLED)) {
        return BLOCK_INT;
    }
    return c->kind == FRAME_FLOAT ? BLOCK_FLOAT : BLOCK_OBJECT;
}

static block_kind block_of(const frame *f, null_state nulls)
{
    block_kind block = BLOCK_INT;
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        block_kind column = block_of_column(&f->columns[c], nulls);
        if (column == BLOCK_OBJECT) {
            return BLOCK_OBJECT;
        }
        block = column == BLOCK_FLOAT ? BLOCK_FLOAT : block;
    }
    return block;
}

static lossy lossy_of(const frame *g, const frame *p, null_state nulls)
{
    block_kind gold = block_of(g, nulls);
    block_kind pred = block_of(p, nulls);
    return (lossy){
        .gold =
            gold == BLOCK_FLOAT || (gold == BLOCK_INT && pred == BLOCK_FLOAT),
        .pred =
            pred == BLOCK_FLOAT || (pred == BLOCK_INT && gold == BLOCK_FLOAT),
    };
}

static value lossy_value(value v, bool is_lossy)
{
    return is_lossy && v.kind == VALUE_INT ? value_real((double)v.i) : v;
}

static bool cells_equal(const frame_column *x,
                        value a,
                        const frame_column *y,
                        value b)
{
    if (value_is_null(a) || value_is_null(b)) {
        return a.kind == b.kind && x->kind == FRAME_OBJECT
               && y->kind == FRAME_OBJECT;
    }
    return value_equal(a, b);
}

static bool broadcast_row_equal(const frame *g,
                                const frame *p,
                                ptrdiff_t r,
                                lossy is)
{
    ptrdiff_t gold_row = g->n_rows == 1 ? 0 : r;
    ptrdiff_t pred_row = p->n_rows == 1 ? 0 : r;
    ptrdiff_t n = g->n_columns == 1 ? p->n_columns : g->n_columns;
    for (ptrdiff_t c = 0; c < n; c++) {
        ptrdiff_t i = g->n_columns == 1 ? 0 : c;
        ptrdiff_t j = p->n_columns == 1 ? 0 : c;
        value a = lossy_value(frame_at(g, gold_row, i), is.gold);
        value b = lossy_value(frame_at(p, pred_row, j), is.pred);
        if (!cells_equal(&g->columns[i], a, &p->columns[j], b)) {
            return false;
        }
    }
    return true;
}

static bool sizes_fit(ptrdiff_t a, ptrdiff_t b)
{
    return a == b || a == 1 || b == 1;
}

static bool broadcast_equal(const frame *g, const frame *p)
{
    if (!sizes_fit(g->n_rows, p->n_rows)
        || !sizes_fit(g->n_columns, p->n_columns)) {
        return false;
    }
    lossy is = lossy_of(g, p, NULLS_KEPT);
    ptrdiff_t n = g->n_rows == 1 ? p->n_rows : g->n_rows;
    for (ptrdiff_t r = 0; r < n; r++) {
        if (!broadcast_row_equal(g, p, r, is)) {
            return false;
        }
    }
    return true;
}

static value filled(value v)
{
    return value_is_null(v) ? value_int(STANDS_FOR_NULL) : v;
}

static bool may_hold_filler(const frame_column *c)
{
    double d = (double)STANDS_FOR_NULL;
    return frame_column_has(c, VALUE_REAL) && c->least <= d && c->most >= d;
}

// A NULL and the number that stands for it, or integers that lose digits.
static bool may_mislead(const frame_column *x, const frame_column *y)
{
    return (x->n_missing > 0 && may_hold_filler(y))
           || (y->n_missing > 0 && may_hold_filler(x)) || x->has_big
           || y->has_big;
}

static bool filled_equal(const frame_column *x,
                         value a,
                         const frame_column *y,
                         value b,
                         lossy is)
{
    (void)x, (void)y;
    return value_equal(lossy_value(filled(a), is.gold),
                       lossy_value(filled(b), is.pred));
}

verdict defog_exact(const frame *gold,
                    const frame *pred,
                    const compare_options *o,
                    arena *a,
                    arena scratch)
{
    if (broadcast_equal(gold, pred)) {
        return verdict_yes();
    }
    const defog_test test = {may_mislead, filled_equal,
                             lossy_of(gold, pred, NULLS_FILLED)};
    const str sql[] = {o->gold_sql, o->pred_sql};
    return defog_compare(&test, gold, pred, sql, o, a, scratch);
}
