/*
 * compare_defog_normal.c - a frame as the reference prepares it for
 * comparison, and the comparison.
 *
 * Why         Here lie most faults of the published numbers: repeated rows are
 *             dropped, columns stand in the order of their names (so an alias
 *             moves a column), and where order is asked for the rows are
 *             sorted again by what the text of the query seems to say.
 *
 * Method      Sorted frames without repeated rows are equal when their rows
 *             are equal as bags, so the sorting is left out wherever both
 *             sides would sort alike. What remains sorts for real, once the
 *             first rows are equal: sides that sort differently, and cells that
 *             may fit although their keys differ.
 *
 * Invariants  A normal with an error is not sorted and not compared.
 *
 * Not here    The sorting (compare_defog_sort.c), the reading of the query's
 *             text (compare_defog_order.c).
 */
#include "base/places.h"
#include "base/sort.h"
#include "evaluators/compare_defog.h"

#include <assert.h>
#include <string.h>

static int compare_names(const void *context, ptrdiff_t a, ptrdiff_t b)
{
    const frame *f = context;
    return str_compare(f->columns[a].name, f->columns[b].name);
}

static int32_t *all_columns(arena *a, const frame *f)
{
    int32_t *all = arena_new(a, int32_t, f->n_columns);
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        all[c] = (int32_t)c;
    }
    return all;
}

// The columns that are not marked, in order, from out[n] on; the new count.
static ptrdiff_t add_others(int32_t *out,
                            ptrdiff_t n,
                            const bool *is_key,
                            ptrdiff_t n_columns)
{
    for (ptrdiff_t c = 0; c < n_columns; c++) {
        if (!is_key[c]) {
            out[n++] = (int32_t)c;
        }
    }
    return n;
}

// Sort by the kept names, then by the others; show the others, then the kept.
static void order_by_keys(defog_normal *n, arena *a, defog_keys keys)
{
    ptrdiff_t n_columns = n->f.n_columns;
    bool *is_key = arena_new(a, bool, n_columns);
    int32_t *by = arena_new(a, int32_t, n_columns);
    int32_t *shown = arena_new(a, int32_t, n_columns + keys.columns.len);
    ptrdiff_t n_by = 0;
    for (ptrdiff_t k = 0; k < keys.columns.len; k++) {
        int32_t c = keys.columns.ptr[k];
        if (!is_key[c]) {
            by[n_by++] = c;
        }
        is_key[c] = true;
    }
    n_by = add_others(by, n_by, is_key, n_columns);
    assert(n_by == n_columns);  // each column is a key once
    n->n_shown = add_others(shown, 0, is_key, n_columns);
    bool is_several = n->n_shown + keys.columns.len > 1;
    for (ptrdiff_t k = 0; k < keys.columns.len; k++) {
        shown[n->n_shown++] = keys.columns.ptr[k];
    }
    n->shown = shown;
    n->is_sorted = true;
    n->order = (frame_order){by, n_by, is_several, keys.is_descending};
}

static void order_by_all(defog_normal *n)
{
    n->is_sorted = true;
    n->order = (frame_order){n->shown, n->n_shown, n->n_shown > 1, false};
}

static void choose_order(defog_normal *n,
                         arena *a,
                         const compare_options *o,
                         str sql)
{
    if (!evaluator_asks_order(o->category, o->question)) {
        order_by_all(n);
        return;
    }
    defog_keys keys = defog_read_keys(a, sql, &n->f);
    if (keys.has_order_by) {
        order_by_keys(n, a, keys);
    }
}

// Everything but the sorting itself. An empty sql is none.
static defog_normal normalize(arena *a,
                              const frame *f,
                              const compare_options *o,
                              str sql)
{
    defog_normal n = {.f = *f};
    if (!frame_drop_repeated(&n.f, a)) {
        n.error =
            S("the reference cannot compare rows that hold arrays or JSON");
        return n;
    }
    bool repeat = frame_names_repeat(f, *a);
    int32_t *by_name = all_columns(a, f);
    sort_places(by_name, f->n_columns, compare_names, f, *a);
    if (!places_stay(by_name, f->n_columns)) {
        if (repeat) {
            n.error = S("the reference cannot put columns in order when a name "
                        "occurs twice");
            return n;
        }
        n.f = frame_take(a, &n.f, by_name, f->n_columns);
    }
    n.shown = all_columns(a, f);
    n.n_shown = f->n_columns;
    choose_order(&n, a, o, sql);
    if (n.is_sorted && repeat) {
        n.error = S("the reference cannot sort by a column name that occurs "
                    "twice");
    } else if (n.is_sorted && !frame_can_sort(&n.f, n.order)) {
        n.error = S("the reference cannot sort a column of values of several "
                    "types");
    }
    return n;
}

static ptrdiff_t first_row(const defog_normal *n)
{
    return n->is_sorted ? frame_first_row(&n->f, n->order) : 0;
}

// Does nothing when the reference does not sort.
static void sort_normal(defog_normal *n, arena *a)
{
    if (n->is_sorted) {
        frame_sort(&n->f, n->order, a);
    }
}

static bool lists_equal(const int32_t *a, const int32_t *b, ptrdiff_t n)
{
    return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool sorted_alike(const defog_normal *g, const defog_normal *p)
{
    return g->is_sorted && p->is_sorted && g->order.n == p->order.n
           && g->order.is_descending == p->order.is_descending
           && lists_equal(g->order.columns, p->order.columns, g->order.n)
           && lists_equal(g->shown, p->shown, g->n_shown);
}

static bool keys_can_mislead(const defog_test *t,
                             const defog_normal *g,
                             const defog_normal *p)
{
    for (ptrdiff_t i = 0; i < g->n_shown; i++) {
        if (t->may_mislead(&g->f.columns[g->shown[i]],
                           &p->f.columns[p->shown[i]])) {
            return true;
        }
    }
    return false;
}

static bool rows_fit(const defog_test *t,
                     const defog_normal *g,
                     ptrdiff_t gold_row,
                     const defog_normal *p,
                     ptrdiff_t pred_row)
{
    for (ptrdiff_t i = 0; i < g->n_shown; i++) {
        const frame_column *x = &g->f.columns[g->shown[i]];
        const frame_column *y = &p->f.columns[p->shown[i]];
        if (!t->fit(x, x->cells[g->f.rows[gold_row]], y,
                    y->cells[p->f.rows[pred_row]], t->is)) {
            return false;
        }
    }
    return true;
}

static bool normals_fit(const defog_test *t,
                        defog_normal *g,
                        defog_normal *p,
                        arena *scratch)
{
    if (g->f.n_rows != p->f.n_rows || g->n_shown != p->n_shown) {
        return false;
    }
    if (sorted_alike(g, p)) {
        if (hash128_equal(frame_bag(&g->f), frame_bag(&p->f))) {
            return true;
        }
        if (!keys_can_mislead(t, g, p)) {
            return false;
        }
    }
    if (g->f.n_rows > 0 && !rows_fit(t, g, first_row(g), p, first_row(p))) {
        return false;
    }
    sort_normal(g, scratch);
    sort_normal(p, scratch);
    for (ptrdiff_t r = 0; r < g->f.n_rows; r++) {
        if (!rows_fit(t, g, r, p, r)) {
            return false;
        }
    }
    return true;
}

verdict defog_compare(const defog_test *t,
                      const frame *gold,
                      const frame *pred,
                      const str sql[2],
                      const compare_options *o,
                      arena *a,
                      arena scratch)
{
    defog_normal g = normalize(&scratch, gold, o, sql[0]);
    defog_normal p = normalize(&scratch, pred, o, sql[1]);
    str error = g.error.len > 0 ? g.error : p.error;
    if (error.len > 0) {
        return verdict_no(REASON_COMPARE_ERROR, error);
    }
    return normals_fit(t, &g, &p, &scratch) ? verdict_yes()
                                            : defog_explain(&g, &p, a);
}
