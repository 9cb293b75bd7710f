/*
 * report_versus.c - runs side by side as text and as Markdown.
 *
 * Method      Every table is a grid; Markdown only prints it in another way.
 *             Differences are b - a in points of 100, so that a plus is good
 *             news for the second run.
 */
#include "report/report_versus.h"

#include "base/utf8.h"
#include "report/report_bill.h"
#include "report/sheet.h"

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

// Never "-0.0".
static str points(arena *a, double share)
{
    double x = fabs(share) < 0.0005 ? 0 : share * 100;
    return isnan(share) ? S("-") : arena_printf(a, "%+.1f", x);
}

static double right_share(const paired_counts *c, int64_t only)
{
    int64_t n = paired_cases(c);
    return n > 0 ? (double)(c->both + only) / (double)n : NAN;
}

/* --- two runs ------------------------------------------------------------ */

// Names of a pair: the run that was there before, and the other.
typedef struct names {
    str a;
    str b;
} names;

static void add_shares(const sheet *s, const versus_pair *p, names n)
{
    const paired_counts *c = &p->d.all;
    grid g =
        sheet_grid(s, 6, S("run|right|percent|only this one|both|neither"));
    for (int side = 0; side < 2; side++) {
        int64_t only = side == 0 ? c->only_a : c->only_b;
        grid_row(&g, side == 0 ? n.a : n.b, cell_int(s->a, c->both + only),
                 percent(s->a, right_share(c, only)), cell_int(s->a, only),
                 cell_int(s->a, c->both), cell_int(s->a, c->neither));
    }
    sheet_add(s, &g);
}

static void add_figures(buf *out, const versus_pair *p)
{
    const paired_difference *d = &p->d;
    buf_printf(out, "\ndifference %+.1f points, 95 %% interval %+.1f to %+.1f",
               d->difference * 100, d->low * 100, d->high * 100);
    if (p->is_by_db) {
        buf_printf(out, " (clustered by %td database%s", d->n_clusters,
                   plural(d->n_clusters));
        if (!isnan(p->bootstrap.low)) {
            buf_printf(out, "; bootstrap %+.1f to %+.1f",
                       p->bootstrap.low * 100, p->bootstrap.high * 100);
        }
        buf_char(out, ')');
    }
    buf_printf(out, "\nMcNemar's exact test: p %s%.3g\n",
               d->p < 0.001 ? "< " : "= ", d->p < 0.001 ? 0.001 : d->p);
}

// Why the interval does not count databases, and what that costs.
static void add_cluster(buf *out, const versus *v, const versus_pair *p)
{
    if (v->cluster != VERSUS_CLUSTER_AUTO || p->is_by_db) {
        return;
    }
    buf_add(out, S("clustered by case: "));
    if (p->n_dbs == 1) {
        buf_add(out, S("there is only one database"));
    } else if (p->n_dbs < PAIRED_CLUSTERS_MIN) {
        buf_printf(out, "%lld databases are too few", (long long)p->n_dbs);
    } else {
        buf_printf(out, "%lld databases of such unequal size count as %lld",

                   (long long)p->n_dbs, (long long)p->as_dbs);
    }
    buf_printf(out,
               " (%d or more are needed); others may give another "
               "result\n",
               PAIRED_CLUSTERS_MIN);
}

static void add_clock(buf *out, const versus *v)
{
    if (v->n_clock > 0) {
        buf_printf(out,
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
static void add_sentence(buf *out, const versus_pair *p, names n)
{
    const paired_difference *d = &p->d;
    int conclusion = versus_conclusion(p);
    double size = fabs(d->difference) * 100;
    if (conclusion != 0) {
        str better = conclusion > 0 ? n.b : n.a;
        str worse = conclusion > 0 ? n.a : n.b;
        buf_printf(out,
                   "%.*s answers %.1f points more than %.*s; that is not "
                   "chance.\n",
                   STR_ARG(better), size, STR_ARG(worse));
        return;
    }
    buf_printf(out, "%.*s and %.*s may differ by chance only. ", STR_ARG(n.a),
               STR_ARG(n.b));
    int64_t needed = paired_cases_needed(d);
    if (d->n_clusters < 2) {
        buf_add(out, p->is_by_db
                         ? S("All cases are of one database: leave out "
                             "--cluster db, or compare on more databases.\n")
                         : S("One case is too few to conclude anything.\n"));
    } else if (needed > paired_cases(&d->all)) {
        buf_printf(out,
                   "These cases can only detect differences above %.1f points; "
                   "to detect "
                   "%.1f, about %lld questions are needed.\n",
                   d->detectable * 100, size, (long long)rounded(needed));
    } else {
        buf_printf(
            out, "These cases can only detect differences above %.1f points.\n",
            d->detectable * 100);
    }
}

static void add_notes(buf *out, const versus_pair *p, names n)
{
    if (p->n_unknown > 0) {
        buf_printf(out, "not compared: %lld unknown on a side\n",
                   (long long)p->n_unknown);
    }
    for (int side = 0; side < 2; side++) {
        if (p->n_only_in[side] > 0) {
            str name = side == 0 ? n.a : n.b;
            buf_printf(out, "not compared: %lld only in %.*s\n",
                       (long long)p->n_only_in[side], STR_ARG(name));
        }
    }
}

static void add_group_row(grid *g, arena *a, str name, const paired_counts *c)
{
    double before = right_share(c, c->only_a);
    double after = right_share(c, c->only_b);
    grid_row(g, cell_name(name), cell_int(a, paired_cases(c)),
             percent(a, before), percent(a, after), points(a, after - before),
             cell_int(a, c->only_b), cell_int(a, c->only_a));
}

static void add_groups(const sheet *s,
                       const versus *v,
                       versus_group by,
                       int64_t n_all)
{
    const map *groups = &v->names[by];
    bool is_hidden = by == VERSUS_BY_DB && !s->look->is_verbose;
    if (map_count(groups) < 2 || is_hidden) {
        return;
    }
    const paired_counts *counts = versus_counts(v, 0, 1, by, s->a);
    const int32_t *order = report_hardness_order(groups, s->a);
    grid g = sheet_grid(s, 7, (str){0});
    grid_row(&g, arena_printf(s->a, "by %.*s", STR_ARG(versus_group_word(by))),
             S("cases"), v->runs.ptr[0].name, v->runs.ptr[1].name);
    grid_heads(&g, S("points|fixed|broken"));
    for (ptrdiff_t i = 0; i < map_count(groups); i++) {
        const paired_counts *c = &counts[order[i]];
        // A feature of all golds says what the whole says.
        bool is_all = by == VERSUS_BY_FEATURE && paired_cases(c) == n_all;
        if (paired_cases(c) > 0 && !is_all) {
            add_group_row(&g, s->a, map_key_at(groups, order[i]), c);
        }
    }
    sheet_add(s, &g);
}

// Reasons of the wrong side of the changed cases.
static void add_reasons(const sheet *s, const versus *v)
{
    ptrdiff_t n_reasons = map_count(&v->reasons);
    int64_t *counts[2];
    ptrdiff_t total = 0;
    for (int side = 0; side < 2; side++) {
        ptrdiff_t n = 0;
        const ptrdiff_t *cases = versus_changed(v, 0, 1, side == 0, &n, s->a);
        counts[side] = arena_new(s->a, int64_t, n_reasons);
        for (ptrdiff_t i = 0; i < n; i++) {
            counts[side][versus_outcome_at(v, side, cases[i]).reason]++;
        }
        total += n;
    }
    if (total == 0) {
        return;
    }
    grid g = sheet_grid(s, 3, S("reason of the no|fixed|broken"));
    for (ptrdiff_t r = 0; r < n_reasons; r++) {
        if (counts[0][r] + counts[1][r] > 0) {
            str word = map_key_at(&v->reasons, r);
            grid_row(&g, cell_name(word), cell_int(s->a, counts[0][r]),
                     cell_int(s->a, counts[1][r]));
        }
    }
    sheet_add(s, &g);
}

// Cut, without what a terminal would obey.
static str short_question(arena *a, str question)
{
    ptrdiff_t end = utf8_prefix(question, QUESTION_WIDTH);
    str shown = utf8_visible(a, str_sub(question, 0, end));
    return end < question.len ? arena_printf(a, "%.*s...", STR_ARG(shown))
                              : shown;
}

static void add_cases(const sheet *s, const versus *v, bool fixed)
{
    ptrdiff_t n = 0;
    const ptrdiff_t *cases = versus_changed(v, 0, 1, fixed, &n, s->a);
    if (n == 0 || s->look->show == 0) {
        return;
    }
    ptrdiff_t shown = n < s->look->show ? n : s->look->show;
    grid g = sheet_grid(s, 4, (str){0});
    const char *word = fixed ? "fixed" : "broken";
    grid_cell(&g, shown < n
                      ? arena_printf(s->a, "%s, %td of %td", word, shown, n)
                      : arena_printf(s->a, "%s, %td", word, n));
    grid_heads(&g, S("db|reason|question"));
    for (ptrdiff_t i = 0; i < shown; i++) {
        const versus_case *c = &v->cases.ptr[cases[i]];
        versus_outcome wrong = versus_outcome_at(v, fixed ? 0 : 1, cases[i]);
        grid_row(&g, map_key_at(&v->ids, cases[i]),
                 map_key_at(&v->names[VERSUS_BY_DB], c->groups[VERSUS_BY_DB]),
                 map_key_at(&v->reasons, wrong.reason),
                 short_question(s->a, c->question));
    }
    sheet_add(s, &g);
}

static void add_pair(const sheet *s, const versus *v, const versus_pair *p)
{
    assert(v->runs.len >= 2);
    names n = {v->runs.ptr[0].name, v->runs.ptr[1].name};
    buf_printf(s->out, "%.*s: %.*s against %.*s, %lld case%s\n",
               STR_ARG(v->metric), STR_ARG(n.b), STR_ARG(n.a),
               (long long)paired_cases(&p->d.all),
               plural(paired_cases(&p->d.all)));
    int64_t n_all = paired_cases(&p->d.all);
    if (n_all == 0) {
        add_clock(s->out, v);
        add_notes(s->out, p, n);
        return;
    }
    add_shares(s, p, n);
    add_figures(s->out, p);
    add_cluster(s->out, v, p);
    add_sentence(s->out, p, n);
    add_clock(s->out, v);
    add_notes(s->out, p, n);
    for (int by = VERSUS_BY_HARDNESS; by < VERSUS_GROUP_COUNT; by++) {
        add_groups(s, v, (versus_group)by, n_all);
    }
    add_groups(s, v, VERSUS_BY_DB, n_all);
    add_reasons(s, v);
    add_cases(s, v, false);
    add_cases(s, v, true);
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

static void add_ranking(const sheet *s,
                        const versus *v,
                        const versus_pair *pairs,
                        const ptrdiff_t *order)
{
    grid g = sheet_grid(s, 6, S("run|rank|right|wrong|unknown|percent"));
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        const versus_run *run = &v->runs.ptr[order[i]];
        grid_row(&g, run->name, cell_int(s->a, versus_rank(v, pairs, order[i])),
                 cell_int(s->a, run->counts[VERSUS_YES]),
                 cell_int(s->a, run->counts[VERSUS_NO]),
                 cell_int(s->a, run->counts[VERSUS_UNKNOWN]),
                 percent(s->a, versus_share(v, order[i])));
    }
    sheet_add(s, &g);
    buf_add(s->out, S("\nA run's rank is one more than the number of runs that "
                      "are better than it beyond chance.\n"));
}

static void add_matrix(const sheet *s,
                       const versus *v,
                       const versus_pair *pairs,
                       const ptrdiff_t *order)
{
    grid g = sheet_grid(s, v->runs.len + 1, S("points over"));
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        grid_cell(&g, v->runs.ptr[order[i]].name);
    }
    for (ptrdiff_t row = 0; row < v->runs.len; row++) {
        grid_cell(&g, v->runs.ptr[order[row]].name);
        for (ptrdiff_t column = 0; column < v->runs.len; column++) {
            ptrdiff_t x = order[row];
            ptrdiff_t y = order[column];
            if (x == y) {
                grid_cell(&g, S("."));
                continue;
            }
            const versus_pair *p = &pairs[x < y ? versus_pair_at(v, x, y)
                                                : versus_pair_at(v, y, x)];
            double over = x < y ? -p->d.difference : p->d.difference;
            str text = points(s->a, over);
            grid_cell(&g, versus_conclusion(p) != 0
                              ? arena_printf(s->a, "%.*s*", STR_ARG(text))
                              : text);
        }
    }
    sheet_add(s, &g);
    buf_add(s->out, S("\n* beyond chance: 95 % interval and McNemar's test, "
                      "adjusted by Holm's method for all pairs\n"));
}

static void add_bills(const sheet *s, const versus *v)
{
    grid_list tables = {0};
    bill_tables(&tables, s->a, versus_bills(v, s->a), v->runs.len);
    sheet_add_all(s, &tables);
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

void versus_text(buf *out,
                 const versus *v,
                 const versus_pair *pairs,
                 const report_look *look,
                 arena scratch)
{
    const sheet s = {out, look, &scratch};
    const versus shown = with_visible_names(v, &scratch);
    v = &shown;
    if (v->runs.len == 2) {
        add_pair(&s, v, &pairs[0]);
        add_bills(&s, v);
        return;
    }
    const ptrdiff_t *order = best_first(v, &scratch);
    buf_printf(out, "%.*s: %td runs, %td case%s\n", STR_ARG(v->metric),
               v->runs.len, v->cases.len - v->n_clock,
               plural(v->cases.len - v->n_clock));
    add_ranking(&s, v, pairs, order);
    add_matrix(&s, v, pairs, order);
    add_cluster(out, v, &pairs[fewest_dbs(v, pairs)]);
    add_clock(out, v);
    add_bills(&s, v);
}
