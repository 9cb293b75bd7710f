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

static str title_of(const text_report *r, str word)
{
    return str_equal(word, S("vote"))
               ? word
               : arena_printf(r->d->a, "pass@%.*s", STR_ARG(word));
}

// What follows the @ of metrics: "1", "5", "vote".
static map find_words(const text_report *r)
{
    map words = {0};
    for (ptrdiff_t i = 0; i < map_count(&r->t->metrics); i++) {
        str word = map_key_at(&r->t->metrics, i);
        str_cut(&word, '@');
        if (word.len > 0) {
            map_add(&words, r->d->a, word);
        }
    }
    return words;
}

typedef struct sample_cells {
    const text_report *r;
    map words;
    axis columns;  // metrics, but that of a word each
    tally_by by;
} sample_cells;

static sample_cells find_columns(const text_report *r, tally_by by)
{
    sample_cells c = {r, find_words(r), {.of = AXIS_METRIC}, by};
    for (ptrdiff_t i = 0; i < map_count(&c.words); i++) {
        axis_add(&c.columns, r->d->a, title_of(r, map_key_at(&c.words, i)), i);
    }
    return c;
}

static const tally_metric *sample_tally(const text_report *r,
                                        ptrdiff_t run,
                                        ptrdiff_t metric,
                                        str word)
{
    str key = text_metric(r, metric);
    key = arena_printf(r->d->a, "%.*s@%.*s", STR_ARG(key), STR_ARG(word));
    return tally_metric_at(r->t, run, map_find(&r->t->metrics, key));
}

// "72.1  68.3-75.6", of a run and a metric.
static str sample_cell(const void *what, arena *a, cell_at p)
{
    const sample_cells *c = what;
    const text_report *r = c->r;
    ptrdiff_t run = p.at[AXIS_RUN] / r->n_metrics;
    const tally_metric *m =
        sample_tally(r, run, p.at[AXIS_RUN] % r->n_metrics,
                     map_key_at(&c->words, p.at[AXIS_METRIC]));
    int64_t n = m ? tally_total(&m->all) : 0;
    if (!m || m->all.answers[ANSWER_UNKNOWN] == n) {
        return (str){0};
    }
    interval i = tally_interval(m);
    str value = text_value(a, m, m->all);
    return arena_printf(a, "%.*s  %4.1f%s%.1f", STR_ARG(value), i.low * 100,
                        r->d->look.has_unicode ? "–" : "-", i.high * 100);
}

// "pass@5: 3 of 40 cases have too few samples", where that is so.
static void add_too_few(const text_report *r, str word)
{
    int64_t n = 0;
    int64_t total = 0;
    ptrdiff_t why = map_find(&r->t->words, S("too_few_samples"));
    for (ptrdiff_t run = 0; why >= 0 && run < r->n_runs; run++) {
        const tally_metric *m = sample_tally(r, run, 0, word);
        if (m) {
            n += tally_number_at(&m->reasons[ANSWER_UNKNOWN], why);
            total += tally_total(&m->all);
        }
    }
    if (n > 0) {
        str title = title_of(r, word);
        doc_say(r->d, "%.*s: %lld of %lld have too few samples\n",
                STR_ARG(title), (long long)n, (long long)total);
    }
}

void text_add_samples(const text_report *r)
{
    sample_cells c = find_columns(r, TALLY_BY_COUNT);
    axis rows = {.of = AXIS_RUN};  // each with each metric
    if (map_count(&c.words) == 0) {
        return;
    }
    for (ptrdiff_t i = 0; i < r->n_runs * r->n_metrics; i++) {
        ptrdiff_t run = i / r->n_metrics;
        ptrdiff_t m = i % r->n_metrics;
        str name = text_metric(r, m);
        bool shown = r->n_runs == 1 || r->d->look.is_verbose || m == 0;
        if (shown && sample_tally(r, run, m, map_key_at(&c.words, 0))) {
            axis_add(&rows, r->d->a,
                     r->n_runs > 1 ? arena_printf(r->d->a, "%.*s %.*s",
                                                  STR_ARG(text_run(r, run)),
                                                  STR_ARG(name))
                                   : name,
                     i);
        }
    }
    doc_say(r->d, "\nabove: the first sample of each case; below: all samples");
    grid_cross(doc_table(r->d, S("over samples")), &rows, &c.columns,
               (cell_at){0}, sample_cell, &c);
    for (ptrdiff_t i = 0; i < map_count(&c.words); i++) {
        add_too_few(r, map_key_at(&c.words, i));
    }
}

static str group_cell(const void *what, arena *a, cell_at p)
{
    const sample_cells *c = what;
    const tally_metric *m = sample_tally(
        c->r, p.at[AXIS_RUN], 0, map_key_at(&c->words, p.at[AXIS_METRIC]));
    return m ? text_value(a, m, tally_count_at(&m->by[c->by], p.at[AXIS_ITEM]))
             : (str){0};
}

// Groups down, pass@k and vote of the main metric across.
void text_add_sample_groups(const text_report *r, tally_by by, str title)
{
    sample_cells c = find_columns(r, by);
    axis groups = axis_of_map(AXIS_ITEM, &r->t->groups[by],
                              report_group_order(r->t, by, r->d->a), r->d->a);
    for (ptrdiff_t run = 0; map_count(&c.words) > 0 && run < r->n_runs; run++) {
        str name = r->n_runs > 1 ? text_run(r, run) : (str){0};
        str head = arena_printf(r->d->a, "%.*s%s%.*s %.*s", STR_ARG(name),
                                name.len > 0 ? " " : "",
                                STR_ARG(text_metric(r, 0)), STR_ARG(title));
        grid_cross(doc_titled(r->d, head), &groups, &c.columns,
                   (cell_at){.at[AXIS_RUN] = run}, group_cell, &c);
    }
}
