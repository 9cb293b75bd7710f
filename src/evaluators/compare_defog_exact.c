/*
 * compare_defog_exact.c - the reference's exact test [000 exact match]:
 * broadcast, then cell by cell on prepared frames.
 *
 * Why         The broadcast test repeats a side of size 1 until it fits the
 *             other, and finds two results equal when there is nothing to
 *             compare. So an empty result "equals" a count. [faults P1-P3]
 *
 * Method      Sorted frames without repeated rows are equal when their rows
 *             are equal as bags, so the sorting is left out wherever both
 *             sides would sort alike. What remains sorts for real, once the
 *             first rows are equal: sides that sort differently, and NULL
 *             meeting the number that stands for it.
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

// Whether the integers of a side become doubles when the two blocks meet;
// doubles swallow the last digits of integers beyond 2^53.
typedef struct lossy {
    bool gold;
    bool pred;
} lossy;

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

static bool lists_equal(const int32_t *a, const int32_t *b, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static bool sorted_alike(const defog_normal *g, const defog_normal *p)
{
    return g->is_sorted && p->is_sorted && g->order.n == p->order.n
           && g->order.is_descending == p->order.is_descending
           && lists_equal(g->order.columns, p->order.columns, g->order.n)
           && lists_equal(g->shown, p->shown, g->n_shown);
}

static bool may_hold_filler(const frame_column *c)
{
    double d = (double)STANDS_FOR_NULL;
    return frame_column_has(c, VALUE_REAL) && c->least <= d && c->most >= d;
}

// True when two cells may be equal whose keys differ: a NULL and the number
// that stands for it, or integers that lose digits.
static bool keys_can_mislead(const defog_normal *g, const defog_normal *p)
{
    for (ptrdiff_t i = 0; i < g->n_shown; i++) {
        const frame_column *x = &g->f.columns[g->shown[i]];
        const frame_column *y = &p->f.columns[p->shown[i]];
        if ((x->n_missing > 0 && may_hold_filler(y))
            || (y->n_missing > 0 && may_hold_filler(x)) || x->has_big
            || y->has_big) {
            return true;
        }
    }
    return false;
}

static bool row_equal(const defog_normal *g,
                      ptrdiff_t gold_row,
                      const defog_normal *p,
                      ptrdiff_t pred_row,
                      lossy is)
{
    for (ptrdiff_t i = 0; i < g->n_shown; i++) {
        value a = filled(frame_at(&g->f, gold_row, g->shown[i]));
        value b = filled(frame_at(&p->f, pred_row, p->shown[i]));
        if (!value_equal(lossy_value(a, is.gold), lossy_value(b, is.pred))) {
            return false;
        }
    }
    return true;
}

static bool normals_equal(defog_normal *g, defog_normal *p, arena *scratch)
{
    if (g->f.n_rows != p->f.n_rows || g->n_shown != p->n_shown) {
        return false;
    }
    if (sorted_alike(g, p)) {
        if (hash128_equal(frame_bag(&g->f), frame_bag(&p->f))) {
            return true;
        }
        if (!keys_can_mislead(g, p)) {
            return false;
        }
    }
    lossy is = lossy_of(&g->f, &p->f, NULLS_FILLED);
    if (g->f.n_rows > 0
        && !row_equal(g, defog_first_row(g), p, defog_first_row(p), is)) {
        return false;
    }
    defog_sort(g, scratch);
    defog_sort(p, scratch);
    for (ptrdiff_t r = 0; r < g->f.n_rows; r++) {
        if (!row_equal(g, r, p, r, is)) {
            return false;
        }
    }
    return true;
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
    defog_normal g = defog_normalize(&scratch, gold, o, o->gold_sql);
    defog_normal p = defog_normalize(&scratch, pred, o, o->pred_sql);
    str error = g.error.len > 0 ? g.error : p.error;
    if (error.len > 0) {
        return verdict_no(REASON_COMPARE_ERROR, error);
    }
    return normals_equal(&g, &p, &scratch) ? verdict_yes()
                                           : defog_explain(&g, &p, a);
}
