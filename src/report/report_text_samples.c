/*
 * report_text_samples.c - what several samples a case come to, for people.
 *
 * Method      The verdicts are there under keys of their own ("exec@5"); here
 *             they become columns: pass@1, pass@5, vote. A case is one trial,
 *             however many samples it has, for the samples of a case are alike:
 *             the interval is Wilson's of the mean over as many trials as there
 *             are cases. That is never too narrow: among scores from 0 to 1
 *             with the same mean those of 0 and 1 scatter most.
 */
#include "report/report_text.h"
#include "report/wilson.h"

typedef struct sample_columns {
    str *words;  // "1", "5", "vote": what follows the @
    ptrdiff_t n;
} sample_columns;

static sample_columns find_columns(const text_report *r)
{
    ptrdiff_t n = map_count(&r->t->metrics);
    sample_columns found = {.words = arena_new(r->s.a, str, n)};
    for (ptrdiff_t i = 0; i < n; i++) {
        str word = map_key_at(&r->t->metrics, i);
        str_cut(&word, '@');
        bool is_new = word.len > 0;
        for (ptrdiff_t k = 0; k < found.n; k++) {
            is_new = is_new && !str_equal(found.words[k], word);
        }
        if (is_new) {
            found.words[found.n++] = word;
        }
    }
    return found;
}

static const tally_metric *sample_tally(const text_report *r,
                                        ptrdiff_t run,
                                        ptrdiff_t metric,
                                        str word)
{
    str key = text_metric(r, metric);
    key = arena_printf(r->s.a, "%.*s@%.*s", STR_ARG(key), STR_ARG(word));
    return tally_metric_at(r->t, run, map_find(&r->t->metrics, key));
}

static str title_of(const text_report *r, str word)
{
    return str_equal(word, S("vote"))
               ? word
               : arena_printf(r->s.a, "pass@%.*s", STR_ARG(word));
}

// "72.1  68.3-75.6"
static str cell_of(const text_report *r, const tally_metric *m)
{
    int64_t n = m ? tally_total(&m->all) : 0;
    if (!m || m->all.answers[LINE_ANSWER_UNKNOWN] == n) {
        return (str){0};
    }
    double yes =
        m->has_score ? m->all.score : (double)m->all.answers[LINE_ANSWER_YES];
    interval i = wilson_interval(yes, n);
    str value = text_value(r, m, m->all);
    return arena_printf(r->s.a, "%.*s  %4.1f%s%.1f", STR_ARG(value),
                        i.low * 100, r->s.look->has_unicode ? "–" : "-",
                        i.high * 100);
}

static void add_row(const text_report *r,
                    grid *g,
                    const sample_columns *columns,
                    ptrdiff_t run,
                    ptrdiff_t metric)
{
    str name = text_metric(r, metric);
    str run_name = text_run(r, run);
    grid_cell(g, r->n_runs > 1 ? arena_printf(r->s.a, "%.*s %.*s",
                                              STR_ARG(run_name), STR_ARG(name))
                               : name);
    for (ptrdiff_t i = 0; i < columns->n; i++) {
        grid_cell(g,
                  cell_of(r, sample_tally(r, run, metric, columns->words[i])));
    }
}

// "pass@5: 3 of 40 cases have too few samples", where that is so.
static void add_too_few(const text_report *r, str word)
{
    int64_t n = 0;
    int64_t total = 0;
    ptrdiff_t reason = map_find(&r->t->words, S("too_few_samples"));
    for (ptrdiff_t run = 0; reason >= 0 && run < r->n_runs; run++) {
        const tally_metric *m = sample_tally(r, run, 0, word);
        if (m) {
            n += tally_number_at(&m->reasons[LINE_ANSWER_UNKNOWN], reason);
            total += tally_total(&m->all);
        }
    }
    if (n > 0) {
        str title = title_of(r, word);
        buf_printf(r->s.out, "%.*s: %lld of %lld have too few samples\n",
                   STR_ARG(title), (long long)n, (long long)total);
    }
}

void text_add_samples(const text_report *r)
{
    sample_columns columns = find_columns(r);
    if (columns.n == 0) {
        return;
    }
    grid g = sheet_grid(&r->s, columns.n + 1, S("over samples"));
    for (ptrdiff_t i = 0; i < columns.n; i++) {
        grid_cell(&g, title_of(r, columns.words[i]));
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            bool shown = r->n_runs == 1 || r->s.look->is_verbose || m == 0;
            if (shown && sample_tally(r, run, m, columns.words[0])) {
                add_row(r, &g, &columns, run, m);
            }
        }
    }
    buf_add(r->s.out,
            S("\nabove: the first sample of each case; below: all samples"));
    sheet_add(&r->s, &g);
    for (ptrdiff_t i = 0; i < columns.n; i++) {
        add_too_few(r, columns.words[i]);
    }
}

// Groups down, pass@k and vote of the main metric across.
static void add_groups(const text_report *r,
                       const sample_columns *columns,
                       tally_by by,
                       str title,
                       ptrdiff_t run)
{
    const int32_t *order = report_group_order(r->t, by, r->s.a);
    str metric = text_metric(r, 0);
    str name = r->n_runs > 1 ? text_run(r, run) : (str){0};
    grid g = sheet_titled(&r->s, columns->n + 1,
                          arena_printf(r->s.a, "%.*s%s%.*s %.*s", STR_ARG(name),
                                       name.len > 0 ? " " : "", STR_ARG(metric),
                                       STR_ARG(title)));
    for (ptrdiff_t i = 0; i < columns->n; i++) {
        grid_cell(&g, title_of(r, columns->words[i]));
    }
    for (ptrdiff_t i = 0; i < map_count(&r->t->groups[by]); i++) {
        grid_cell(&g, map_key_at(&r->t->groups[by], order[i]));
        for (ptrdiff_t k = 0; k < columns->n; k++) {
            const tally_metric *m = sample_tally(r, run, 0, columns->words[k]);
            grid_cell(&g,
                      m ? text_value(r, m, tally_count_at(&m->by[by], order[i]))
                        : (str){0});
        }
    }
    sheet_add(&r->s, &g);
}

void text_add_sample_groups(const text_report *r, tally_by by, str title)
{
    sample_columns columns = find_columns(r);
    for (ptrdiff_t run = 0; columns.n > 0 && run < r->n_runs; run++) {
        add_groups(r, &columns, by, title, run);
    }
}
