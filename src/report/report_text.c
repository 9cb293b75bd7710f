/*
 * report_text.c - the summary for people.
 *
 * Method      The answer comes first: the main metric, which is the first exec
 *             there is, with its interval, and the others beside it. Then why
 *             answers failed, then what limits these figures, then groups; each
 *             is said once. One run: metrics are rows of the main table and
 *             columns of the others. Several runs: runs are rows; what would
 *             need a third direction is shown for the main metric only.
 *
 *             Names of runs come from files and may be long. Tables show them
 *             cut in the middle, and numbered where two would look the same.
 */
#include "report/report_text.h"

#include "base/utf8.h"
#include "report/report_figures.h"
#include "report/wilson.h"

str text_run(const text_report *r, ptrdiff_t run)
{
    return r->names[run];
}

enum {
    NAME_COLUMNS = 20,  // of a run's name, as a table shows it
    TAIL_COLUMNS = 8    // of these, what stands behind the cut
};

// "dail_gpt4...-temp0.7"
static str name_cut(arena *a, str name)
{
    ptrdiff_t n = utf8_count(name);
    if (n <= NAME_COLUMNS) {
        return name;
    }
    ptrdiff_t head = utf8_prefix(name, NAME_COLUMNS - TAIL_COLUMNS - 3);
    ptrdiff_t tail = utf8_prefix(name, n - TAIL_COLUMNS);
    return arena_printf(a, "%.*s...%.*s", (int)head, name.ptr,
                        (int)(name.len - tail), name.ptr + tail);
}

static void find_names(text_report *r)
{
    str *names = arena_new(r->s.a, str, r->n_runs);
    bool is_same = false;
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        str name = utf8_visible(r->s.a, map_key_at(&r->t->runs, run));
        names[run] = name_cut(r->s.a, name.len > 0 ? name : S("run"));
        for (ptrdiff_t i = 0; i < run; i++) {
            is_same = is_same || str_equal(names[i], names[run]);
        }
    }
    for (ptrdiff_t run = 0; is_same && run < r->n_runs; run++) {
        names[run] =
            arena_printf(r->s.a, "%td %.*s", run + 1, STR_ARG(names[run]));
    }
    r->names = names;
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

// "75.8-80.8", right-aligned under the longest there is, "99.6-100.0".
static str interval_text(const text_report *r, const tally_count *c)
{
    interval i =
        wilson_interval((double)c->answers[LINE_ANSWER_YES], tally_total(c));
    str text = arena_printf(r->s.a, "%.1f%s%.1f", i.low * 100,
                            r->s.look->has_unicode ? "–" : "-", i.high * 100);
    ptrdiff_t width = utf8_width(text);
    return arena_printf(r->s.a, "%*s%.*s", width < 10 ? 10 - (int)width : 0, "",
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

// The main metric first. "exec@5" is what samples add to "exec"; it has a table
// of its own.
static void find_metrics(text_report *r)
{
    ptrdiff_t n = map_count(&r->t->metrics);
    int32_t *shown = arena_new(r->s.a, int32_t, n);
    bool has_main = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        str key = map_key_at(&r->t->metrics, i);
        if (str_find(key, S("@"), 0) >= 0) {
            continue;
        }
        ptrdiff_t at = r->n_metrics++;
        for (; !has_main && str_starts(key, S("exec")) && at > 0; at--) {
            shown[at] = shown[at - 1];
        }
        has_main = has_main || str_starts(key, S("exec"));
        shown[at] = (int32_t)i;
    }
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
    return arena_printf(r->s.a, "%.1f", value);
}

/* The main table. */

static str metric_title(const text_report *r, ptrdiff_t m)
{
    const tally_metric *metric = text_tally(r, 0, m);
    return metric && metric->has_score
               ? arena_printf(r->s.a, "%.*s mean", STR_ARG(text_metric(r, m)))
               : text_metric(r, m);
}

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
    grid_row(g, text_metric(r, m),
             cell_int(r->s.a, all->answers[LINE_ANSWER_YES]),
             cell_int(r->s.a, tally_total(all)),
             arena_printf(r->s.a, "%.1f %%", tally_percent(all)),
             interval_text(r, all));
    if (columns.has_mean) {
        grid_cell(g,
                  metric->has_score ? text_value(r, metric, *all) : (str){0});
    }
    if (columns.has_unknown) {
        grid_cell(g, cell_int(r->s.a, all->answers[LINE_ANSWER_UNKNOWN]));
    }
}

static void add_main_one(const text_report *r)
{
    main_columns columns = find_columns(r);
    grid g =
        sheet_grid(&r->s, 5 + columns.has_mean + columns.has_unknown, (str){0});
    grid_row(&g, text_run(r, 0), S("passes"), S("cases"), S("percent"),
             S("95 % interval"));
    if (columns.has_mean) {
        grid_cell(&g, S("mean"));
    }
    if (columns.has_unknown) {
        grid_cell(&g, S("unknown"));
    }
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        add_main_row(r, &g, m, columns);
    }
    sheet_add(&r->s, &g);
}

// An opinion that is open where nothing is known: how much it decides.
static void add_coverage(const text_report *r)
{
    for (ptrdiff_t i = 0; i < r->n_runs * r->n_metrics; i++) {
        ptrdiff_t run = i / r->n_metrics;
        const tally_metric *m = text_tally(r, run, i % r->n_metrics);
        str key = text_metric(r, i % r->n_metrics);
        if (!m || !str_equal(key, S("pragmatic"))
            || m->all.answers[LINE_ANSWER_UNKNOWN] == 0) {
            continue;
        }
        str name = r->n_runs > 1 ? text_run(r, run) : (str){0};
        buf_printf(r->s.out,
                   "%s%.*s%spragmatic decides %.1f %% of the cases; of those "
                   "%.1f %% pass\n",
                   i < r->n_metrics ? "\n" : "", STR_ARG(name),
                   name.len > 0 ? ": " : "", tally_decides(&m->all),
                   tally_of_decided(&m->all));
    }
}

// The other metrics of several runs: "70.1", and their intervals if all is
// asked for.
static void add_other_cells(const text_report *r, grid *g, ptrdiff_t run)
{
    for (ptrdiff_t m = 1; m < r->n_metrics; m++) {
        const tally_metric *metric = text_tally(r, run, m);
        grid_cell(g, metric ? text_value(r, metric, metric->all) : (str){0});
        if (r->s.look->is_verbose) {
            grid_cell(g, metric ? interval_text(r, &metric->all) : (str){0});
        }
    }
    grid_end_row(g);
}

// Several runs: the main metric with its interval, then the others' percent.
static void add_main_many(const text_report *r)
{
    bool has_score = find_columns(r).has_mean && r->n_metrics == 1;
    ptrdiff_t n_others = (r->n_metrics - 1) * (1 + r->s.look->is_verbose);
    grid g = sheet_grid(&r->s, 5 + has_score + n_others, (str){0});
    grid_row(&g, S("run"), S("cases"), S("passes"), text_metric(r, 0),
             S("95 % interval"));
    if (has_score) {
        grid_cell(&g, S("mean"));
    }
    for (ptrdiff_t m = 1; m < r->n_metrics; m++) {
        grid_cell(&g, metric_title(r, m));
        if (r->s.look->is_verbose) {
            grid_cell(&g, S("interval"));
        }
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        const tally_metric *metric = text_tally(r, run, 0);
        grid_row(&g, text_run(r, run),
                 cell_int(r->s.a, r->t->by_run.ptr[run].n_cases));
        if (!metric) {
            grid_end_row(&g);
            continue;
        }
        grid_row(&g, cell_int(r->s.a, metric->all.answers[LINE_ANSWER_YES]),
                 arena_printf(r->s.a, "%.1f %%", tally_percent(&metric->all)),
                 interval_text(r, &metric->all));
        if (has_score) {
            grid_cell(&g, text_value(r, metric, metric->all));
        }
        add_other_cells(r, &g, run);
    }
    sheet_add(&r->s, &g);
}

/* Tables by group. */

// One run: groups down, metrics across.
static void add_groups_one(const text_report *r, tally_by by, str title)
{
    ptrdiff_t n = map_count(&r->t->groups[by]);
    const int32_t *order = report_group_order(r->t, by, r->s.a);
    grid g = sheet_grid(&r->s, r->n_metrics + 2, (str){0});
    grid_row(&g, title, S("cases"));
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        grid_cell(&g, metric_title(r, m));
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        int64_t cases =
            tally_number_at(&r->t->by_run.ptr[0].n_by[by], order[i]);
        grid_row(&g, map_key_at(&r->t->groups[by], order[i]),
                 cell_int(r->s.a, cases));
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            const tally_metric *metric = text_tally(r, 0, m);
            grid_cell(&g,
                      metric ? text_value(
                          r, metric, tally_count_at(&metric->by[by], order[i]))
                             : (str){0});
        }
    }
    sheet_add(&r->s, &g);
}

// Several runs: runs down, groups across, for one metric.
static void add_groups_many(const text_report *r,
                            tally_by by,
                            str title,
                            ptrdiff_t m)
{
    ptrdiff_t n = map_count(&r->t->groups[by]);
    const int32_t *order = report_group_order(r->t, by, r->s.a);
    grid g = sheet_grid(&r->s, n + 1, (str){0});
    str name = metric_title(r, m);
    grid_cell(&g,
              arena_printf(r->s.a, "%.*s %.*s", STR_ARG(name), STR_ARG(title)));
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
    sheet_add(&r->s, &g);
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
        if (m == 0 || r->s.look->is_verbose) {
            add_groups_many(r, by, title, m);
        }
    }
}

// What more lines tell: who abstained, what answers cost, how sure they are.
static void add_told(const text_report *r)
{
    grid_list tables = {0};
    figures_tables(&tables, r->s.a, r->t, r->metrics[0]);
    sheet_add_all(&r->s, &tables);
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

enum {
    GROUPED_CASES = 20  // groups of fewer say nothing
};

// By hardness or category, whichever says more, and as asked for.
static void add_all_groups(const text_report *r)
{
    const report_look *look = r->s.look;
    bool by_hardness =
        tells_apart(r, TALLY_BY_HARDNESS) || !tells_apart(r, TALLY_BY_CATEGORY);
    tally_by usual = by_hardness ? TALLY_BY_HARDNESS : TALLY_BY_CATEGORY;
    bool has_usual = r->t->by_run.ptr[0].n_cases >= GROUPED_CASES
                     || (look->has_by && look->by == usual);
    if (look->is_verbose || (has_usual && by_hardness)) {
        add_groups(r, TALLY_BY_HARDNESS, S("by hardness"));
    }
    if (look->is_verbose || (has_usual && !by_hardness)) {
        add_groups(r, TALLY_BY_CATEGORY, S("by category"));
    }
    if (look->is_verbose) {
        add_groups(r, TALLY_BY_DB, S("by database"));
    }
    bool is_shown = look->is_verbose ? look->by != TALLY_BY_FEATURE
                                           && look->by != TALLY_BY_NUMBER
                                     : look->by == usual;
    if (look->has_by && !is_shown) {
        add_groups(r, look->by, look->by_title);
    }
    if (look->has_by) {
        text_add_sample_groups(r, look->by, look->by_title);
    }
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
    text_report r = {
        .s = {out, look, &scratch}, .t = t, .n_runs = map_count(&t->runs)};
    find_metrics(&r);
    find_names(&r);
    if (r.n_metrics == 0) {
        buf_add(out, S("no verdicts\n"));
        return;
    }
    bool has_run = has_execution(t);
    if (has_run) {
        text_add_alike(&r);
    }
    if (r.n_runs == 1) {
        add_main_one(&r);
    } else {
        add_main_many(&r);
    }
    add_coverage(&r);
    text_add_samples(&r);
    add_told(&r);
    text_add_reasons(&r);
    if (look->is_verbose) {
        text_add_clauses(&r);
    }
    if (has_run) {
        text_add_limits(&r);
    }
    add_all_groups(&r);
}
