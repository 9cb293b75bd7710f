/*
 * explain_results.c - which rows of two results to show.
 *
 * Method      Columns are paired as a person would (explain_align.h), rows by
 *             value under that mapping; a row without a partner comes first.
 *             Two results that both fit are shown as they are.
 *
 * Cost        Linear in the cells; of results with more than MAX_ALIGNED cells
 *             the first rows are shown.
 */
#include "table/explain_results.h"

#include "table/explain_align.h"

enum {
    SHOWN_ROWS = 4,
    SHOWN_NAMES = 512,      // bytes of column names
    MAX_ALIGNED = 1 << 18,  // cells of both
};

// In which order rows are shown: first those with `first` set, then from
// `start` on.
typedef struct selection {
    const table *t;
    const bool *first;  // of each row; NULL: of none
    ptrdiff_t start;
} selection;

static void add_row(buf *b, const table *t, ptrdiff_t r, arena *scratch)
{
    buf_add(b, b->len > 0 ? S(" ") : S(""));
    buf_add(b, table_show_row(scratch, t, r));
}

static str show_rows(const selection *s, arena *a, arena scratch)
{
    buf b = buf_new(a);
    ptrdiff_t shown = 0;
    for (int want = 1; want >= 0; want--) {
        for (ptrdiff_t r = s->start; r < s->t->n_rows; r++) {
            bool is_first = s->first && s->first[r];
            if (is_first == (want == 1) && shown < SHOWN_ROWS) {
                add_row(&b, s->t, r, &scratch);
                shown++;
            }
        }
    }
    ptrdiff_t more = s->t->n_rows - shown;
    if (more > 0 && s->t->is_cut) {
        buf_add(&b, S(" and more rows"));
    } else if (more > 0) {
        buf_printf(&b, " and %td more row%s", more, plural(more));
    }
    return shown > 0 ? buf_str(&b) : S("no rows");
}

static shown_result show(const selection *s, arena *a, arena scratch)
{
    str *names = arena_new(a, str, s->t->n_columns);
    ptrdiff_t n = 0;
    for (ptrdiff_t left = SHOWN_NAMES; n < s->t->n_columns; n++) {
        left -= s->t->names[n].len;
        if (left < 0) {
            break;
        }
        names[n] = arena_str(a, s->t->names[n]);
    }
    return (shown_result){
        .rows = show_rows(s, a, scratch), .columns = names, .n_columns = n};
}

// The first place at which the two hold different rows.
static ptrdiff_t first_difference(const alignment *o)
{
    ptrdiff_t n = o->tables.gold->n_rows;
    for (ptrdiff_t r = 0; r < n && r < o->tables.pred->n_rows; r++) {
        for (ptrdiff_t c = 0; c < o->tables.gold->n_columns; c++) {
            if (!near_cells_fit(&o->tables, r, c, r)) {
                return r;
            }
        }
    }
    return 0;
}

static void select_rows(selection *gold, selection *pred, arena *a)
{
    static const match_rules bags = {.coding = {.kind = CODING_LOOSE}};
    alignment o = alignment_new(&bags, gold->t, pred->t, a);
    const int32_t *columns = alignment_guess(&o, a);
    if (alignment_lost_column(columns, gold->t->n_columns) >= 0) {
        return;
    }
    alignment_apply(&o, columns, a);
    gold->first = o.gold_left;
    pred->first = o.pred_left;
    if (o.n_gold_left == 0 && o.n_pred_left == 0) {
        gold->start = pred->start = first_difference(&o);
    }
}

void explain_results(const table *gold,
                     const table *pred,
                     shown_result shown[2],
                     arena *a,
                     arena scratch)
{
    selection g = {.t = gold};
    selection p = {.t = pred};
    bool fits = gold->n_rows <= SHOWN_ROWS && pred->n_rows <= SHOWN_ROWS;
    ptrdiff_t cells =
        gold->n_rows * gold->n_columns + pred->n_rows * pred->n_columns;
    if (!fits && cells <= MAX_ALIGNED) {
        select_rows(&g, &p, &scratch);
    }
    shown[0] = show(&g, a, scratch);
    shown[1] = show(&p, a, scratch);
}
