/*
 * compare_defog_normal.c - a frame as the reference prepares it for
 * comparison.
 *
 * Why         Here lie most faults of the published numbers: repeated rows are
 *             dropped, columns stand in the order of their names (so an alias
 *             moves a column), and where order is asked for the rows are
 *             sorted again by what the text of the query seems to say.
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
    if (!defog_asks_order(o->category, o->question)) {
        order_by_all(n);
        return;
    }
    defog_keys keys = defog_read_keys(a, sql, &n->f);
    if (keys.has_order_by) {
        order_by_keys(n, a, keys);
    }
}

defog_normal defog_normalize(arena *a,
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

ptrdiff_t defog_first_row(const defog_normal *n)
{
    return n->is_sorted ? frame_first_row(&n->f, n->order) : 0;
}

void defog_sort(defog_normal *n, arena *a)
{
    if (n->is_sorted) {
        frame_sort(&n->f, n->order, a);
    }
}
