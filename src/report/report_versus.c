/*
 * report_versus.c - runs side by side as text and as Markdown.
 *
 * Method      Every table is a grid; Markdown only prints it in another way.
 *             Differences are b - a in points of 100, so that a plus is good
 *             news for the second run.
 */
#include "report/report_versus.h"

#include "base/utf8.h"
#include "report/doc.h"
#include "report/report_bill.h"

#include <assert.h>
#include <math.h>

enum {
    QUESTION_WIDTH = 60,
};

/* --- cells --------------------------------------------------------------- */

static str percent(arena *a, double share)
{
    return cell_decimal(a, share * 100, 1);
}

/* --- two runs ------------------------------------------------------------ */

// `names` of a pair: the run that was there before, and the other.
static void add_shares(doc *d, const versus_pair *p, const str names[2])
{
    const paired_counts *c = &p->d.all;
    grid *g = doc_table(d, S("run|right|percent|only this one|both|neither"));
    for (int side = 0; side < 2; side++) {
        int64_t only = side == 0 ? c->only_a : c->only_b;
        grid_row(g, names[side], cell_int(d->a, c->both + only),
                 percent(d->a, part_share(c->both + only, paired_cases(c))),
                 cell_int(d->a, only), cell_int(d->a, c->both),
                 cell_int(d->a, c->neither));
    }
}

static void add_figures(doc *d, const versus_pair *p)
{
    const paired_difference *x = &p->d;
    doc_say(d, "\ndifference %+.1f points, 95 %% interval %+.1f to %+.1f",
            x->difference * 100, x->low * 100, x->high * 100);
    if (p->is_by_db) {
        doc_say(d, " (clustered by %td database%s", x->n_clusters,
                plural(x->n_clusters));
        if (!isnan(p->bootstrap.low)) {
            doc_say(d, "; bootstrap %+.1f to %+.1f", p->bootstrap.low * 100,
                    p->bootstrap.high * 100);
        }
        doc_say(d, ")");
    }
    doc_say(d, "\nMcNemar's exact test: p %s%.3g\n", x->p < 0.001 ? "< " : "= ",
            x->p < 0.001 ? 0.001 : x->p);
}

// Why the interval does not count databases, and what that costs.
static void add_cluster(doc *d, const versus *v, const versus_pair *p)
{
    if (v->cluster != VERSUS_CLUSTER_AUTO || p->is_by_db) {
        return;
    }
    doc_say(d, "clustered by case: ");
    if (p->n_dbs == 1) {
        doc_say(d, "there is only one database");
    } else if (p->n_dbs < PAIRED_CLUSTERS_MIN) {
        doc_say(d, "%lld databases are too few", (long long)p->n_dbs);
    } else {
        doc_say(d, "%lld databases of such unequal size count as %lld",
                (long long)p->n_dbs, (long long)p->as_dbs);
    }
    doc_say(d,
            " (%d or more are needed); others may give another "
            "result\n",
            PAIRED_CLUSTERS_MIN);
}

static void add_clock(doc *d, const versus *v)
{
    if (v->n_clock > 0) {
        doc_say(d,
                "not compared: %lld that read%s the clock, which differs "
                "between the runs (give all the same --now)\n",
                (long long)v->n_clock, v->n_clock == 1 ? "s" : "");
    }
}

// Two digits: more would say more than is known.
static int64_t rounded(int64_t n)
{
    assert(n >= 0);
    int64_t unit = 1;
    while (n / unit >= 100) {
        unit *= 10;
    }
    return (n + unit / 2) / unit * unit;
}

// What a manager asks.
static void add_sentence(doc *d, const versus_pair *p, const str names[2])
{
    const paired_difference *x = &p->d;
    int conclusion = versus_conclusion(p);
    double size = fabs(x->difference) * 100;
    if (conclusion != 0) {
        str better = names[conclusion > 0];
        str worse = names[conclusion < 0];
        doc_say(d,
                "%.*s is %.1f points better than %.*s; that is not chance.\n",
                STR_ARG(better), size, STR_ARG(worse));
        return;
    }
    doc_say(d, "The difference between %.*s and %.*s may be chance. ",
            STR_ARG(names[0]), STR_ARG(names[1]));
    int64_t needed = paired_cases_needed(x);
    if (x->n_clusters < 2) {
        doc_add(d, DOC_TEXT,
                p->is_by_db
                    ? S("All cases are of one database: leave out --cluster "
                        "db, or compare on more databases.\n")
                    : S("One case is too few to conclude anything.\n"));
    } else if (needed > paired_cases(&x->all)) {
        doc_say(d,
                "These cases can only detect differences above %.1f points; "
                "to detect "
                "%.1f, about %lld questions are needed.\n",
                x->detectable * 100, size, (long long)rounded(needed));
    } else {
        doc_say(d,
                "These cases can only detect differences above %.1f points.\n",
                x->detectable * 100);
    }
}

static void add_notes(doc *d, const versus_pair *p, const str names[2])
{
    if (p->n_unknown > 0) {
        doc_say(d, "not compared: %lld unknown in one of the runs\n",
                (long long)p->n_unknown);
    }
    for (int side = 0; side < 2; side++) {
        if (p->n_only_in[side] > 0) {
            doc_say(d, "not compared: %lld only in %.*s\n",
                    (long long)p->n_only_in[side], STR_ARG(names[side]));
        }
    }
}

static void add_group_row(grid *g, arena *a, str name, const paired_counts *c)
{
    double before = part_share(c->both + c->only_a, paired_cases(c));
    double after = part_share(c->both + c->only_b, paired_cases(c));
    grid_row(g, cell_name(name), cell_int(a, paired_cases(c)),
             percent(a, before), percent(a, after),
             cell_points(a, after - before), cell_int(a, c->only_b),
             cell_int(a, c->only_a));
}

static void add_groups(doc *d, const versus *v, versus_group by, int64_t n_all)
{
    const map *groups = &v->names[by];
    bool is_hidden = by == VERSUS_BY_DB && !d->look.is_verbose;
    if (map_count(groups) < 2 || is_hidden) {
        return;
    }
    const paired_counts *counts = versus_counts(v, 0, 1, by, d->a);
    const int32_t *order = report_hardness_order(groups, d->a);
    grid *g = doc_titled(
        d, arena_printf(d->a, "by %.*s", STR_ARG(versus_group_word(by))));
    grid_add(g, S("cases"), v->runs.ptr[0].name, v->runs.ptr[1].name);
    grid_heads(g, S("points|fixed|broken"));
    for (ptrdiff_t i = 0; i < map_count(groups); i++) {
        const paired_counts *c = &counts[order[i]];
        // A feature of all golds says what the whole says.
        bool is_all = by == VERSUS_BY_FEATURE && paired_cases(c) == n_all;
        if (paired_cases(c) > 0 && !is_all) {
            add_group_row(g, d->a, map_key_at(groups, order[i]), c);
        }
    }
}

// Reasons of the wrong side of the changed cases.
static void add_reasons(doc *d, const versus *v)
{
    ptrdiff_t n_reasons = map_count(&v->reasons);
    int64_t *counts[2];
    ptrdiff_t total = 0;
    for (int side = 0; side < 2; side++) {
        ptrdiff_t n = 0;
        const ptrdiff_t *cases = versus_changed(v, 0, 1, side == 0, &n, d->a);
        counts[side] = arena_new(d->a, int64_t, n_reasons);
        for (ptrdiff_t i = 0; i < n; i++) {
            counts[side][versus_outcome_at(v, side, cases[i]).reason]++;
        }
        total += n;
    }
    if (total == 0) {
        return;
    }
    grid *g = doc_table(d, S("reason|fixed|broken"));
    for (ptrdiff_t r = 0; r < n_reasons; r++) {
        if (counts[0][r] + counts[1][r] > 0) {
            str word = map_key_at(&v->reasons, r);
            grid_row(g, cell_name(word), cell_int(d->a, counts[0][r]),
                     cell_int(d->a, counts[1][r]));
        }
    }
}

// Cut, without what a terminal would obey.
static str short_question(arena *a, str question)
{
    ptrdiff_t end = utf8_prefix(question, QUESTION_WIDTH);
    str shown = utf8_visible(a, str_sub(question, 0, end));
    return end < question.len ? arena_printf(a, "%.*s...", STR_ARG(shown))
                              : shown;
}

static void add_cases(doc *d, const versus *v, bool fixed)
{
    ptrdiff_t n = 0;
    const ptrdiff_t *cases = versus_changed(v, 0, 1, fixed, &n, d->a);
    if (n == 0 || d->look.show == 0) {
        return;
    }
    ptrdiff_t shown = n < d->look.show ? n : d->look.show;
    const char *word = fixed ? "fixed" : "broken";
    grid *g = doc_titled(
        d, shown < n ? arena_printf(d->a, "%s, %td of %td", word, shown, n)
                     : arena_printf(d->a, "%s, %td", word, n));
    grid_heads(g, S("db|reason|question"));
    for (ptrdiff_t i = 0; i < shown; i++) {
        const versus_case *c = &v->cases.ptr[cases[i]];
        versus_outcome wrong = versus_outcome_at(v, fixed ? 0 : 1, cases[i]);
        grid_row(g, map_key_at(&v->ids, cases[i]),
                 map_key_at(&v->names[VERSUS_BY_DB], c->groups[VERSUS_BY_DB]),
                 map_key_at(&v->reasons, wrong.reason),
                 short_question(d->a, c->question));
    }
}

static void add_pair(doc *d, const versus *v, const versus_pair *p)
{
    assert(v->runs.len >= 2);
    const str names[2] = {v->runs.ptr[0].name, v->runs.ptr[1].name};
    doc_say(d, "%.*s: %.*s against %.*s, %lld case%s\n", STR_ARG(v->metric),
            STR_ARG(names[1]), STR_ARG(names[0]),
            (long long)paired_cases(&p->d.all),
            plural(paired_cases(&p->d.all)));
    int64_t n_all = paired_cases(&p->d.all);
    if (n_all == 0) {
        add_clock(d, v);
        add_notes(d, p, names);
        return;
    }
    add_shares(d, p, names);
    add_figures(d, p);
    add_cluster(d, v, p);
    add_sentence(d, p, names);
    add_clock(d, v);
    add_notes(d, p, names);
    for (int by = VERSUS_BY_HARDNESS; by < VERSUS_GROUP_COUNT; by++) {
        add_groups(d, v, (versus_group)by, n_all);
    }
    add_groups(d, v, VERSUS_BY_DB, n_all);
    add_reasons(d, v);
    add_cases(d, v, false);
    add_cases(d, v, true);
}

/* --- more than two ------------------------------------------------------- */

// Runs from the best to the worst; equal shares in their order.
static const ptrdiff_t *best_first(const versus *v, arena *a)
{
    ptrdiff_t *order = arena_new(a, ptrdiff_t, v->runs.len);
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        ptrdiff_t at = i;
        while (at > 0 && versus_share(v, order[at - 1]) < versus_share(v, i)) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    return order;
}

static void add_ranking(doc *d,
                        const versus *v,
                        const versus_pair *pairs,
                        const ptrdiff_t *order)
{
    grid *g = doc_table(d, S("run|rank|right|wrong|unknown|percent"));
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        const versus_run *run = &v->runs.ptr[order[i]];
        grid_row(g, run->name, cell_int(d->a, versus_rank(v, pairs, order[i])),
                 cell_int(d->a, run->counts[VERSUS_YES]),
                 cell_int(d->a, run->counts[VERSUS_NO]),
                 cell_int(d->a, run->counts[VERSUS_UNKNOWN]),
                 percent(d->a, versus_share(v, order[i])));
    }
    doc_say(d, "\nA run's rank is one more than the number of runs that "
               "are better than it beyond chance.\n");
}

typedef struct matrix {
    const versus *v;
    const versus_pair *pairs;
} matrix;

// By how much the run of the row is better than that of the column.
static str over_cell(const void *what, arena *a, cell_at p)
{
    const matrix *m = what;
    ptrdiff_t x = p.at[AXIS_RUN];
    ptrdiff_t y = p.at[AXIS_ITEM];
    if (x == y) {
        return S(".");
    }
    const versus_pair *pair = &m->pairs[x < y ? versus_pair_at(m->v, x, y)
                                              : versus_pair_at(m->v, y, x)];
    double over = x < y ? -pair->d.difference : pair->d.difference;
    return arena_printf(a, "%.*s%s", STR_ARG(cell_points(a, over)),
                        versus_conclusion(pair) != 0 ? "*" : "");
}

static void add_matrix(doc *d,
                       const versus *v,
                       const versus_pair *pairs,
                       const ptrdiff_t *order)
{
    const matrix m = {v, pairs};
    axis down = {.of = AXIS_RUN};
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        axis_add(&down, d->a, v->runs.ptr[order[i]].name, order[i]);
    }
    axis across = down;
    across.of = AXIS_ITEM;
    grid_cross(doc_table(d, S("points over")), &down, &across, (cell_at){0},
               over_cell, &m);
    doc_say(d, "\n* beyond chance: 95 %% interval and McNemar's test, "
               "adjusted by Holm's method for all pairs\n");
}

// The pair whose databases count least.
static ptrdiff_t fewest_dbs(const versus *v, const versus_pair *pairs)
{
    ptrdiff_t fewest = 0;
    for (ptrdiff_t i = 1; i < v->runs.len * (v->runs.len - 1) / 2; i++) {
        fewest = pairs[i].as_dbs < pairs[fewest].as_dbs ? i : fewest;
    }
    return fewest;
}

// Names come from files.
static versus with_visible_names(const versus *v, arena *a)
{
    versus shown = *v;
    shown.runs.ptr = arena_new(a, versus_run, v->runs.len);
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        shown.runs.ptr[i] = v->runs.ptr[i];
        shown.runs.ptr[i].name = utf8_visible(a, v->runs.ptr[i].name);
    }
    return shown;
}

void versus_doc(doc *d, const versus *v, const versus_pair *pairs)
{
    const versus shown = with_visible_names(v, d->a);
    const bill_run *bills = versus_bills(v, d->a);
    if (v->runs.len == 2) {
        add_pair(d, &shown, &pairs[0]);
    } else {
        const ptrdiff_t *order = best_first(v, d->a);
        doc_say(d, "%.*s: %td runs, %td case%s\n", STR_ARG(v->metric),
                v->runs.len, v->cases.len - v->n_clock,
                plural(v->cases.len - v->n_clock));
        add_ranking(d, &shown, pairs, order);
        add_matrix(d, &shown, pairs, order);
        add_cluster(d, v, &pairs[fewest_dbs(v, pairs)]);
        add_clock(d, v);
    }
    bill_tables(d, bills, v->runs.len);
}
