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

#include <math.h>

enum {
    NAME_MAX_CHARS = 60,  // of a run or a level: a longer one is cut
    LEVELS_MAX = 16,
};

static str cut(str name)
{
    return str_sub(name, 0, utf8_prefix(name, NAME_MAX_CHARS));
}

// Levels from easy to hard where there are several, then all of them.
static axis levels_of(const agree *t, arena *a)
{
    axis levels = {.of = AXIS_ITEM};
    const int32_t *order = report_hardness_order(&t->hardness, a);
    ptrdiff_t n = map_count(&t->hardness);
    n = n > LEVELS_MAX ? LEVELS_MAX : n;
    for (ptrdiff_t i = 0; n > 1 && i < n; i++) {
        axis_add(&levels, a, cut(map_key_at(&t->hardness, order[i])), order[i]);
    }
    axis_add(&levels, a, S("all"), AGREEMENT_ANY);
    return levels;
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
    ptrdiff_t *runs;  // which
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
    level_figures f = {.runs = arena_new(a, ptrdiff_t, n_runs),
                       .false_yes = arena_new(a, double, n_runs),
                       .false_no = arena_new(a, double, n_runs),
                       .reference = arena_new(a, double, n_runs),
                       .metric = arena_new(a, double, n_runs)};
    for (ptrdiff_t run = 0; run < n_runs; run++) {
        agreement c = agree_cases(t, metric, run, level, AGREEMENT_ANY);
        int64_t n = agreement_cases(&c);
        if (n == 0) {
            continue;
        }
        double share = 100.0 / (double)n;
        f.runs[f.n] = run;
        f.false_yes[f.n] = share * (double)c.n[ANSWER_NO][ANSWER_YES];
        f.false_no[f.n] = share * (double)c.n[ANSWER_YES][ANSWER_NO];
        f.reference[f.n] = share * (double)agreement_reference(&c, ANSWER_YES);
        f.metric[f.n] = share * (double)agreement_judge(&c, ANSWER_YES);
        f.n_cases = n > f.n_cases ? n : f.n_cases;
        f.n++;
    }
    return f;
}

static void add_spread(grid *g, arena *a, spread s)
{
    grid_add(g, cell_decimal(a, s.mean, 1), cell_decimal(a, s.deviation, 1),
             cell_decimal(a, s.max, 1));
}

static void add_errors(doc *d,
                       const agree *t,
                       ptrdiff_t metric,
                       const axis *levels)
{
    str judge = map_key_at(&t->metrics, metric);
    grid *g =
        doc_titled(d, arena_printf(d->a, "%.*s over runs", STR_ARG(judge)));
    grid_heads(g, S("cases|false yes|sd|max|false no|sd|max|tau"));
    for (ptrdiff_t i = 0; i < levels->marks.len; i++) {
        const axis_mark *level = &levels->marks.ptr[i];
        level_figures f = figures_of(t, metric, level->id, d->a);
        grid_row(g, level->name, cell_int(d->a, f.n_cases));
        add_spread(g, d->a, spread_of(f.false_yes, f.n));
        add_spread(g, d->a, spread_of(f.false_no, f.n));
        grid_add(
            g, cell_decimal(d->a, kendall_tau(f.reference, f.metric, f.n), 3));
    }
}

/* --- called right -------------------------------------------------------- */

int64_t agree_right(const agreement *c, ptrdiff_t judge)
{
    return judge < 0 ? agreement_reference(c, ANSWER_YES)
                     : agreement_judge(c, ANSWER_YES);
}

double agree_share(const agree *t, ptrdiff_t judge, ptrdiff_t run)
{
    agreement c = agree_cases(t, judge, run, AGREEMENT_ANY, AGREEMENT_ANY);
    int64_t n = agreement_cases(&c);
    return n > 0 ? (double)agree_right(&c, judge) / (double)n : 0;
}

const double *agree_shares(const agree *t, ptrdiff_t judge, arena *a)
{
    double *shares = arena_new(a, double, map_count(&t->runs));
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        shares[run] = agree_share(t, judge, run);
    }
    return shares;
}

enum {
    RANK = -3,  // columns beside the levels, of which -1 is all
    SHARE,
};

typedef struct right_cells {
    const agree *t;
    const double *shares;  // by run, as the judge sees them
} right_cells;

static str right_cell(const void *what, arena *a, cell_at p)
{
    const right_cells *r = what;
    ptrdiff_t run = p.at[AXIS_RUN];
    ptrdiff_t level = p.at[AXIS_ITEM];
    agreement c =
        agree_cases(r->t, p.at[AXIS_METRIC], run, level, AGREEMENT_ANY);
    return level == RANK
               ? cell_int(a, share_rank(r->shares, map_count(&r->t->runs), run))
           : level == SHARE ? cell_decimal(a, 100 * r->shares[run], 1)
                            : cell_int(a, agree_right(&c, p.at[AXIS_METRIC]));
}

// Predictions called right by each judge, with the rank of each run.
static void add_right(doc *d, const agree *t, const axis *levels)
{
    axis judges = agree_judges(t, d->a);
    axis runs = {.of = AXIS_RUN};
    axis columns = *levels;
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        axis_add(&runs, d->a, cut(map_key_at(&t->runs, run)), run);
    }
    axis_add(&columns, d->a, S("percent"), SHARE);
    axis_add(&columns, d->a, S("rank"), RANK);
    for (ptrdiff_t i = 0; i < judges.marks.len; i++) {
        const axis_mark *judge = &judges.marks.ptr[i];
        const right_cells cells = {t, agree_shares(t, judge->id, d->a)};
        grid_cross(doc_titled(d, arena_printf(d->a, "right by %.*s",
                                              STR_ARG(judge->name))),
                   &runs, &columns, (cell_at){.at[AXIS_METRIC] = judge->id},
                   right_cell, &cells);
    }
}

void agree_runs_doc(doc *d, const agree *t)
{
    axis levels = levels_of(t, d->a);
    ptrdiff_t n_metrics = map_count(&t->metrics);
    if (map_count(&t->runs) < 2 || n_metrics == 0) {
        return;
    }
    doc_say(d,
            "\nover %td runs: false yes and false no in percent of all "
            "questions of a level\n",
            map_count(&t->runs));
    for (ptrdiff_t m = 0; m < n_metrics; m++) {
        add_errors(d, t, m, &levels);
    }
    add_right(d, t, &levels);
}

/* --- plots --------------------------------------------------------------- */

static plot plot_of(const agree *t,
                    ptrdiff_t metric,
                    const axis_mark *level,
                    arena *a)
{
    level_figures f = figures_of(t, metric, level->id, a);
    plot_point *points = arena_new(a, plot_point, f.n);
    str key = map_key_at(&t->metrics, metric);
    double tau = kendall_tau(f.reference, f.metric, f.n);
    plot p = {
        .title = arena_printf(a, "%.*s, %.*s: tau %.*s", STR_ARG(key),
                              STR_ARG(level->name),
                              STR_ARG(cell_decimal(a, tau, 2))),
        .x_title = arena_printf(a, "%.*s, %% yes", STR_ARG(t->reference)),
        .y_title = arena_printf(a, "%.*s, %% yes", STR_ARG(key)),
        .points = points,
        .has_diagonal = true,
    };
    for (; p.n < f.n; p.n++) {
        points[p.n] = (plot_point){f.reference[p.n], f.metric[p.n],
                                   map_key_at(&t->runs, f.runs[p.n])};
    }
    plot_fit_percent(&p);
    return p;
}

plot_list agree_plots(const agree *t, arena *a)
{
    axis levels = levels_of(t, a);
    plot_list list = {.n_columns = levels.marks.len};
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        for (ptrdiff_t i = 0; i < list.n_columns; i++) {
            *vec_push(a, &list) = plot_of(t, m, &levels.marks.ptr[i], a);
        }
    }
    return list;
}
