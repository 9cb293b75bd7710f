/*
 * report_agree.c - see report_agree.h.
 *
 * Method      Every metric of a line is a judge. A metric that is missing on a
 *             line was not asked and does not count there; one that says
 *             unknown was asked, and disagrees.
 */
#include "report/report_agree.h"

#include "base/words.h"
#include "report/sheet.h"
#include "report/wilson.h"

#include <math.h>

agree agree_new(arena *a, str reference)
{
    return (agree){.a = a, .reference = reference};
}

static agree_metric *metric_of(agree *t, str key)
{
    ptrdiff_t id = map_add(&t->metrics, t->a, key);
    return vec_at(t->a, &t->by_metric, id);
}

// Each metric against the first one of all lines.
static void add_to_pairs(agree *t, const case_line *line, line_answer want)
{
    const line_verdict *first =
        case_line_verdict(line, map_key_at(&t->metrics, 0));
    for (ptrdiff_t i = 0; first && i < line->verdicts.len; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        if (v != first && !str_equal(v->key, t->reference)) {
            agree_metric *m = metric_of(t, v->key);
            m->only_this += v->v == want && first->v != want;
            m->only_first += v->v != want && first->v == want;
        }
    }
}

static const str by_words[] = {
    [AGREE_BY_NONE] = S_INIT(""),
    [AGREE_BY_RUN] = S_INIT("run"),
    [AGREE_BY_DB] = S_INIT("db"),
    [AGREE_BY_CATEGORY] = S_INIT("category"),
    [AGREE_BY_HARDNESS] = S_INIT("hardness"),
    [AGREE_BY_CLASS] = S_INIT("class"),
    [AGREE_BY_LENIENCY] = S_INIT("leniency"),
    [AGREE_BY_NORM] = S_INIT("norm"),
};

_Static_assert(countof(by_words) == AGREE_BY_COUNT, "each has its word");

bool agree_group_by(agree *t, str word)
{
    ptrdiff_t by = words_in(by_words, countof(by_words), word);
    t->by = by >= 0 ? (agree_by)by : t->by;
    return by >= 0;
}

static str group_of(const agree *t, const case_line *line)
{
    switch (t->by) {
    case AGREE_BY_RUN: return line->run;
    case AGREE_BY_DB: return line->db;
    case AGREE_BY_CATEGORY: return line->category;
    case AGREE_BY_HARDNESS: return line->hardness;
    case AGREE_BY_NONE:
    case AGREE_BY_CLASS:
    case AGREE_BY_LENIENCY:
    case AGREE_BY_NORM:
    case AGREE_BY_COUNT: break;
    }
    return (str){0};
}

void agree_add(agree *t, const case_line *line)
{
    t->n_lines++;
    const line_verdict *r = case_line_verdict(line, t->reference);
    if (t->by >= AGREE_BY_CLASS) {
        agree_add_class(t, line, r ? r->v : LINE_ANSWER_UNKNOWN);
    }
    if (!r || r->v == LINE_ANSWER_UNKNOWN) {
        t->n_without++;
        return;
    }
    if (t->fits) {
        agree_fit_add(t, line, r->v);
    }
    ptrdiff_t run = map_add(&t->runs, t->a, line->run);
    ptrdiff_t hardness = map_add(&t->hardness, t->a, line->hardness);
    ptrdiff_t group = map_add(&t->groups, t->a, group_of(t, line));
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        if (v == r) {
            continue;
        }
        agree_metric *m = metric_of(t, v->key);
        agreement_add(&m->all, r->v, v->v);
        agreement_add(vec_at(t->a, &m->by_hardness, hardness), r->v, v->v);
        agreement_add(vec_at(t->a, &m->by_run, run), r->v, v->v);
        agreement_add(vec_at(t->a, &m->by_group, group), r->v, v->v);
        ptrdiff_t level = hardness < AGREE_LEVELS ? hardness : AGREE_LEVELS - 1;
        ptrdiff_t cell = run * AGREE_LEVELS + level;
        agreement_add(vec_at(t->a, &m->by_cell, cell), r->v, v->v);
        if (v->has_confidence && v->v != LINE_ANSWER_UNKNOWN) {
            calibration_add(&m->sureness, v->confidence, v->v == r->v);
        }
    }
    if (map_count(&t->metrics) > 0) {
        add_to_pairs(t, line, r->v);
    }
}

/* Tables. */

static str interval_cell(arena *a, int64_t same, int64_t n)
{
    interval i = wilson_interval((double)same, n);
    return arena_printf(a, "%.1f-%.1f", i.low * 100, i.high * 100);
}

// What each judge said where the reference says yes, and where it says no.
static void add_confusion(const sheet *s, const agree *t)
{
    grid g = sheet_titled(
        s, 7, arena_printf(s->a, "against %.*s", STR_ARG(t->reference)));
    grid_heads(&g, S("yes/yes|yes/no|yes/?|no/yes|no/no|no/?"));
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        const agreement *c = &t->by_metric.ptr[m].all;
        grid_cell(&g, map_key_at(&t->metrics, m));
        for (int v = LINE_ANSWER_YES; v >= LINE_ANSWER_NO; v--) {
            grid_row(&g, cell_int(s->a, c->n[v][LINE_ANSWER_YES]),
                     cell_int(s->a, c->n[v][LINE_ANSWER_NO]),
                     cell_int(s->a, c->n[v][LINE_ANSWER_UNKNOWN]));
        }
    }
    sheet_add(s, &g);
}

// A judge that says the same of every case.
static void add_constant(grid *g, arena *a, const agree *t, line_answer v)
{
    const agreement *c = &t->by_metric.ptr[0].all;
    int64_t n = agreement_cases(c);
    int64_t same = agreement_reference(c, v);
    str word = line_answer_word(v);
    grid_row(g, arena_printf(a, "always %.*s", STR_ARG(word)),
             cell_int(a, same), cell_int(a, n), cell_share(a, same, n),
             interval_cell(a, same, n));
    grid_end_row(g);
}

static void add_figures(const sheet *s, const agree *t)
{
    bool has_pairs = map_count(&t->metrics) > 1;
    grid g =
        sheet_grid(s, has_pairs ? 10 : 9,
                   S("agreement|same|cases|percent|95 %|clear|kappa|false yes|"
                     "false no"));
    if (has_pairs) {
        str first = map_key_at(&t->metrics, 0);
        grid_cell(&g, arena_printf(s->a, "p (%.*s)", STR_ARG(first)));
    }
    for (ptrdiff_t i = 0; i < map_count(&t->metrics); i++) {
        const agree_metric *m = &t->by_metric.ptr[i];
        int64_t n = agreement_cases(&m->all);
        int64_t same = agreement_same(&m->all);
        grid_row(&g, map_key_at(&t->metrics, i), cell_int(s->a, same),
                 cell_int(s->a, n), cell_share(s->a, same, n),
                 interval_cell(s->a, same, n),
                 cell_share(s->a, same, n - agreement_unclear(&m->all)),
                 cell_decimal(s->a, agreement_kappa(&m->all), 3),
                 cell_percent(s->a, agreement_false_positive(&m->all)),
                 cell_percent(s->a, agreement_false_negative(&m->all)));
        if (i > 0) {
            grid_cell(&g, cell_decimal(
                              s->a, mcnemar_p(m->only_this, m->only_first), 3));
        }
        grid_end_row(&g);
    }
    add_constant(&g, s->a, t, LINE_ANSWER_YES);
    add_constant(&g, s->a, t, LINE_ANSWER_NO);
    sheet_add(s, &g);
}

// How many cases of each hardness the judges call right, and how many of them
// the reference does.
static void add_hardness(const sheet *s, const agree *t)
{
    ptrdiff_t n = map_count(&t->hardness);
    if (n < 2) {
        return;
    }
    const int32_t *order = report_hardness_order(&t->hardness, s->a);
    grid g = sheet_grid(s, n + 1, S("called right"));
    for (ptrdiff_t i = 0; i < n; i++) {
        str name = map_key_at(&t->hardness, order[i]);
        grid_cell(&g, cell_name(name));
    }
    const agree_metric *first = &t->by_metric.ptr[0];
    grid_cell(&g, t->reference);
    for (ptrdiff_t i = 0; i < n; i++) {
        bool is_there = order[i] < first->by_hardness.len;
        grid_cell(
            &g, is_there ? cell_int(
                    s->a, agreement_reference(&first->by_hardness.ptr[order[i]],
                                              LINE_ANSWER_YES))
                         : S("-"));
    }
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        const agree_metric *metric = &t->by_metric.ptr[m];
        grid_cell(&g, map_key_at(&t->metrics, m));
        for (ptrdiff_t i = 0; i < n; i++) {
            bool is_there = order[i] < metric->by_hardness.len;
            grid_cell(&g, is_there ? cell_int(
                              s->a, agreement_judge(
                                        &metric->by_hardness.ptr[order[i]],
                                        LINE_ANSWER_YES))
                                   : S("-"));
        }
    }
    sheet_add(s, &g);
}

// Runs as each judge sees them: percent of yes, and tau with the reference.
static void add_runs(const sheet *s, const agree *t)
{
    ptrdiff_t n = map_count(&t->runs);
    if (n < 2) {
        return;
    }
    ptrdiff_t n_metrics = map_count(&t->metrics);
    double *reference = arena_new(s->a, double, n);
    double *judge = arena_new(s->a, double, n *n_metrics);
    for (ptrdiff_t m = 0; m < n_metrics; m++) {
        const agree_metric *metric = &t->by_metric.ptr[m];
        for (ptrdiff_t r = 0; r < n && r < metric->by_run.len; r++) {
            const agreement *c = &metric->by_run.ptr[r];
            double cases = (double)agreement_cases(c);
            if (cases > 0) {
                reference[r] =
                    (double)agreement_reference(c, LINE_ANSWER_YES) / cases;
                judge[m * n + r] =
                    (double)agreement_judge(c, LINE_ANSWER_YES) / cases;
            }
        }
    }
    grid g = sheet_grid(s, n_metrics + 2, S("percent yes"));
    grid_cell(&g, t->reference);
    for (ptrdiff_t m = 0; m < n_metrics; m++) {
        grid_cell(&g, map_key_at(&t->metrics, m));
    }
    for (ptrdiff_t r = 0; r < n; r++) {
        str name = map_key_at(&t->runs, r);
        grid_cell(&g, name.len > 0 ? name : S("run"));
        grid_cell(&g, cell_percent(s->a, reference[r]));
        for (ptrdiff_t m = 0; m < n_metrics; m++) {
            grid_cell(&g, cell_percent(s->a, judge[m * n + r]));
        }
    }
    grid_cell(&g, S("tau of the order"));
    grid_cell(&g, (str){0});
    for (ptrdiff_t m = 0; m < n_metrics; m++) {
        grid_cell(&g, cell_decimal(
                          s->a, kendall_tau(reference, judge + m * n, n), 3));
    }
    sheet_add(s, &g);
}

// For each judge how right it is by group, with its two kinds of error.
static void add_groups(const sheet *s, const agree *t)
{
    const int32_t *order = report_hardness_order(&t->groups, s->a);
    bool has_groups = t->by != AGREE_BY_NONE && t->by < AGREE_BY_CLASS;
    for (ptrdiff_t m = 0; has_groups && m < map_count(&t->metrics); m++) {
        str judge = map_key_at(&t->metrics, m);
        grid g = sheet_titled(s, 6,
                              arena_printf(s->a, "%.*s by %.*s", STR_ARG(judge),
                                           STR_ARG(by_words[t->by])));
        grid_heads(&g, S("cases|percent|95 %|false yes|false no"));
        const agreement_list *list = &t->by_metric.ptr[m].by_group;
        for (ptrdiff_t i = 0; i < map_count(&t->groups); i++) {
            agreement c =
                order[i] < list->len ? list->ptr[order[i]] : (agreement){0};
            int64_t n = agreement_cases(&c);
            int64_t same = agreement_same(&c);
            str name = map_key_at(&t->groups, order[i]);
            grid_row(&g, cell_name(name), cell_int(s->a, n),
                     cell_share(s->a, same, n), interval_cell(s->a, same, n),
                     cell_percent(s->a, agreement_false_positive(&c)),
                     cell_percent(s->a, agreement_false_negative(&c)));
        }
        sheet_add(s, &g);
    }
}

// How often a judge is right where its votes make it how sure.
static void add_calibration(const sheet *s, const agree *t)
{
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        const calibration *c = &t->by_metric.ptr[m].sureness;
        double error = calibration_error(c);
        if (isnan(error)) {
            continue;
        }
        str judge = map_key_at(&t->metrics, m);
        grid g =
            sheet_titled(s, 5, arena_printf(s->a, "%.*s sure", STR_ARG(judge)));
        grid_heads(&g, S("cases|right|percent|95 %"));
        for (int i = 0; i < CALIBRATION_BINS; i++) {
            if (c->n[i] == 0) {
                continue;
            }
            grid_row(&g, calibration_bin_name(s->a, i), cell_int(s->a, c->n[i]),
                     cell_int(s->a, c->n_right[i]),
                     cell_share(s->a, c->n_right[i], c->n[i]),
                     interval_cell(s->a, c->n_right[i], c->n[i]));
        }
        sheet_add(s, &g);
        buf_printf(s->out, "calibration error %.3f\n", error);
    }
}

static void add_people(buf *out, const agree *t, arena *a)
{
    const people *p = &t->people;
    if (p->n_cases > 0) {
        str kappa = cell_decimal(a, people_kappa(p), 3);
        buf_printf(out,
                   "people: %lld label%s for %lld case%s, %lld unanimous, %lld "
                   "tied; Fleiss' kappa %.*s\n",
                   (long long)p->n_labels, plural(p->n_labels),
                   (long long)p->n_cases, plural(p->n_cases),
                   (long long)p->n_unanimous, (long long)p->n_tied,
                   STR_ARG(kappa));
    }
}

void agree_text(buf *out,
                const agree *t,
                const report_look *look,
                arena scratch)
{
    const sheet s = {out, look, &scratch};
    if (t->n_without > 0) {
        buf_printf(out, "%lld of %lld cases have no %.*s of yes or no\n",
                   (long long)t->n_without, (long long)t->n_lines,
                   STR_ARG(t->reference));
    }
    add_people(out, t, &scratch);
    if (map_count(&t->metrics) == 0) {
        return;
    }
    add_runs(&s, t);
    add_hardness(&s, t);
    add_groups(&s, t);
    add_confusion(&s, t);
    add_calibration(&s, t);
    add_figures(&s, t);
}
