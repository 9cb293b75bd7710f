/*
 * report_agree_class.c - people's yes and no by what verdicts of the metric
 * pragmatic rest on: classes, leniencies, norms.
 *
 * Method      Cases of one database are alike, so databases are the clusters of
 *             every interval: a share has the Wilson interval of as many cases
 *             as its variance between databases is worth, kappa that of the
 *             jackknife that leaves out one database at a time. Classes are
 *             taken from the surest on until a share of the cases is decided;
 *             how sure a class is was measured elsewhere (verdict_class.def).
 */
#include "base/order.h"
#include "report/report_agree.h"
#include "report/wilson.h"
#include "table/verdict.h"

#include <math.h>
#include <stdlib.h>

static const double Z = 1.96;

void agree_groups_add(agree *t,
                      agree_groups *to,
                      str group,
                      str db,
                      answer want,
                      answer v)
{
    agreement_key key = agreement_at(map_add(&to->names, t->a, group),
                                     map_add(&t->databases, t->a, db));
    agreement_cells_add(&to->cells, t->a, key, want, v);
}

str agree_named_leniencies(const line_verdict *v)
{
    str rest = v->detail;
    str how = str_cut(&rest, ':');
    bool names = str_equal(how, S("passed over"))
                 || str_equal(how, S("rejected"))
                 || str_equal(how, S("to be asked"));
    return names ? rest : (str){0};
}

// "passed over: ties, nulls": each of them, with what was done.
static void add_leniencies(agree *t,
                           const case_line *line,
                           const line_verdict *v,
                           answer want)
{
    str how = v->detail;
    how = str_cut(&how, ':');
    str rest = agree_named_leniencies(v);
    while (rest.len > 0) {
        str word = str_trim(str_cut(&rest, ','));
        agree_groups_add(
            t, &t->evidence,
            arena_printf(t->a, "%.*s: %.*s", STR_ARG(how), STR_ARG(word)),
            line->db, want, v->v);
    }
}

static void add_evidence(agree *t,
                         const case_line *line,
                         const line_verdict *v,
                         answer want)
{
    agree_groups *to = &t->evidence;
    agree_groups_add(t, to, (str){0}, line->db, want, v->v);
    if (t->by == AGREE_BY_CLASS) {
        str word = answer_word(v->v);
        str group =
            arena_printf(t->a, "%.*s %.*s", STR_ARG(v->class), STR_ARG(word));
        agree_groups_add(t, to, group, line->db, want, v->v);
    } else if (t->by == AGREE_BY_NORM) {
        str group = arena_printf(t->a, "norm %.*s", STR_ARG(t->norm));
        agree_groups_add(t, to, group, line->db, want, v->v);
    } else {
        add_leniencies(t, line, v, want);
    }
}

// The group of what a judge says of a class; of all without one.
static str judged(arena *a, str judge, str class)
{
    return class.len == 0
               ? judge
               : arena_printf(a, "%.*s %.*s", STR_ARG(judge), STR_ARG(class));
}

const line_verdict *case_line_classed(const case_line *line)
{
    const line_verdict *classed = NULL;
    for (ptrdiff_t i = 0; i < line->verdicts.len && !classed; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        classed = v->class.len > 0 ? v : NULL;
    }
    return classed;
}

void agree_add_class(agree *t, const case_line *line, answer want)
{
    const line_verdict *classed = case_line_classed(line);
    if (!classed) {
        return;
    }
    if (want != ANSWER_UNKNOWN) {
        add_evidence(t, line, classed, want);
    }
    for (ptrdiff_t i = 0; t->by == AGREE_BY_CLASS && i < line->verdicts.len;
         i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        if (v == classed || str_equal(v->key, t->reference)) {
            continue;
        }
        agree_groups_add(t, &t->judges, v->key, line->db, want, v->v);
        agree_groups_add(t, &t->judges, judged(t->a, v->key, classed->class),
                         line->db, want, v->v);
    }
}

/* Figures. */

typedef struct counted {
    agreement all;
    ptrdiff_t n_dbs;
    interval people;  // of yes, databases as clusters
    interval kappa;
} counted;

static double people_yes(const agreement *c)
{
    return (double)agreement_reference(c, ANSWER_YES);
}

// What is decided.
static agreement clear_part(agreement c)
{
    for (int i = 0; i < ANSWER_COUNT; i++) {
        c.n[i][ANSWER_UNKNOWN] = 0;
    }
    return c;
}

static double clear_kappa(const agreement *c)
{
    agreement clear = clear_part(*c);
    return agreement_kappa(&clear);
}

// The share of yes in all that a judge says, also where nobody else says
// anything.
static double says_yes(const agreement *c, int64_t *n)
{
    int64_t yes = 0;
    *n = 0;
    for (int i = 0; i < ANSWER_COUNT; i++) {
        yes += c->n[i][ANSWER_YES];
        *n += c->n[i][ANSWER_YES] + c->n[i][ANSWER_NO];
    }
    return (double)yes / (double)*n;
}

// The share of yes that people would give, from what the judge says and how
// often it is wrong; NaN where it is no better than a coin.
static double corrected_share(const agreement *c)
{
    agreement clear = clear_part(*c);
    double false_yes = agreement_false_positive(&clear);
    double better = 1 - agreement_false_negative(&clear) - false_yes;
    int64_t n = 0;
    double share = (says_yes(c, &n) - false_yes) / better;
    return better > 0 ? fmin(1, fmax(0, share)) : NAN;
}

// p (1 - p) / n, never quite 0: a handful of cases proves nothing.
static double share_variance(double part, int64_t n)
{
    double p = (part * (double)n + 1) / ((double)n + 2);
    return p * (1 - p) / (double)n;
}

// What Rogan and Gladen give it, were all cases independent.
static double corrected_variance(const agreement *c)
{
    agreement clear = clear_part(*c);
    double false_yes = agreement_false_positive(&clear);
    double false_no = agreement_false_negative(&clear);
    double better = 1 - false_yes - false_no;
    double share = corrected_share(c);
    int64_t n = 0;
    double says = says_yes(c, &n);
    int64_t yes = agreement_reference(&clear, ANSWER_YES);
    int64_t no = agreement_reference(&clear, ANSWER_NO);
    return (share_variance(says, n)
            + share * share * share_variance(false_no, yes)
            + (1 - share) * (1 - share) * share_variance(false_yes, no))
           / (better * better);
}

// What the group has on the database of a cell; NULL: the cell is another's.
static const agreement *on_database(const agree_groups *g,
                                    ptrdiff_t group,
                                    ptrdiff_t cell)
{
    const agreement_cell *c = &g->cells.list.ptr[cell];
    return c->key.at[0] == group ? &c->all : NULL;
}

static interval share_interval(const agree_groups *g,
                               ptrdiff_t group,
                               counted *c)
{
    double n = (double)agreement_cases(&c->all);
    double p = people_yes(&c->all) / n;
    double between = 0;
    for (ptrdiff_t i = 0; i < g->cells.list.len; i++) {
        const agreement *here = on_database(g, group, i);
        if (here) {
            double off = people_yes(here) - p * (double)agreement_cases(here);
            between += off * off;
            c->n_dbs++;
        }
    }
    double k = (double)c->n_dbs;
    double plain = p * (1 - p) * n;
    double effect = k > 1 && plain > 0 ? between * k / (k - 1) / plain : 1;
    int64_t worth = llround(n / fmax(effect, 1));
    worth = worth > 0 ? worth : 1;
    return wilson_interval(p * (double)worth, worth);
}

// The variance of a figure over databases, by the jackknife; NaN where there
// are no two.
static double variance_by_db(const agree_groups *g,
                             ptrdiff_t group,
                             const agreement *all,
                             double (*figure)(const agreement *))
{
    double sum = 0;
    double squares = 0;
    double k = 0;
    for (ptrdiff_t i = 0; i < g->cells.list.len; i++) {
        const agreement *here = on_database(g, group, i);
        if (here) {
            agreement left = agreement_without(*all, here);
            double x = agreement_cases(&left) > 0 ? figure(&left) : NAN;
            sum += isnan(x) ? 0 : x;
            squares += isnan(x) ? 0 : x * x;
            k += !isnan(x);
        }
    }
    return k > 1 ? fmax(0, (k - 1) / k * (squares - sum * sum / k)) : NAN;
}

static interval around(double x, double variance, double least)
{
    double spread = Z * sqrt(variance);
    return isnan(x) || isnan(variance)
               ? (interval){NAN, NAN}
               : (interval){fmax(least, x - spread), fmin(1, x + spread)};
}

static counted count(const agree_groups *g, ptrdiff_t group)
{
    agreement_key key = agreement_at(group, AGREEMENT_ANY);
    counted c = {.all = agreement_sum(&g->cells, key)};
    c.people = share_interval(g, group, &c);
    c.kappa = around(clear_kappa(&c.all),
                     variance_by_db(g, group, &c.all, clear_kappa), -1);
    return c;
}

/* Tables. */

static void add_table(doc *d, const agree *t)
{
    grid *g = doc_table(d, t->by == AGREE_BY_CLASS      ? S("by class")
                           : t->by == AGREE_BY_LENIENCY ? S("by leniency")
                                                        : S("by norm"));
    grid_heads(g, S("people yes|no|accepted|95 % by db|databases"));
    for (ptrdiff_t i = 1; i < map_count(&t->evidence.names); i++) {
        counted c = count(&t->evidence, i);
        double yes = people_yes(&c.all);
        grid_row(g, map_key_at(&t->evidence.names, i),
                 cell_int(d->a, (int64_t)yes),
                 cell_int(d->a, agreement_reference(&c.all, ANSWER_NO)),
                 arena_printf(d->a, "%.1f %%",
                              100 * yes / (double)agreement_cases(&c.all)),
                 cell_range(d->a, c.people.low, c.people.high),
                 cell_int(d->a, c.n_dbs));
    }
}

// One judge on one class: where it is biased, and what it says once the bias is
// taken out (Rogan and Gladen 1978).
static void add_judge(grid *g,
                      arena *a,
                      const agree_groups *judges,
                      ptrdiff_t i)
{
    counted c = count(judges, i);
    agreement clear = clear_part(c.all);
    int64_t n = agreement_cases(&clear);
    int64_t n_said = 0;
    double says = says_yes(&c.all, &n_said);
    double share = corrected_share(&c.all);
    double variance = fmax(corrected_variance(&c.all),
                           variance_by_db(judges, i, &c.all, corrected_share));
    interval of_share = around(share, variance, 0);
    grid_row(g, map_key_at(&judges->names, i), cell_int(a, n),
             cell_percent(a, (double)agreement_same(&clear) / (double)n),
             cell_decimal(a, agreement_kappa(&clear), 3),
             cell_percent(a, 1 - agreement_false_negative(&clear)),
             cell_percent(a, 1 - agreement_false_positive(&clear)),
             cell_percent(a, says), cell_int(a, n_said), cell_percent(a, share),
             cell_range(a, of_share.low, of_share.high));
}

static void add_judges(doc *d, const agree *t)
{
    grid *g =
        doc_table(d, S("by class|clear|percent|kappa|sensitivity|specificity|"
                       "says yes|of|corrected|95 % by db"));
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        str key = map_key_at(&t->metrics, m);
        for (int c = CLASS_NONE; c < CLASS_COUNT; c++) {
            str word = verdict_class_word((verdict_class)c);
            ptrdiff_t i = map_find(&t->judges.names, judged(d->a, key, word));
            if (i >= 0) {
                add_judge(g, d->a, &t->judges, i);
            }
        }
    }
}

// "pragmatic decides 78.5 % of 836; there kappa 0.950 (0.91-0.99)".
void agree_groups_doc(doc *d, const agree_groups *g, ptrdiff_t group, str what)
{
    counted c = count(g, group);
    int64_t n = agreement_cases(&c.all);
    int64_t clear = n - agreement_unclear(&c.all);
    doc_say(d, "%.*s decides %.1f %% of %lld case%s", STR_ARG(what),
            100 * (double)clear / (double)n, (long long)n, plural(n));
    if (clear > 0) {
        doc_say(d, "; it agrees with people on %.1f %% of these, kappa %.*s",
                100 * (double)agreement_same(&c.all) / (double)clear,
                STR_ARG(cell_decimal(d->a, clear_kappa(&c.all), 3)));
    }
    if (!isnan(c.kappa.low)) {
        doc_say(d, " (%.2f to %.2f over %td databases)", c.kappa.low,
                c.kappa.high, c.n_dbs);
    }
    doc_say(d, "\n");
}

// How often whoever goes by a class is wrong, as measured elsewhere.
static double known_error(str group, bool *is_yes)
{
    verdict_class c = CLASS_NONE;
    str word = str_cut(&group, ' ');
    verdict_class_from_word(word, &c);
    people_counts all = verdict_class_people(c);
    bool is_open = str_equal(group, S("unknown"));
    *is_yes = is_open ? all.yes > all.no : str_equal(group, S("yes"));
    return (*is_yes ? all.no : all.yes) / fmax(1, all.yes + all.no);
}

typedef struct risk {
    double error;  // known
    double n;
    double n_wrong;
} risk;

ORDER(compare_risks, risk, ORDER_UP(error))

static void add_risks(doc *d, const agree *t)
{
    static const double wanted[] = {0.7, 0.8, 0.9};
    ptrdiff_t n = map_count(&t->evidence.names) - 1;
    risk *risks = arena_new(d->a, risk, n + 1);
    double all = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        counted c = count(&t->evidence, i + 1);
        bool is_yes = false;
        double error =
            known_error(map_key_at(&t->evidence.names, i + 1), &is_yes);
        double cases = (double)agreement_cases(&c.all);
        double yes = people_yes(&c.all);
        risks[i] = (risk){error, cases, is_yes ? cases - yes : yes};
        all += cases;
    }
    qsort(risks, (size_t)n, sizeof(risk), compare_risks);
    doc_say(d, "surest classes first, wrong at a coverage of");
    for (ptrdiff_t w = 0; w < countof(wanted); w++) {
        double left = wanted[w] * all;
        double wrong = 0;
        for (ptrdiff_t i = 0; i < n && left > 0; i++) {
            double take = fmin(left, risks[i].n);
            wrong += risks[i].n_wrong * take / risks[i].n;
            left -= take;
        }
        doc_say(d, "%s %.0f %%: %.1f %%", w > 0 ? "," : "", 100 * wanted[w],
                100 * wrong / (wanted[w] * all));
    }
    doc_say(d, "\n");
}

void agree_class_doc(doc *d, const agree *t)
{
    ptrdiff_t n = map_count(&t->evidence.names);
    if (n == 0) {
        return;
    }
    add_table(d, t);
    add_judges(d, t);
    doc_say(d, "\n");
    agree_groups_doc(d, &t->evidence, 0, S("pragmatic"));
    for (ptrdiff_t i = 1; t->by == AGREE_BY_NORM && i < n; i++) {
        agree_groups_doc(d, &t->evidence, i, map_key_at(&t->evidence.names, i));
    }
    if (t->by == AGREE_BY_CLASS) {
        add_risks(d, t);
    }
}
