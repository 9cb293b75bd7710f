/*
 * report_markdown.c - the figures of journals as Markdown, for a pull request
 * or a wiki: what was run, each run by each metric, groups and reasons.
 */
#include "report/render.h"
#include "report/report.h"
#include "report/report_figures.h"

typedef struct figures {
    const tally *t;
    tally_by by;
    answer v;
} figures;

static str group_cell(const void *what, arena *a, cell_at p)
{
    const figures *f = what;
    const tally_metric *m =
        tally_metric_at(f->t, p.at[AXIS_RUN], p.at[AXIS_METRIC]);
    return m ? figures_percent(a, m,
                               tally_count_at(&m->by[f->by], p.at[AXIS_ITEM]))
             : (str){0};
}

static str reason_cell(const void *what, arena *a, cell_at p)
{
    const figures *f = what;
    return cell_int(a, tally_reasons(f->t, p.at[AXIS_RUN], p.at[AXIS_METRIC],
                                     f->v, p.at[AXIS_ITEM]));
}

// Words that are a reason of some run.
static axis reasons_of(const figures *f, cell_at p, arena *a)
{
    axis words = {.of = AXIS_ITEM};
    for (ptrdiff_t word = 0; word < map_count(&f->t->words); word++) {
        if (tally_reasons(f->t, -1, p.at[AXIS_METRIC], f->v, word) > 0) {
            axis_add(&words, a, map_key_at(&f->t->words, word), word);
        }
    }
    return words;
}

// Runs across, by one metric: reasons down.
static void add_reasons(doc *d, const tally *t, cell_at p)
{
    axis runs = axis_of_map(AXIS_RUN, &t->runs, NULL, d->a);
    for (int v = ANSWER_NO; v >= ANSWER_UNKNOWN; v--) {
        figures f = {.t = t, .v = (answer)v};
        axis reasons = reasons_of(&f, p, d->a);
        grid_cross(doc_titled(d, answer_word(f.v)), &reasons, &runs, p,
                   reason_cell, &f);
    }
}

// Likewise groups.
static void add_groups(doc *d, const tally *t, cell_at p)
{
    static const tally_by shown[] = {TALLY_BY_HARDNESS, TALLY_BY_CATEGORY,
                                     TALLY_BY_DB};
    axis runs = axis_of_map(AXIS_RUN, &t->runs, NULL, d->a);
    for (ptrdiff_t i = 0; i < countof(shown); i++) {
        figures f = {.t = t, .by = shown[i]};
        axis groups = axis_of_map(AXIS_ITEM, &t->groups[f.by],
                                  report_group_order(t, f.by, d->a), d->a);
        grid_cross(doc_titled(d, figures_group_word(f.by)), &groups, &runs, p,
                   group_cell, &f);
    }
}

void markdown_head(render *r, buf *out, arena scratch)
{
    doc d = doc_new(&scratch, (report_look){.is_markdown = true});
    doc_add(&d, DOC_TITLE, render_title(r, &scratch));
    ptrdiff_t metric = tally_main_metric(&r->tally);
    if (metric < 0) {
        doc_say(&d, "\nNo verdicts.\n");
        doc_write(&d, out);
        return;
    }
    for (ptrdiff_t i = 0; i < r->journals.files.len; i++) {
        str made = figures_head_text(&scratch, r->journals.files.ptr[i].head);
        if (made.len > 0) {
            doc_say(&d, "\n");
            doc_add(&d, DOC_LINE, made);
        }
    }
    cell_at p = {.at[AXIS_METRIC] = metric};
    figures_runs(&d, &r->tally);
    doc_say(&d, "\nPercent that pass, with 95 %% intervals (Wilson).\n");
    figures_tables(&d, &r->tally, metric);
    doc_add(&d, DOC_HEADING, S("Why not"));
    doc_say(&d, "\nReasons of `%.*s`.\n", STR_ARG(r->keys.ptr[metric]));
    add_reasons(&d, &r->tally, p);
    doc_add(&d, DOC_HEADING, S("By group"));
    add_groups(&d, &r->tally, p);
    doc_write(&d, out);
}
