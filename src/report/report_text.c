/*
 * report_text.c - the summary for people.
 *
 * Method      One run: metrics are rows of the main table and columns of the
 *             others. Several runs: runs are rows everywhere; what would need
 *             a third direction is shown for the main metric only, which is
 *             the first exec there is. What matters most comes last, where
 *             the eye is when the program has ended.
 */
#include "report/grid.h"
#include "report/report.h"
#include "report/wilson.h"

typedef struct text_report {
    buf *out;
    const tally *t;
    const report_look *look;
    arena *a;  // for cells
    ptrdiff_t n_runs;
    ptrdiff_t n_metrics;
    ptrdiff_t main_metric;
} text_report;

static grid new_grid(const text_report *r, ptrdiff_t n_columns)
{
    grid g = grid_new(r->a, n_columns);
    g.has_color = r->look->has_color;
    return g;
}

static void print_grid(const text_report *r, const grid *g)
{
    if (r->out->len > 0) {
        buf_char(r->out, '\n');
    }
    grid_print(g, r->out, r->look->width);
}

static str run_name(const text_report *r, ptrdiff_t run)
{
    str name = map_key_at(&r->t->runs, run);
    return name.len > 0 ? name : S("run");
}

static str metric_name(const text_report *r, ptrdiff_t metric)
{
    return map_key_at(&r->t->metrics, metric);
}

static str int_cell(const text_report *r, int64_t n)
{
    return arena_printf(r->a, "%lld", (long long)n);
}

static str interval_text(const text_report *r, const tally_count *c)
{
    interval i =
        wilson_interval((double)c->answers[LINE_ANSWER_YES], tally_total(c));
    return arena_printf(r->a, "%4.1f %s %5.1f", i.low * 100,
                        r->look->has_unicode ? "–" : "-", i.high * 100);
}

// Does any metric look at results? If none does, nothing was run, and there is
// nothing to say about what ran.
static bool runs_sql(const tally *t)
{
    for (ptrdiff_t i = 0; i < map_count(&t->metrics); i++) {
        str key = map_key_at(&t->metrics, i);
        str word = str_cut(&key, ':');
        if (!str_equal(word, S("string")) && !str_equal(word, S("edit"))) {
            return true;
        }
    }
    return false;
}

static ptrdiff_t find_main_metric(const tally *t)
{
    for (ptrdiff_t i = 0; i < map_count(&t->metrics); i++) {
        if (str_starts(map_key_at(&t->metrics, i), S("exec"))) {
            return i;
        }
    }
    return 0;
}

// Percent of yes; of metrics with a score its mean, as percent.
static str value_cell(const text_report *r,
                      const tally_metric *m,
                      tally_count count)
{
    if (!m || tally_total(&count) == 0) {
        return (str){0};
    }
    double value =
        m->has_score ? 100 * tally_mean(&count) : tally_percent(&count);
    return arena_printf(r->a, "%.1f", value);
}

/* Gold, statuses and reasons. */

// "no_such_table 3, timeout 1"; word 0 is ok and left out.
static str list_words(const text_report *r, const tally_numbers *numbers)
{
    buf b = buf_new(r->a);
    for (ptrdiff_t word = 1; word < numbers->len; word++) {
        if (numbers->ptr[word] > 0) {
            buf_add(&b, b.len > 0 ? S(", ") : S(""));
            buf_add(&b, map_key_at(&r->t->words, word));
            buf_printf(&b, " %lld", (long long)numbers->ptr[word]);
        }
    }
    return buf_str(&b);
}

static str list_ids(const text_report *r, const tally_run *run, int64_t n)
{
    buf b = buf_new(r->a);
    for (ptrdiff_t i = 0; i < run->gold_failed.len; i++) {
        buf_add(&b, i > 0 ? S(", ") : S(""));
        buf_add(&b, run->gold_failed.ptr[i]);
    }
    if (n > run->gold_failed.len) {
        buf_add(&b, S(", ..."));
    }
    return buf_str(&b);
}

// The best that any prediction can reach.
static void add_gold_ceiling(const text_report *r, ptrdiff_t run)
{
    const tally_run *counts = &r->t->by_run.ptr[run];
    int64_t ok = tally_gold_ok(r->t, run);
    int64_t failed = counts->n_cases - ok;
    if (failed == 0) {
        buf_printf(r->out, "gold ceiling 100 %%: all golds run (%lld)\n",
                   (long long)ok);
        return;
    }
    str reasons = list_words(r, &counts->gold_status);
    str ids = list_ids(r, counts, failed);
    buf_printf(r->out,
               "gold ceiling %.1f %%: %lld of %lld golds failed (%.*s)\n"
               "  cases: %.*s\n",
               100 * (double)ok / (double)counts->n_cases, (long long)failed,
               (long long)counts->n_cases, STR_ARG(reasons), STR_ARG(ids));
}

static void add_gold_ceilings(const text_report *r)
{
    add_gold_ceiling(r, 0);
    for (ptrdiff_t run = 1; run < r->n_runs; run++) {
        const tally_run *counts = &r->t->by_run.ptr[run];
        if (counts->n_cases != r->t->by_run.ptr[0].n_cases
            || tally_gold_ok(r->t, run) != tally_gold_ok(r->t, 0)) {
            buf_printf(r->out, "%.*s: ", STR_ARG(run_name(r, run)));
            add_gold_ceiling(r, run);
        }
    }
}

static void add_both_empty(const text_report *r)
{
    bool is_first = true;
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        const tally_metric *metric = tally_metric_at(r->t, 0, m);
        if (!metric || metric->n_both_empty == 0) {
            continue;
        }
        buf_printf(r->out, "%s%.*s %lld",
                   is_first ? "yes with both results empty: " : ", ",
                   STR_ARG(metric_name(r, m)), (long long)metric->n_both_empty);
        is_first = false;
    }
    buf_add(r->out, is_first ? S("") : S("\n"));
}

static void add_statuses(const text_report *r)
{
    const tally_run *run = &r->t->by_run.ptr[0];
    int64_t ok = tally_number_at(&run->pred_status, 0);
    buf_printf(r->out, "predictions: %lld run", (long long)ok);
    if (ok < run->n_cases) {
        str words = list_words(r, &run->pred_status);
        buf_printf(r->out, ", %.*s", STR_ARG(words));
    }
    buf_char(r->out, '\n');
}

static void add_execution(const text_report *r)
{
    add_gold_ceilings(r);
    if (r->n_runs == 1) {
        add_statuses(r);
        add_both_empty(r);
    }
}

// How often a word is the reason of a no in what the table shows.
static int64_t reason_total(const text_report *r, ptrdiff_t word)
{
    int64_t n = 0;
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            const tally_metric *metric = tally_metric_at(r->t, run, m);
            bool counts = r->n_runs == 1 || m == r->main_metric;
            if (metric && counts) {
                n += tally_number_at(&metric->reasons[LINE_ANSWER_NO], word);
            }
        }
    }
    return n;
}

typedef struct word_list {
    ptrdiff_t *ptr;
    ptrdiff_t len;
} word_list;

// The words that are reasons, the most frequent first.
static word_list list_reasons(const text_report *r)
{
    ptrdiff_t n = map_count(&r->t->words);
    word_list list = {.ptr = arena_new(r->a, ptrdiff_t, n)};
    int64_t *totals = arena_new(r->a, int64_t, n);
    for (ptrdiff_t word = 0; word < n; word++) {
        totals[word] = reason_total(r, word);
        if (totals[word] == 0) {
            continue;
        }
        ptrdiff_t at = list.len++;
        while (at > 0 && totals[list.ptr[at - 1]] < totals[word]) {
            list.ptr[at] = list.ptr[at - 1];
            at--;
        }
        list.ptr[at] = word;
    }
    return list;
}

static void add_reason_cell(const text_report *r,
                            grid *g,
                            const tally_metric *m,
                            ptrdiff_t word)
{
    int64_t n = m ? tally_number_at(&m->reasons[LINE_ANSWER_NO], word) : 0;
    grid_cell(g, n > 0 ? int_cell(r, n) : (str){0});
}

// One run: reasons down, metrics across.
static void add_reasons_one(const text_report *r, word_list words)
{
    grid g = new_grid(r, r->n_metrics + 1);
    grid_cell(&g, S("reasons of no"));
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        grid_cell(&g, metric_name(r, m));
    }
    for (ptrdiff_t i = 0; i < words.len; i++) {
        grid_cell(&g, map_key_at(&r->t->words, words.ptr[i]));
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            add_reason_cell(r, &g, tally_metric_at(r->t, 0, m), words.ptr[i]);
        }
    }
    print_grid(r, &g);
}

// Several runs: runs down, reasons of the main metric across.
static void add_reasons_many(const text_report *r, word_list words)
{
    grid g = new_grid(r, words.len + 1);
    grid_cell(&g, arena_printf(r->a, "%.*s: reasons of no",
                               STR_ARG(metric_name(r, r->main_metric))));
    for (ptrdiff_t i = 0; i < words.len; i++) {
        grid_cell(&g, map_key_at(&r->t->words, words.ptr[i]));
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        const tally_metric *m = tally_metric_at(r->t, run, r->main_metric);
        grid_cell(&g, run_name(r, run));
        for (ptrdiff_t i = 0; i < words.len; i++) {
            add_reason_cell(r, &g, m, words.ptr[i]);
        }
    }
    print_grid(r, &g);
}

static void add_reasons(const text_report *r)
{
    word_list words = list_reasons(r);
    if (words.len == 0) {
        return;
    }
    if (r->n_runs == 1) {
        add_reasons_one(r, words);
    } else {
        add_reasons_many(r, words);
    }
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
        const tally_metric *metric = tally_metric_at(r->t, 0, m);
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
    const tally_metric *metric = tally_metric_at(r->t, 0, m);
    if (!metric) {
        return;
    }
    const tally_count *all = &metric->all;
    grid_cell(g, metric_name(r, m));
    grid_cell(g, int_cell(r, all->answers[LINE_ANSWER_YES]));
    grid_cell(g, int_cell(r, tally_total(all)));
    grid_cell(g, arena_printf(r->a, "%.1f %%", tally_percent(all)));
    grid_cell(g, interval_text(r, all));
    if (columns.has_mean) {
        grid_cell(g,
                  metric->has_score ? value_cell(r, metric, *all) : (str){0});
    }
    if (columns.has_unknown) {
        grid_cell(g, int_cell(r, all->answers[LINE_ANSWER_UNKNOWN]));
    }
}

static void add_main_one(const text_report *r)
{
    main_columns columns = find_columns(r);
    grid g = new_grid(r, 5 + columns.has_mean + columns.has_unknown);
    grid_cell(&g, run_name(r, 0));
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
    print_grid(r, &g);
}

// "811   78.4 %   75.8 -  80.8", and the mean where there are scores.
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
    grid g = new_grid(r, r->n_metrics + 2);
    grid_cell(&g, S("run"));
    grid_cell(&g, S("cases"));
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        grid_cell(&g, metric_name(r, m));
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        grid_cell(&g, run_name(r, run));
        grid_cell(&g, int_cell(r, r->t->by_run.ptr[run].n_cases));
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            grid_cell(&g, main_cell(r, tally_metric_at(r->t, run, m)));
        }
    }
    buf_add(r->out, S("\npasses, percent and its 95 % interval"));
    print_grid(r, &g);
}

/* Tables by group. */

static str metric_title(const text_report *r, ptrdiff_t m)
{
    const tally_metric *metric = tally_metric_at(r->t, 0, m);
    return metric && metric->has_score
               ? arena_printf(r->a, "%.*s mean", STR_ARG(metric_name(r, m)))
               : metric_name(r, m);
}

// One run: groups down, metrics across.
static void add_groups_one(const text_report *r, tally_by by, str title)
{
    ptrdiff_t n = map_count(&r->t->groups[by]);
    const int32_t *order = report_group_order(r->t, by, r->a);
    grid g = new_grid(r, r->n_metrics + 2);
    grid_cell(&g, title);
    grid_cell(&g, S("cases"));
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        grid_cell(&g, metric_title(r, m));
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        int64_t cases =
            tally_number_at(&r->t->by_run.ptr[0].n_by[by], order[i]);
        grid_cell(&g, map_key_at(&r->t->groups[by], order[i]));
        grid_cell(&g, int_cell(r, cases));
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            const tally_metric *metric = tally_metric_at(r->t, 0, m);
            grid_cell(&g,
                      metric ? value_cell(
                          r, metric, tally_count_at(&metric->by[by], order[i]))
                             : (str){0});
        }
    }
    print_grid(r, &g);
}

// Several runs: runs down, groups across, for one metric.
static void add_groups_many(const text_report *r,
                            tally_by by,
                            str title,
                            ptrdiff_t m)
{
    ptrdiff_t n = map_count(&r->t->groups[by]);
    const int32_t *order = report_group_order(r->t, by, r->a);
    grid g = new_grid(r, n + 1);
    str name = metric_title(r, m);
    grid_cell(&g,
              arena_printf(r->a, "%.*s %.*s", STR_ARG(name), STR_ARG(title)));
    for (ptrdiff_t i = 0; i < n; i++) {
        grid_cell(&g, map_key_at(&r->t->groups[by], order[i]));
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        const tally_metric *metric = tally_metric_at(r->t, run, m);
        grid_cell(&g, run_name(r, run));
        for (ptrdiff_t i = 0; i < n && metric; i++) {
            grid_cell(&g,
                      value_cell(r, metric,
                                 tally_count_at(&metric->by[by], order[i])));
        }
        grid_end_row(&g);
    }
    print_grid(r, &g);
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
                     .n_runs = map_count(&t->runs),
                     .n_metrics = map_count(&t->metrics),
                     .main_metric = find_main_metric(t)};
    if (r.n_metrics == 0) {
        buf_add(out, S("no verdicts\n"));
        return;
    }
    if (runs_sql(t)) {
        add_execution(&r);
    }
    add_reasons(&r);
    if (look->is_verbose) {
        add_groups(&r, TALLY_BY_DB, S("by database"));
    }
    bool has_hardness = map_count(&t->groups[TALLY_BY_HARDNESS]) > 0;
    if (r.n_runs == 1) {
        add_main_one(&r);
    } else {
        add_main_many(&r);
    }
    if (has_hardness) {
        add_groups(&r, TALLY_BY_HARDNESS, S("by hardness"));
    }
    if (!has_hardness || look->is_verbose) {
        add_groups(&r, TALLY_BY_CATEGORY, S("by category"));
    }
}
