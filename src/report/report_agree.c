/*
 * report_agree.c - see report_agree.h.
 *
 * Method      Every metric of a line is a judge. A metric that is missing on a
 *             line was not asked and does not count there; one that says
 *             unknown was asked, and disagrees.
 */
#include "report/report_agree.h"

#include "base/words.h"
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
static void add_to_pairs(agree *t, const case_line *line, answer want)
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

void agree_add(agree *t, const case_line *line)
{
    t->n_lines++;
    const line_verdict *r = case_line_verdict(line, t->reference);
    if (t->by >= AGREE_BY_CLASS) {
        agree_add_class(t, line, r ? r->v : ANSWER_UNKNOWN);
    }
    if (!r || r->v == ANSWER_UNKNOWN) {
        t->n_without++;
        return;
    }
    if (t->fits) {
        agree_fit_add(t, line, r->v);
    }
    agreement_key key = {
        {[1] = (int32_t)map_add(&t->runs, t->a, line->run),
         [2] = (int32_t)map_add(&t->hardness, t->a, line->hardness),
         [3] = (int32_t)map_add(&t->groups, t->a,
                                case_line_text(line, by_words[t->by]))}};
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        if (v == r) {
            continue;
        }
        agree_metric *m = metric_of(t, v->key);
        key.at[0] = (int32_t)(m - t->by_metric.ptr);
        agreement_cells_add(&t->cells, t->a, key, r->v, v->v);
        if (!isnan(v->confidence) && v->v != ANSWER_UNKNOWN) {
            calibration_add(&m->sureness, v->confidence, v->v == r->v);
        }
    }
    if (map_count(&t->metrics) > 0) {
        add_to_pairs(t, line, r->v);
    }
}

agreement agree_cases(const agree *t,
                      ptrdiff_t judge,
                      ptrdiff_t run,
                      ptrdiff_t level,
                      ptrdiff_t group)
{
    return agreement_sum(
        &t->cells,
        (agreement_key){{(int32_t)(judge < 0 ? 0 : judge), (int32_t)run,
                         (int32_t)level, (int32_t)group}});
}

static agreement agree_all(const agree *t, ptrdiff_t judge)
{
    return agree_cases(t, judge, AGREEMENT_ANY, AGREEMENT_ANY, AGREEMENT_ANY);
}

/* Tables. */

static str interval_cell(arena *a, int64_t same, int64_t n)
{
    interval i = wilson_interval((double)same, n);
    return cell_range(a, i.low, i.high);
}

// The reference is judge -1.
axis agree_judges(const agree *t, arena *a)
{
    axis judges = {.of = AXIS_METRIC};
    axis_add(&judges, a, t->reference, -1);
    axis_add_map(&judges, a, &t->metrics, NULL);
    return judges;
}

static str confusion_cell(const void *what, arena *a, cell_at p)
{
    agreement c = agree_all(what, p.at[AXIS_METRIC]);
    return cell_int(a, c.n[ANSWER_YES - p.at[AXIS_ITEM] / 3]
                          [ANSWER_YES - p.at[AXIS_ITEM] % 3]);
}

// What each judge said where the reference says yes, and where it says no.
static void add_confusion(doc *d, const agree *t)
{
    axis judges = axis_of_map(AXIS_METRIC, &t->metrics, NULL, d->a);
    axis pairs = {.of = AXIS_ITEM};
    axis_add_words(&pairs, d->a, S("yes/yes|yes/no|yes/?|no/yes|no/no|no/?"),
                   0);
    grid_cross(doc_titled(d, arena_printf(d->a, "against %.*s",
                                          STR_ARG(t->reference))),
               &judges, &pairs, (cell_at){0}, confusion_cell, t);
}

// A judge that says the same of every case.
static void add_constant(grid *g, arena *a, const agree *t, answer v)
{
    agreement c = agree_all(t, 0);
    int64_t n = agreement_cases(&c);
    int64_t same = agreement_reference(&c, v);
    str word = answer_word(v);
    grid_row(g, arena_printf(a, "always %.*s", STR_ARG(word)),
             cell_int(a, same), cell_int(a, n), cell_share(a, same, n),
             interval_cell(a, same, n));
}

static void add_figures(doc *d, const agree *t)
{
    bool has_pairs = map_count(&t->metrics) > 1;
    grid *g = doc_table(
        d, S("agreement|same|cases|percent|95 %|clear|kappa|false yes|"
             "false no"));
    if (has_pairs) {
        str first = map_key_at(&t->metrics, 0);
        grid_add(g, arena_printf(d->a, "p (%.*s)", STR_ARG(first)));
    }
    for (ptrdiff_t i = 0; i < map_count(&t->metrics); i++) {
        const agree_metric *m = &t->by_metric.ptr[i];
        agreement all = agree_all(t, i);
        int64_t n = agreement_cases(&all);
        int64_t same = agreement_same(&all);
        grid_row(g, map_key_at(&t->metrics, i), cell_int(d->a, same),
                 cell_int(d->a, n), cell_share(d->a, same, n),
                 interval_cell(d->a, same, n),
                 cell_share(d->a, same, n - agreement_unclear(&all)),
                 cell_decimal(d->a, agreement_kappa(&all), 3),
                 cell_percent(d->a, agreement_false_positive(&all)),
                 cell_percent(d->a, agreement_false_negative(&all)));
        if (i > 0) {
            grid_add(g, cell_decimal(
                            d->a, mcnemar_p(m->only_this, m->only_first), 3));
        }
    }
    add_constant(g, d->a, t, ANSWER_YES);
    add_constant(g, d->a, t, ANSWER_NO);
}

static str level_cell(const void *what, arena *a, cell_at p)
{
    agreement c = agree_cases(what, p.at[AXIS_METRIC], AGREEMENT_ANY,
                              p.at[AXIS_ITEM], AGREEMENT_ANY);
    return agreement_cases(&c) > 0
               ? cell_int(a, agree_right(&c, p.at[AXIS_METRIC]))
               : S("-");
}

// How many cases of each hardness the judges call right, and how many of them
// the reference does.
static void add_hardness(doc *d, const agree *t)
{
    axis judges = agree_judges(t, d->a);
    axis levels = axis_of_map(AXIS_ITEM, &t->hardness,
                              report_hardness_order(&t->hardness, d->a), d->a);
    if (levels.marks.len > 1) {
        grid_cross(doc_table(d, S("called right")), &judges, &levels,
                   (cell_at){0}, level_cell, t);
    }
}

static str share_cell(const void *what, arena *a, cell_at p)
{
    return cell_percent(a,
                        agree_share(what, p.at[AXIS_METRIC], p.at[AXIS_RUN]));
}

// Runs as each judge sees them: percent of yes, and tau with the reference.
static void add_runs(doc *d, const agree *t)
{
    ptrdiff_t n = map_count(&t->runs);
    axis runs = axis_of_map(AXIS_RUN, &t->runs, NULL, d->a);
    axis judges = agree_judges(t, d->a);
    if (n < 2) {
        return;
    }
    grid *g = doc_table(d, S("percent yes"));
    grid_cross(g, &runs, &judges, (cell_at){0}, share_cell, t);
    grid_row(g, S("tau of the order"), (str){0});
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        grid_add(g, cell_decimal(d->a,
                                 kendall_tau(agree_shares(t, -1, d->a),
                                             agree_shares(t, m, d->a), n),
                                 3));
    }
}

// For each judge how right it is by group, with its two kinds of error.
static void add_groups(doc *d, const agree *t)
{
    const int32_t *order = report_hardness_order(&t->groups, d->a);
    bool has_groups = t->by != AGREE_BY_NONE && t->by < AGREE_BY_CLASS;
    for (ptrdiff_t m = 0; has_groups && m < map_count(&t->metrics); m++) {
        str judge = map_key_at(&t->metrics, m);
        grid *g =
            doc_titled(d, arena_printf(d->a, "%.*s by %.*s", STR_ARG(judge),
                                       STR_ARG(by_words[t->by])));
        grid_heads(g, S("cases|percent|95 %|false yes|false no"));
        for (ptrdiff_t i = 0; i < map_count(&t->groups); i++) {
            agreement c =
                agree_cases(t, m, AGREEMENT_ANY, AGREEMENT_ANY, order[i]);
            int64_t n = agreement_cases(&c);
            int64_t same = agreement_same(&c);
            str name = map_key_at(&t->groups, order[i]);
            grid_row(g, cell_name(name), cell_int(d->a, n),
                     cell_share(d->a, same, n), interval_cell(d->a, same, n),
                     cell_percent(d->a, agreement_false_positive(&c)),
                     cell_percent(d->a, agreement_false_negative(&c)));
        }
    }
}

// How often a judge is right where its votes make it how sure.
static void add_calibration(doc *d, const agree *t)
{
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        const calibration *c = &t->by_metric.ptr[m].sureness;
        double error = calibration_error(c);
        if (isnan(error)) {
            continue;
        }
        str judge = map_key_at(&t->metrics, m);
        grid *g =
            doc_titled(d, arena_printf(d->a, "%.*s sure", STR_ARG(judge)));
        grid_heads(g, S("cases|right|percent|95 %"));
        for (int i = 0; i < CALIBRATION_BINS; i++) {
            if (c->n[i] == 0) {
                continue;
            }
            grid_row(g, calibration_bin_name(d->a, i), cell_int(d->a, c->n[i]),
                     cell_int(d->a, c->n_right[i]),
                     cell_share(d->a, c->n_right[i], c->n[i]),
                     interval_cell(d->a, c->n_right[i], c->n[i]));
        }
        doc_say(d, "calibration error %.3f\n", error);
    }
}

static void add_people(doc *d, const agree *t)
{
    const people *p = &t->people;
    if (p->n_cases > 0) {
        str kappa = cell_decimal(d->a, people_kappa(p), 3);
        doc_say(d,
                "people: %lld label%s for %lld case%s, %lld unanimous, %lld "
                "tied; Fleiss' kappa %.*s\n",
                (long long)p->n_labels, plural(p->n_labels),
                (long long)p->n_cases, plural(p->n_cases),
                (long long)p->n_unanimous, (long long)p->n_tied,
                STR_ARG(kappa));
    }
}

void agree_doc(doc *d, const agree *t)
{
    if (t->n_without > 0) {
        doc_say(d, "%lld of %lld cases have no %.*s of yes or no\n",
                (long long)t->n_without, (long long)t->n_lines,
                STR_ARG(t->reference));
    }
    add_people(d, t);
    if (map_count(&t->metrics) == 0) {
        return;
    }
    add_runs(d, t);
    add_hardness(d, t);
    add_groups(d, t);
    add_confusion(d, t);
    add_calibration(d, t);
    add_figures(d, t);
}
