/*
 * report_agree_runs.c - agreement over several runs, by hardness
 * (report_agree.h): the tables and plots of [003] and [002].
 *
 * Method      The rates are those of [003]: of all questions of a level, how
 *             many the metric calls right and the reference wrong, and the
 *             other way round; in percent. The deviation is that of the runs at
 *             hand (divided by n).
 */
#include "base/utf8.h"
#include "report/report_agree.h"
#include "report/sheet.h"

#include <assert.h>
#include <math.h>

static const ptrdiff_t ALL = -1;

enum {
    NAME_MAX_CHARS = 60,  // of a run or a level: a longer one is cut
};

static str cut(str name)
{
    return str_sub(name, 0, utf8_prefix(name, NAME_MAX_CHARS));
}

// Of a run and a level (-1: all); zero where there is nothing.
static agreement agree_cell(const agree *t,
                            ptrdiff_t metric,
                            ptrdiff_t run,
                            ptrdiff_t level)
{
    assert(metric >= 0 && metric < t->by_metric.len);
    const agree_metric *m = &t->by_metric.ptr[metric];
    const agreement_list *list = level < 0 ? &m->by_run : &m->by_cell;
    ptrdiff_t i = level < 0              ? run
                  : level < AGREE_LEVELS ? run * AGREE_LEVELS + level
                                         : -1;
    return i >= 0 && i < list->len ? list->ptr[i] : (agreement){0};
}

// Levels from easy to hard, then ALL; how many.
static ptrdiff_t levels_of(const agree *t, const ptrdiff_t **out, arena *a)
{
    const int32_t *order = report_hardness_order(&t->hardness, a);
    ptrdiff_t n = map_count(&t->hardness);
    n = n > AGREE_LEVELS ? AGREE_LEVELS : n;
    ptrdiff_t *levels = arena_new(a, ptrdiff_t, n + 1);
    for (ptrdiff_t i = 0; n > 1 && i < n; i++) {
        levels[i] = order[i];
    }
    n = n > 1 ? n : 0;
    levels[n] = ALL;
    *out = levels;
    return n + 1;
}

static str level_name(const agree *t, ptrdiff_t level)
{
    str name = level < 0 ? S("all") : map_key_at(&t->hardness, level);
    return name.len > 0 ? cut(name) : S("-");
}

/* --- errors over runs ---------------------------------------------------- */

typedef struct spread {
    double mean;
    double deviation;
    double max;
} spread;

static spread spread_of(const double *x, ptrdiff_t n)
{
    spread s = {NAN, NAN, NAN};
    double sum = 0;
    double squares = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        sum += x[i];
        s.max = i == 0 || x[i] > s.max ? x[i] : s.max;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
    }
    if (n > 0) {
        s.mean = sum / (double)n;
        s.deviation = sqrt(squares / (double)n);
    }
    return s;
}

// What the runs of one level come to.
typedef struct level_figures {
    int64_t n_cases;  // of the run that has most
    ptrdiff_t n;      // runs that have such cases
    double *false_yes;
    double *false_no;
    double *reference;
    double *metric;
} level_figures;

static level_figures figures_of(const agree *t,
                                ptrdiff_t metric,
                                ptrdiff_t level,
                                arena *a)
{
    ptrdiff_t n_runs = map_count(&t->runs);
    level_figures f = {.false_yes = arena_new(a, double, n_runs),
                       .false_no = arena_new(a, double, n_runs),
                       .reference = arena_new(a, double, n_runs),
                       .metric = arena_new(a, double, n_runs)};
    for (ptrdiff_t run = 0; run < n_runs; run++) {
        agreement c = agree_cell(t, metric, run, level);
        int64_t n = agreement_cases(&c);
        if (n == 0) {
            continue;
        }
        double share = 100.0 / (double)n;
        f.false_yes[f.n] = share * (double)c.n[LINE_ANSWER_NO][LINE_ANSWER_YES];
        f.false_no[f.n] = share * (double)c.n[LINE_ANSWER_YES][LINE_ANSWER_NO];
        f.reference[f.n] =
            share * (double)agreement_reference(&c, LINE_ANSWER_YES);
        f.metric[f.n] = share * (double)agreement_judge(&c, LINE_ANSWER_YES);
        f.n_cases = n > f.n_cases ? n : f.n_cases;
        f.n++;
    }
    return f;
}

static void add_spread(grid *g, arena *a, spread s)
{
    grid_row(g, cell_decimal(a, s.mean, 1), cell_decimal(a, s.deviation, 1),
             cell_decimal(a, s.max, 1));
}

static void add_errors(const sheet *s, const agree *t, ptrdiff_t metric)
{
    const ptrdiff_t *levels = NULL;
    ptrdiff_t n_levels = levels_of(t, &levels, s->a);
    grid g =
        sheet_titled(s, 9,
                     arena_printf(s->a, "%.*s over runs",
                                  STR_ARG(map_key_at(&t->metrics, metric))));
    grid_heads(&g, S("cases|false yes|sd|max|false no|sd|max|tau"));
    for (ptrdiff_t i = 0; i < n_levels; i++) {
        level_figures f = figures_of(t, metric, levels[i], s->a);
        grid_row(&g, level_name(t, levels[i]), cell_int(s->a, f.n_cases));
        add_spread(&g, s->a, spread_of(f.false_yes, f.n));
        add_spread(&g, s->a, spread_of(f.false_no, f.n));
        grid_cell(
            &g, cell_decimal(s->a, kendall_tau(f.reference, f.metric, f.n), 3));
    }
    sheet_add(s, &g);
}

/* --- called right -------------------------------------------------------- */

// Of a metric, or of the reference (-1).
static int64_t called_right(const agree *t,
                            ptrdiff_t metric,
                            ptrdiff_t run,
                            ptrdiff_t level)
{
    agreement c = agree_cell(t, metric < 0 ? 0 : metric, run, level);
    return metric < 0 ? agreement_reference(&c, LINE_ANSWER_YES)
                      : agreement_judge(&c, LINE_ANSWER_YES);
}

static double share_right(const agree *t, ptrdiff_t metric, ptrdiff_t run)
{
    agreement c = agree_cell(t, metric < 0 ? 0 : metric, run, ALL);
    int64_t n = agreement_cases(&c);
    return n > 0 ? (double)called_right(t, metric, run, ALL) / (double)n : 0;
}

// Runs that are equal share a rank.
static ptrdiff_t rank_of(const agree *t, ptrdiff_t metric, ptrdiff_t run)
{
    ptrdiff_t rank = 1;
    for (ptrdiff_t i = 0; i < map_count(&t->runs); i++) {
        rank += share_right(t, metric, i) > share_right(t, metric, run);
    }
    return rank;
}

static void add_right(const sheet *s, const agree *t, ptrdiff_t metric)
{
    const ptrdiff_t *levels = NULL;
    ptrdiff_t n_levels = levels_of(t, &levels, s->a);
    grid g = sheet_grid(s, n_levels + 3, (str){0});
    str judge = metric < 0 ? t->reference : map_key_at(&t->metrics, metric);
    grid_cell(&g, arena_printf(s->a, "right by %.*s", STR_ARG(judge)));
    for (ptrdiff_t i = 0; i < n_levels; i++) {
        grid_cell(&g, level_name(t, levels[i]));
    }
    grid_heads(&g, S("percent|rank"));
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        str name = map_key_at(&t->runs, run);
        grid_cell(&g, name.len > 0 ? cut(name) : S("run"));
        for (ptrdiff_t i = 0; i < n_levels; i++) {
            int64_t n = called_right(t, metric, run, levels[i]);
            grid_cell(&g, cell_int(s->a, n));
        }
        grid_row(&g, cell_decimal(s->a, 100 * share_right(t, metric, run), 1),
                 cell_int(s->a, rank_of(t, metric, run)));
    }
    sheet_add(s, &g);
}

void agree_runs_text(buf *out,
                     const agree *t,
                     const report_look *look,
                     arena scratch)
{
    const sheet s = {out, look, &scratch};
    ptrdiff_t n_metrics = map_count(&t->metrics);
    if (map_count(&t->runs) < 2 || n_metrics == 0) {
        return;
    }
    buf_printf(out,
               "\nover %td runs: false yes and false no in percent of all "
               "questions of a level\n",
               map_count(&t->runs));
    for (ptrdiff_t m = 0; m < n_metrics; m++) {
        add_errors(&s, t, m);
    }
    for (ptrdiff_t m = -1; m < n_metrics; m++) {
        add_right(&s, t, m);
    }
}

/* --- plots --------------------------------------------------------------- */

static plot plot_of(const agree *t, ptrdiff_t metric, ptrdiff_t level, arena *a)
{
    ptrdiff_t n_runs = map_count(&t->runs);
    plot_point *points = arena_new(a, plot_point, n_runs);
    level_figures f = figures_of(t, metric, level, a);
    str key = map_key_at(&t->metrics, metric);
    double tau = kendall_tau(f.reference, f.metric, f.n);
    plot p = {
        .title = arena_printf(a, "%.*s, %.*s: tau %.*s", STR_ARG(key),
                              STR_ARG(level_name(t, level)),
                              STR_ARG(cell_decimal(a, tau, 2))),
        .x_title = arena_printf(a, "%.*s, %% yes", STR_ARG(t->reference)),
        .y_title = arena_printf(a, "%.*s, %% yes", STR_ARG(key)),
        .points = points,
        .has_diagonal = true,
    };
    for (ptrdiff_t run = 0; run < n_runs; run++) {
        agreement c = agree_cell(t, metric, run, level);
        if (agreement_cases(&c) > 0) {
            points[p.n] = (plot_point){f.reference[p.n], f.metric[p.n],
                                       map_key_at(&t->runs, run)};
            p.n++;
        }
    }
    plot_fit_percent(&p);
    return p;
}

plot_list agree_plots(const agree *t, arena *a)
{
    const ptrdiff_t *levels = NULL;
    plot_list list = {.n_columns = levels_of(t, &levels, a)};
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        for (ptrdiff_t i = 0; i < list.n_columns; i++) {
            *vec_push(a, &list) = plot_of(t, m, levels[i], a);
        }
    }
    return list;
}
