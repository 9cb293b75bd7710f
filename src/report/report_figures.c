/*
 * report_figures.c - see report_figures.h.
 *
 * Method      A figure is a text that stands alone, in a cell or a sentence:
 *             each format only has to escape it. The interval is Wilson's, of
 *             the mean where a metric has scores, as in the summary.
 */
#include "report/report_figures.h"

#include "report/wilson.h"

#include <math.h>

str figures_percent(arena *a, const tally_metric *m, tally_count count)
{
    return m && tally_total(&count) > 0
               ? arena_printf(a, "%.1f %%", tally_value(m, &count))
               : (str){0};
}

// Of one metric with its interval and what is unknown: "78.4 % (75.8-80.8), 3
// unknown"; of none how many cases there are.
static str run_cell(const void *what, arena *a, cell_at p)
{
    const tally *t = what;
    ptrdiff_t run = p.at[AXIS_RUN];
    const tally_metric *m = tally_metric_at(t, run, p.at[AXIS_METRIC]);
    if (!m) {
        return p.at[AXIS_METRIC] < 0 ? cell_int(a, t->by_run.ptr[run].n_cases)
                                     : (str){0};
    }
    interval i = tally_interval(m);
    long long unknown = (long long)m->all.answers[ANSWER_UNKNOWN];
    str percent = figures_percent(a, m, m->all);
    str text = arena_printf(a, "%.*s (%.1f-%.1f)", STR_ARG(percent),
                            i.low * 100, i.high * 100);
    return unknown == 0
               ? text
               : arena_printf(a, "%.*s, %lld unknown", STR_ARG(text), unknown);
}

void figures_runs(doc *d, const tally *t)
{
    axis runs = axis_of_map(AXIS_RUN, &t->runs, NULL, d->a);
    axis metrics = {.of = AXIS_METRIC};
    axis_add(&metrics, d->a, S("cases"), -1);
    axis_add_map(&metrics, d->a, &t->metrics, NULL);
    grid_cross(doc_table(d, S("run")), &runs, &metrics, (cell_at){0}, run_cell,
               t);
}

// A name for each: the metric's, with several runs the run's before it.
static void add_abstained(doc *d, const tally *t)
{
    arena *a = d->a;
    ptrdiff_t n_runs = map_count(&t->runs);
    vec_of(abstained_row) rows = {0};
    for (ptrdiff_t run = 0; run < n_runs; run++) {
        for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
            const tally_metric *metric = tally_metric_at(t, run, m);
            const abstained *c = metric ? &metric->abstained : NULL;
            str name = map_key_at(&t->runs, run);
            str key = map_key_at(&t->metrics, m);
            name = n_runs == 1 ? key
                               : arena_printf(a, "%.*s %.*s", STR_ARG(name),
                                              STR_ARG(key));
            if (c && abstained_cases(c) + c->unknown > 0) {
                *vec_push(a, &rows) = (abstained_row){name, c};
            }
        }
    }
    abstained_tables(d, rows.ptr, rows.len);
}

void figures_tables(doc *d, const tally *t, ptrdiff_t metric)
{
    arena *a = d->a;
    ptrdiff_t n = map_count(&t->runs);
    bill_run *runs = arena_new(a, bill_run, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        const bill_answers *answers = &t->by_run.ptr[i].answers;
        const tally_metric *m = tally_metric_at(t, i, metric);
        runs[i] = (bill_run){
            .name = map_key_at(&t->runs, i),
            .right = m ? tally_percent(&m->all) : NAN,
            .bill = bill_of(answers, metric, *a),
            .sureness = bill_sureness(answers, metric, a),
        };
    }
    add_abstained(d, t);
    bill_tables(d, runs, n);
}

str figures_group_word(tally_by by)
{
    static const str words[] = {
        [TALLY_BY_DB] = S_INIT("database"),
        [TALLY_BY_CATEGORY] = S_INIT("category"),
        [TALLY_BY_HARDNESS] = S_INIT("hardness"),
        [TALLY_BY_FEATURE] = S_INIT("feature"),
        [TALLY_BY_NUMBER] = S_INIT("number"),
    };
    return words[by];
}

static void add_part(buf *b, const char *before, str text)
{
    if (text.len > 0) {
        buf_add(b, b->len > 0 ? S("; ") : S(""));
        buf_add(b, str_from(before));
        buf_add(b, text);
    }
}

static str words_of(arena *a, const json *list)
{
    buf b = buf_new(a);
    for (; list; list = list->next) {
        buf_list(&b, list->text);
    }
    return buf_str(&b);
}

str figures_head_text(arena *a, const json *head)
{
    if (!head) {
        return (str){0};
    }
    str rules = words_of(a, json_children(head, S("rules")));
    buf b = buf_new(a);
    add_part(&b, "assay ", json_get_text(head, S("assay")));
    add_part(&b, "", json_get_text(head, S("engine")));
    add_part(&b, "gold ", json_get_text(json_get(head, S("gold")), S("file")));
    add_part(&b, "rules ", rules);
    add_part(&b, "clock ", json_get_text(head, S("clock")));
    return buf_str(&b);
}
