/*
 * report_text.c - the summary for people.
 *
 * Method      One run: metrics are rows of the main table and columns of the
 *             others. Several runs: runs are rows everywhere; what would need
 *             a third direction is shown for the main metric only, which is
 *             the first exec there is. What matters most comes last, where
 *             the eye is when the program has ended.
 */
#include "report/report_text.h"

#include "base/utf8.h"
#include "report/report_figures.h"
#include "report/wilson.h"

grid text_grid(const text_report *r, ptrdiff_t n_columns)
{
    grid g = grid_new(r->a, n_columns);
    g.has_color = r->look->has_color;
    return g;
}

void text_print(const text_report *r, const grid *g)
{
    if (r->out->len > 0) {
        buf_char(r->out, '\n');
    }
    grid_print(g, r->out, r->look->width);
}

str text_run(const text_report *r, ptrdiff_t run)
{
    str name = map_key_at(&r->t->runs, run);
    return name.len > 0 ? name : S("run");
}

str text_metric(const text_report *r, ptrdiff_t metric)
{
    return map_key_at(&r->t->metrics, r->metrics[metric]);
}

const tally_metric *text_tally(const text_report *r,
                               ptrdiff_t run,
                               ptrdiff_t metric)
{
    return tally_metric_at(r->t, run, r->metrics[metric]);
}

str text_int(const text_report *r, int64_t n)
{
    return arena_printf(r->a, "%lld", (long long)n);
}

// "75.8-80.8", right-aligned under the longest there is, "99.6-100.0".
static str interval_text(const text_report *r, const tally_count *c)
{
    interval i =
        wilson_interval((double)c->answers[LINE_ANSWER_YES], tally_total(c));
    str text = arena_printf(r->a, "%.1f%s%.1f", i.low * 100,
                            r->look->has_unicode ? "–" : "-", i.high * 100);
    ptrdiff_t width = utf8_width(text);
    return arena_printf(r->a, "%*s%.*s", width < 10 ? 10 - (int)width : 0, "",
                        STR_ARG(text));
}

// Does the metric called `key` look at results?
static bool needs_results(str key)
{
    str word = str_cut(&key, ':');
    return !str_among(word, "string edit set link");
}

// Where no metric looks at results nothing was run, and there is nothing to say
// about what ran, unless a gold failed before that: for want of a database.
static bool has_execution(const tally *t)
{
    for (ptrdiff_t i = 0; i < map_count(&t->metrics); i++) {
        if (needs_results(map_key_at(&t->metrics, i))) {
            return true;
        }
    }
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        if (tally_gold_ok(t, run) < t->by_run.ptr[run].n_cases) {
            return true;
        }
    }
    return false;
}

// "exec@5" is what samples add to "exec"; it has a table of its own.
static void find_metrics(text_report *r)
{
    ptrdiff_t n = map_count(&r->t->metrics);
    int32_t *shown = arena_new(r->a, int32_t, n);
    r->main_metric = -1;
    for (ptrdiff_t i = 0; i < n; i++) {
        str key = map_key_at(&r->t->metrics, i);
        if (str_find(key, S("@"), 0) >= 0) {
            continue;
        }
        if (r->main_metric < 0 && str_starts(key, S("exec"))) {
            r->main_metric = r->n_metrics;
        }
        shown[r->n_metrics++] = (int32_t)i;
    }
    r->main_metric = r->main_metric < 0 ? 0 : r->main_metric;
    r->metrics = shown;
}

// Percent of yes; of metrics with a score its mean, as percent.
str text_value(const text_report *r, const tally_metric *m, tally_count count)
{
    if (!m || tally_total(&count) == 0) {
        return (str){0};
    }
    double value =
        m->has_score ? 100 * tally_mean(&count) : tally_percent(&count);
    return arena_printf(r->a, "%.1f", value);
}

/* The main table. */

typedef struct main_columns {
    bool has_mean;
    bool has_unknown;
} main_columns;

static main_columns find_columns(const text_report *r)
{
    main_columns found = {0};
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        const tally_metric *metric = text_tally(r, 0, m);
        if (metric) {
            found.has_mean |= metric->has_score;
            found.has_unknown |= metric->all.answers[LINE_ANSWER_UNKNOWN] > 0;
        }
    }
    return found;
}

static void add_main_row(const text_report *r,
                         grid *g,
                         ptrdiff_t m,
                         main_columns columns)
{
    const tally_metric *metric = text_tally(r, 0, m);
    if (!metric) {
        return;
    }
    const tally_count *all = &metric->all;
    grid_cell(g, text_metric(r, m));
    grid_cell(g, text_int(r, all->answers[LINE_ANSWER_YES]));
    grid_cell(g, text_int(r, tally_total(all)));
    grid_cell(g, arena_printf(r->a, "%.1f %%", tally_percent(all)));
    grid_cell(g, interval_text(r, all));
    if (columns.has_mean) {
        grid_cell(g,
                  metric->has_score ? text_value(r, metric, *all) : (str){0});
    }
    if (columns.has_unknown) {
        grid_cell(g, text_int(r, all->answers[LINE_ANSWER_UNKNOWN]));
    }
}

static void add_main_one(const text_report *r)
{
    main_columns columns = find_columns(r);
    grid g = text_grid(r, 5 + columns.has_mean + columns.has_unknown);
    grid_cell(&g, text_run(r, 0));
    grid_cell(&g, S("passes"));
    grid_cell(&g, S("cases"));
    grid_cell(&g, S("percent"));
    grid_cell(&g, S("95 % interval"));
    if (columns.has_mean) {
        grid_cell(&g, S("mean"));
    }
    if (columns.has_unknown) {
        grid_cell(&g, S("unknown"));
    }
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        add_main_row(r, &g, m, columns);
    }
    text_print(r, &g);
}

// "811   78.4 %   75.8-80.8", and the mean where there are scores.
static str main_cell(const text_report *r, const tally_metric *m)
{
    if (!m) {
        return (str){0};
    }
    str mean = m->has_score ? arena_printf(r->a, "  mean %5.1f",
                                           100 * tally_mean(&m->all))
                            : (str){0};
    str spread = interval_text(r, &m->all);
    return arena_printf(r->a, "%lld  %5.1f %%  %.*s%.*s",
                        (long long)m->all.answers[LINE_ANSWER_YES],
                        tally_percent(&m->all), STR_ARG(spread), STR_ARG(mean));
}

static void add_main_many(const text_report *r)
{
    grid g = text_grid(r, r->n_metrics + 2);
    grid_cell(&g, S("run"));
    grid_cell(&g, S("cases"));
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        grid_cell(&g, text_metric(r, m));
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        grid_cell(&g, text_run(r, run));
        grid_cell(&g, text_int(r, r->t->by_run.ptr[run].n_cases));
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            grid_cell(&g, main_cell(r, text_tally(r, run, m)));
        }
    }
    buf_add(r->out, S("\npasses, percent and its 95 % interval"));
    text_print(r, &g);
}

/* Tables by group. */

static str metric_title(const text_report *r, ptrdiff_t m)
{
    const tally_metric *metric = text_tally(r, 0, m);
    return metric && metric->has_score
               ? arena_printf(r->a, "%.*s mean", STR_ARG(text_metric(r, m)))
               : text_metric(r, m);
}

// One run: groups down, metrics across.
static void add_groups_one(const text_report *r, tally_by by, str title)
{
    ptrdiff_t n = map_count(&r->t->groups[by]);
    const int32_t *order = report_group_order(r->t, by, r->a);
    grid g = text_grid(r, r->n_metrics + 2);
    grid_cell(&g, title);
    grid_cell(&g, S("cases"));
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        grid_cell(&g, metric_title(r, m));
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        int64_t cases =
            tally_number_at(&r->t->by_run.ptr[0].n_by[by], order[i]);
        grid_cell(&g, map_key_at(&r->t->groups[by], order[i]));
        grid_cell(&g, text_int(r, cases));
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            const tally_metric *metric = text_tally(r, 0, m);
            grid_cell(&g,
                      metric ? text_value(
                          r, metric, tally_count_at(&metric->by[by], order[i]))
                             : (str){0});
        }
    }
    text_print(r, &g);
}

// Several runs: runs down, groups across, for one metric.
static void add_groups_many(const text_report *r,
                            tally_by by,
                            str title,
                            ptrdiff_t m)
{
    ptrdiff_t n = map_count(&r->t->groups[by]);
    const int32_t *order = report_group_order(r->t, by, r->a);
    grid g = text_grid(r, n + 1);
    str name = metric_title(r, m);
    grid_cell(&g,
              arena_printf(r->a, "%.*s %.*s", STR_ARG(name), STR_ARG(title)));
    for (ptrdiff_t i = 0; i < n; i++) {
        grid_cell(&g, map_key_at(&r->t->groups[by], order[i]));
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        const tally_metric *metric = text_tally(r, run, m);
        grid_cell(&g, text_run(r, run));
        for (ptrdiff_t i = 0; i < n && metric; i++) {
            grid_cell(&g,
                      text_value(r, metric,
                                 tally_count_at(&metric->by[by], order[i])));
        }
        grid_end_row(&g);
    }
    text_print(r, &g);
}

static void add_groups(const text_report *r, tally_by by, str title)
{
    if (map_count(&r->t->groups[by]) == 0) {
        return;
    }
    if (r->n_runs == 1) {
        add_groups_one(r, by, title);
        return;
    }
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        if (m == r->main_metric || r->look->is_verbose) {
            add_groups_many(r, by, title, m);
        }
    }
}

// What more lines tell: who abstained, what answers cost, how sure they are.
static void add_told(const text_report *r)
{
    grid_list tables = {0};
    figures_tables(&tables, r->a, r->t, r->metrics[r->main_metric]);
    for (ptrdiff_t i = 0; i < tables.len; i++) {
        tables.ptr[i].has_color = r->look->has_color;
        text_print(r, &tables.ptr[i]);
    }
}

// Does nearly every case have a group of this kind? The hardness of queries
// that Spider's grammar does not read is not known: then the categories of the
// data set say more.
static bool tells_apart(const text_report *r, tally_by by)
{
    const tally_run *run = &r->t->by_run.ptr[0];
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < map_count(&r->t->groups[by]); i++) {
        n += tally_number_at(&run->n_by[by], i);
    }
    if (by == TALLY_BY_HARDNESS) {
        n -= run->n_hardness_ours;
    }
    return n > 0 && n * 10 >= run->n_cases * 9;
}

void report_text(buf *out,
                 const tally *t,
                 const report_look *look,
                 arena scratch)
{
    if (map_count(&t->runs) == 0) {
        buf_add(out, S("no cases\n"));
        return;
    }
    text_report r = {.out = out,
                     .t = t,
                     .look = look,
                     .a = &scratch,
                     .n_runs = map_count(&t->runs)};
    find_metrics(&r);
    if (r.n_metrics == 0) {
        buf_add(out, S("no verdicts\n"));
        return;
    }
    if (has_execution(t)) {
        text_add_execution(&r);
    }
    text_add_reasons(&r);
    if (look->is_verbose) {
        text_add_clauses(&r);
        add_groups(&r, TALLY_BY_DB, S("by database"));
    }
    bool by_hardness = tells_apart(&r, TALLY_BY_HARDNESS)
                       || !tells_apart(&r, TALLY_BY_CATEGORY);
    if (r.n_runs == 1) {
        add_main_one(&r);
    } else {
        add_main_many(&r);
    }
    text_add_samples(&r);
    add_told(&r);
    if (by_hardness || look->is_verbose) {
        add_groups(&r, TALLY_BY_HARDNESS, S("by hardness"));
    }
    if (!by_hardness || look->is_verbose) {
        add_groups(&r, TALLY_BY_CATEGORY, S("by category"));
    }
    bool shown =
        look->is_verbose
            ? look->by != TALLY_BY_FEATURE && look->by != TALLY_BY_NUMBER
            : look->by == (by_hardness ? TALLY_BY_HARDNESS : TALLY_BY_CATEGORY);
    if (look->has_by && !shown) {
        add_groups(&r, look->by, look->by_title);
    }
    if (look->has_by) {
        text_add_sample_groups(&r, look->by, look->by_title);
    }
}
