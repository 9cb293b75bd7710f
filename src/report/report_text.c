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
    return r->by_run.marks.ptr[run].name;
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
    axis *names = &r->by_run;
    bool is_same = false;
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        str name = utf8_visible(r->d->a, map_key_at(&r->t->runs, run));
        name = name_cut(r->d->a, name.len > 0 ? name : S("run"));
        axis_add(names, r->d->a, name, run);
        for (ptrdiff_t i = 0; i < run; i++) {
            is_same |= str_equal(text_run(r, i), name);
        }
    }
    for (ptrdiff_t run = 0; is_same && run < r->n_runs; run++) {
        names->marks.ptr[run].name = arena_printf(r->d->a, "%td %.*s", run + 1,
                                                  STR_ARG(text_run(r, run)));
    }
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
        wilson_interval((double)c->answers[ANSWER_YES], tally_total(c));
    str text = arena_printf(r->d->a, "%.1f%s%.1f", i.low * 100,
                            r->d->look.has_unicode ? "–" : "-", i.high * 100);
    ptrdiff_t width = utf8_width(text);
    return arena_printf(r->d->a, "%*s%.*s", width < 10 ? 10 - (int)width : 0,
                        "", STR_ARG(text));
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
    int32_t *shown = arena_new(r->d->a, int32_t, n);
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
str text_value(arena *a, const tally_metric *m, tally_count count)
{
    if (!m || tally_total(&count) == 0) {
        return (str){0};
    }
    return arena_printf(a, "%.1f", tally_value(m, &count));
}

/* The main table. */

static str metric_title(const text_report *r, ptrdiff_t m)
{
    const tally_metric *metric = text_tally(r, 0, m);
    return metric && metric->has_score
               ? arena_printf(r->d->a, "%.*s mean", STR_ARG(text_metric(r, m)))
               : text_metric(r, m);
}

// What a column says of a metric.
typedef enum column {
    OF_RUN,  // cases, whether judged or not
    PASSES,
    CASES,
    PERCENT,
    INTERVAL,
    MEAN,
    UNKNOWN,
    VALUE,
    COLUMN_COUNT,
} column;

// An item is a column; each time all columns are through, of the next metric.
static str main_cell(const void *what, arena *a, cell_at p)
{
    const text_report *r = what;
    ptrdiff_t item = p.at[AXIS_ITEM];
    const tally_metric *m =
        text_tally(r, p.at[AXIS_RUN], p.at[AXIS_METRIC] + item / COLUMN_COUNT);
    column c = (column)(item % COLUMN_COUNT);
    if (c == OF_RUN) {
        return cell_int(a, r->t->by_run.ptr[p.at[AXIS_RUN]].n_cases);
    }
    if (!m || (c == MEAN && !m->has_score)) {
        return (str){0};
    }
    return c == PASSES     ? cell_int(a, m->all.answers[ANSWER_YES])
           : c == CASES    ? cell_int(a, tally_total(&m->all))
           : c == PERCENT  ? arena_printf(a, "%.1f %%", tally_percent(&m->all))
           : c == INTERVAL ? interval_text(r, &m->all)
           : c == UNKNOWN  ? cell_int(a, m->all.answers[ANSWER_UNKNOWN])
                           : text_value(a, m, m->all);
}

// One run: its metrics down.
static void add_main_one(const text_report *r)
{
    axis columns = {.of = AXIS_ITEM};
    axis metrics = {.of = AXIS_METRIC};
    bool has_mean = false;
    bool has_unknown = false;
    for (ptrdiff_t i = 0; i < r->n_metrics; i++) {
        const tally_metric *m = text_tally(r, 0, i);
        if (m) {
            has_mean |= m->has_score;
            has_unknown |= m->all.answers[ANSWER_UNKNOWN] > 0;
            axis_add(&metrics, r->d->a, text_metric(r, i), i);
        }
    }
    axis_add_words(&columns, r->d->a, S("passes|cases|percent|95 % interval"),
                   PASSES);
    if (has_mean) {
        axis_add(&columns, r->d->a, S("mean"), MEAN);
    }
    if (has_unknown) {
        axis_add(&columns, r->d->a, S("unknown"), UNKNOWN);
    }
    grid_cross(doc_titled(r->d, text_run(r, 0)), &metrics, &columns,
               (cell_at){0}, main_cell, r);
}

// An opinion that is open where nothing is known: how much it decides.
static void add_coverage(const text_report *r)
{
    for (ptrdiff_t i = 0; i < r->n_runs * r->n_metrics; i++) {
        ptrdiff_t run = i / r->n_metrics;
        const tally_metric *m = text_tally(r, run, i % r->n_metrics);
        str key = text_metric(r, i % r->n_metrics);
        if (!m || !str_equal(key, S("pragmatic"))
            || m->all.answers[ANSWER_UNKNOWN] == 0) {
            continue;
        }
        str name = r->n_runs > 1 ? text_run(r, run) : (str){0};
        doc_say(r->d,
                "%s%.*s%spragmatic decides %.1f %% of the cases; of those "
                "%.1f %% pass\n",
                i < r->n_metrics ? "\n" : "", STR_ARG(name),
                name.len > 0 ? ": " : "", tally_decides(&m->all),
                tally_of_decided(&m->all));
    }
}

// Several runs: the main metric with its interval, then the others' percent,
// with their intervals if all is asked for.
static void add_main_many(const text_report *r)
{
    axis columns = {.of = AXIS_ITEM};
    const tally_metric *first = text_tally(r, 0, 0);
    axis_add_words(&columns, r->d->a, S("cases|passes"), OF_RUN);
    axis_add(&columns, r->d->a, text_metric(r, 0), PERCENT);
    axis_add(&columns, r->d->a, S("95 % interval"), INTERVAL);
    if (r->n_metrics == 1 && first && first->has_score) {
        axis_add(&columns, r->d->a, S("mean"), MEAN);
    }
    for (ptrdiff_t m = 1; m < r->n_metrics; m++) {
        ptrdiff_t at = m * COLUMN_COUNT;
        axis_add(&columns, r->d->a, metric_title(r, m), at + VALUE);
        if (r->d->look.is_verbose) {
            axis_add(&columns, r->d->a, S("interval"), at + INTERVAL);
        }
    }
    grid_cross(doc_table(r->d, S("run")), &r->by_run, &columns, (cell_at){0},
               main_cell, r);
}

/* Tables by group. */

typedef struct group_cells {
    const text_report *r;
    tally_by by;
} group_cells;

// Of no metric the cases.
static str group_cell(const void *what, arena *a, cell_at p)
{
    const group_cells *g = what;
    ptrdiff_t group = p.at[AXIS_ITEM];
    if (p.at[AXIS_METRIC] < 0) {
        const tally_run *run = &g->r->t->by_run.ptr[p.at[AXIS_RUN]];
        return cell_int(a, tally_number_at(&run->n_by[g->by], group));
    }
    const tally_metric *m = text_tally(g->r, p.at[AXIS_RUN], p.at[AXIS_METRIC]);
    return m ? text_value(a, m, tally_count_at(&m->by[g->by], group))
             : (str){0};
}

// One run: groups down, metrics across. Several: runs down, groups across, for
// one metric.
static void add_groups(const text_report *r, tally_by by, str title)
{
    arena *a = r->d->a;
    const group_cells cells = {r, by};
    axis metrics = {.of = AXIS_METRIC};
    axis groups = axis_of_map(AXIS_ITEM, &r->t->groups[by],
                              report_group_order(r->t, by, a), a);
    axis_add(&metrics, a, S("cases"), -1);
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        str name = metric_title(r, m);
        axis_add(&metrics, a, name, m);
        if (r->n_runs > 1 && groups.marks.len > 0
            && (m == 0 || r->d->look.is_verbose)) {
            grid_cross(
                doc_titled(r->d, arena_printf(a, "%.*s %.*s", STR_ARG(name),
                                              STR_ARG(title))),
                &r->by_run, &groups, (cell_at){.at[AXIS_METRIC] = m},
                group_cell, &cells);
        }
    }
    if (r->n_runs == 1) {
        grid_cross(doc_titled(r->d, title), &groups, &metrics, (cell_at){0},
                   group_cell, &cells);
    }
}

// What more lines tell: who abstained, what answers cost, how sure they are.
static void add_told(const text_report *r)
{
    figures_tables(r->d, r->t, r->metrics[0]);
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
    const report_look *look = &r->d->look;
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

void report_text(doc *d, const tally *t)
{
    const report_look *look = &d->look;
    if (map_count(&t->runs) == 0) {
        doc_say(d, "no cases\n");
        return;
    }
    text_report r = {.d = d, .t = t, .n_runs = map_count(&t->runs)};
    find_metrics(&r);
    find_names(&r);
    if (r.n_metrics == 0) {
        doc_say(d, "no verdicts\n");
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
