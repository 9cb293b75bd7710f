/*
 * report_markdown.c - the figures of journals as Markdown, for a pull request
 * or a wiki: what was run, each run by each metric, groups and reasons.
 */
#include "report/grid.h"
#include "report/render.h"
#include "report/report.h"
#include "report/report_figures.h"

static void add_table(buf *out, const grid *g)
{
    buf_char(out, '\n');
    grid_markdown(g, out);
}

static void add_heading(buf *out, const char *text)
{
    buf_printf(out, "\n## %s\n", text);
}

// Runs down, metrics across.
static void add_runs(const render *r, buf *out, arena *a)
{
    const tally *t = &r->tally;
    grid g = grid_new(a, r->n_keys + 2);
    grid_heads(&g, S("run|cases"));
    for (ptrdiff_t m = 0; m < r->n_keys; m++) {
        grid_cell(&g, r->keys[m]);
    }
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        grid_row(&g, map_key_at(&t->runs, run),
                 cell_int(a, t->by_run.ptr[run].n_cases));
        for (ptrdiff_t m = 0; m < r->n_keys; m++) {
            grid_cell(&g, figures_cell(a, tally_metric_at(t, run, m)));
        }
    }
    add_table(out, &g);
}

// Groups down, runs across.
static void add_groups(const render *r,
                       buf *out,
                       tally_by by,
                       ptrdiff_t metric,
                       arena *a)
{
    const tally *t = &r->tally;
    ptrdiff_t n = map_count(&t->groups[by]);
    const int32_t *order = report_group_order(t, by, a);
    grid g = grid_new(a, map_count(&t->runs) + 1);
    grid_cell(&g, figures_group_word(by));
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        grid_cell(&g, map_key_at(&t->runs, run));
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        grid_cell(&g, map_key_at(&t->groups[by], order[i]));
        for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
            const tally_metric *m = tally_metric_at(t, run, metric);
            grid_cell(&g,
                      m ? figures_percent(a, m->has_score,
                                          tally_count_at(&m->by[by], order[i]))
                        : (str){0});
        }
    }
    if (n > 0) {
        add_table(out, &g);
    }
}

static int64_t reason_count(const render *r,
                            ptrdiff_t run,
                            ptrdiff_t metric,
                            line_answer v,
                            ptrdiff_t word)
{
    const tally_metric *m = tally_metric_at(&r->tally, run, metric);
    return m ? tally_number_at(&m->reasons[v], word) : 0;
}

// Reasons down, runs across.
static void add_reasons(const render *r,
                        buf *out,
                        ptrdiff_t metric,
                        line_answer v,
                        arena *a)
{
    const tally *t = &r->tally;
    ptrdiff_t n_runs = map_count(&t->runs);
    grid g = grid_new(a, n_runs + 1);
    grid_cell(&g, line_answer_word(v));
    for (ptrdiff_t run = 0; run < n_runs; run++) {
        grid_cell(&g, map_key_at(&t->runs, run));
    }
    ptrdiff_t n_rows = 0;
    for (ptrdiff_t word = 0; word < map_count(&t->words); word++) {
        int64_t all = 0;
        for (ptrdiff_t run = 0; run < n_runs; run++) {
            all += reason_count(r, run, metric, v, word);
        }
        if (all == 0) {
            continue;
        }
        n_rows++;
        grid_cell(&g, map_key_at(&t->words, word));
        for (ptrdiff_t run = 0; run < n_runs; run++) {
            int64_t n = reason_count(r, run, metric, v, word);
            grid_cell(&g, cell_int(a, n));
        }
    }
    if (n_rows > 0) {
        add_table(out, &g);
    }
}

// As a line of text: what would be a mark of Markdown is shown.
static void add_line(buf *out, const char *before, str text)
{
    buf_add(out, str_from(before));
    grid_markdown_text(out, text);
    buf_char(out, '\n');
}

void markdown_head(render *r, buf *out, arena scratch)
{
    add_line(out, "# ", render_title(r, &scratch));
    ptrdiff_t metric = figures_main_metric(r);
    if (metric < 0) {
        buf_add(out, S("\nNo verdicts.\n"));
        return;
    }
    for (ptrdiff_t i = 0; i < r->journals.len; i++) {
        str made = figures_head_text(&scratch, r->journals.ptr[i].head);
        if (made.len > 0) {
            buf_char(out, '\n');
            add_line(out, "", made);
        }
    }
    add_runs(r, out, &scratch);
    buf_printf(out, "\nPercent of yes, with its 95 %% interval (Wilson).\n");
    grid_list tables = {0};
    figures_tables(&tables, &scratch, &r->tally, metric);
    for (ptrdiff_t i = 0; i < tables.len; i++) {
        add_table(out, &tables.ptr[i]);
    }
    add_heading(out, "Why not");
    buf_printf(out, "\nReasons of `%.*s`.\n", STR_ARG(r->keys[metric]));
    add_reasons(r, out, metric, LINE_ANSWER_NO, &scratch);
    add_reasons(r, out, metric, LINE_ANSWER_UNKNOWN, &scratch);
    add_heading(out, "By group");
    add_groups(r, out, TALLY_BY_HARDNESS, metric, &scratch);
    add_groups(r, out, TALLY_BY_CATEGORY, metric, &scratch);
    add_groups(r, out, TALLY_BY_DB, metric, &scratch);
}
