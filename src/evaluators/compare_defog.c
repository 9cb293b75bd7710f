/*
 * compare_defog.c - the rules `defog`: what Defog's sql-eval says about two
 * results, faults included. [definitions/defog.md#frames to
 * #verdict]
 *
 * Why         Published numbers come from that program. exec is its exact
 *             match, subset its "correct": exact or subset.
 *
 * Order of    exact    (compare_defog_exact.c)   raises: no to both
 * calls       subset   (compare_defog_subset.c)  raises: no to both, even to
 *             exec, since the caller must not go on to another gold variant
 *
 * Not here    Expanding the gold, the fault about % in the query's text.
 *             Options other than texts (is_ordered, tolerance, ...) do not
 *             count: the reference has no such switches.
 */
#include "evaluators/compare_defog.h"

#include "evaluators/evaluator.h"

static ptrdiff_t most(ptrdiff_t a, ptrdiff_t b)
{
    return a > b ? a : b;
}

// Repeated rows are dropped, and one row is "equal" to an empty gold.
compare_need compare_need_defog(comparison what,
                                const table *gold,
                                const compare_options *o)
{
    (void)what, (void)o;
    return (compare_need){.rows = -1, .distinct = most(gold->n_rows, 1)};
}

static verdict shapes_differ(const defog_normal *g,
                             const defog_normal *p,
                             arena *a)
{
    if (g->n_shown != p->n_shown) {
        return verdict_no(REASON_COLUMNS_DIFFER,
                          arena_printf(a, "%td columns against %td in the gold",
                                       p->n_shown, g->n_shown));
    }
    return verdict_no(
        g->f.n_rows < p->f.n_rows ? REASON_EXTRA_ROWS : REASON_MISSING_ROWS,
        arena_printf(a, "%td different rows against %td in the gold",
                     p->f.n_rows, g->f.n_rows));
}

verdict defog_explain(const defog_normal *gold,
                      const defog_normal *pred,
                      arena *a)
{
    const frame *g = &gold->f;
    const frame *p = &pred->f;
    if (gold->n_shown != pred->n_shown || g->n_rows != p->n_rows) {
        return shapes_differ(gold, pred, a);
    }
    if (hash128_equal(frame_bag(g), frame_bag(p))) {
        return verdict_no(REASON_ORDER_DIFFERS, (str){0});
    }
    ptrdiff_t row = frame_first_other(g, p, *a);
    if (row < 0) {
        return verdict_no(REASON_ROWS_DIFFER, (str){0});
    }
    arena *to = a;
    str shown = table_show_row(to, p->source, p->rows[row]);
    return verdict_no(REASON_ROWS_DIFFER,
                      arena_printf(a, "row %d %.*s is not in the gold",
                                   p->rows[row] + 1, STR_ARG(shown)));
}

static verdict no_more_rows(const table *gold, arena *a)
{
    return verdict_no(
        REASON_EXTRA_ROWS,
        arena_printf(a, "more rows than the %td of the gold", gold->n_rows));
}

// Both at once: the exact one, and, where that is a no, the subset.
verdict compare_defog(comparison what,
                      const table *gold,
                      const table *pred,
                      const compare_options *o,
                      arena *a,
                      arena scratch)
{
    if (pred->is_cut) {
        return no_more_rows(gold, a);
    }
    frame g = frame_from_table(&scratch, gold);
    frame p = frame_from_table(&scratch, pred);
    verdict exact = defog_exact(&g, &p, o, a, scratch);
    if (exact.v == ANSWER_YES || exact.reason == REASON_COMPARE_ERROR) {
        return exact;
    }
    verdict subset = defog_subset(&g, &p, o, a, scratch);
    return what == COMPARE_SUBSET || subset.reason == REASON_COMPARE_ERROR
               ? subset
               : exact;
}
