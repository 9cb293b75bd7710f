/*
 * report_bill.c - see report_bill.h.
 *
 * Method      A column, or a table, is there where a run tells something that
 *             stands in it. Costs below 1 have three digits, as answers cost
 *             parts of a cent; JSON has all digits.
 */
#include "report/report_bill.h"

#include "base/json_write.h"

#include <math.h>
#include <stdio.h>

static const double PENALTIES[] = {0, 5, 10};

static str money(arena *a, double cost)
{
    return isnan(cost)    ? S("-")
           : isinf(cost)  ? S("none is right")
           : cost < 0.995 ? arena_printf(a, "%.3g", cost)
                          : arena_printf(a, "%.2f", cost);
}

static str milliseconds(arena *a, double ms)
{
    return isnan(ms) ? S("-") : arena_printf(a, "%.4g ms", ms);
}

/* --- what answers cost --------------------------------------------------- */

typedef struct bills {
    const bill_run *runs;
    ptrdiff_t n;
} bills;

static bool some_tell(const bills *all, told_kind k)
{
    bool some = false;
    for (ptrdiff_t i = 0; i < all->n; i++) {
        some |= all->runs[i].bill.n[k] > 0;
    }
    return some;
}

// Of how many answers the scarcest of these figures is told.
static int64_t fewest(const bill *b)
{
    int64_t least = 0;
    for (int k = TOLD_TOKENS_IN; k <= TOLD_LATENCY_MS; k++) {
        bool is_less = b->n[k] > 0 && (least == 0 || b->n[k] < least);
        least = is_less ? b->n[k] : least;
    }
    return least;
}

// "40", or "12-40" where not all figures are told of as many answers.
static str told_by(arena *a, const bill *b)
{
    int64_t least = fewest(b);
    int64_t most = 0;
    for (int k = TOLD_TOKENS_IN; k <= TOLD_LATENCY_MS; k++) {
        most = b->n[k] > most ? b->n[k] : most;
    }
    return least == most ? cell_int(a, least)
                         : arena_printf(a, "%lld-%lld", (long long)least,
                                        (long long)most);
}

// The columns, each of what is told.
typedef enum cost_column {
    COST_IN,
    COST_OUT,
    COST_ALL,
    COST_RIGHT,
    COST_BEST,  // of several runs
    COST_P50,
    COST_P95,
    COST_TOLD_BY,
} cost_column;

static const struct {
    str head;
    told_kind of;
} cost_columns[] = {
    [COST_IN] = {S_INIT("tokens in"), TOLD_TOKENS_IN},
    [COST_OUT] = {S_INIT("tokens out"), TOLD_TOKENS_OUT},
    [COST_ALL] = {S_INIT("cost"), TOLD_COST},
    [COST_RIGHT] = {S_INIT("a right answer"), TOLD_COST},
    [COST_BEST] = {S_INIT("Pareto"), TOLD_COST},
    [COST_P50] = {S_INIT("p50"), TOLD_LATENCY_MS},
    [COST_P95] = {S_INIT("p95"), TOLD_LATENCY_MS},
};

static str cost_cell(const void *what, arena *a, cell_at p)
{
    const bills *all = what;
    const bill *b = &all->runs[p.at[AXIS_RUN]].bill;
    switch ((cost_column)p.at[AXIS_ITEM]) {
    case COST_TOLD_BY: return told_by(a, b);
    case COST_RIGHT: return money(a, b->per_right);
    case COST_P50: return milliseconds(a, b->latency[0]);
    case COST_P95: return milliseconds(a, b->latency[1]);
    case COST_IN:
    case COST_OUT:
    case COST_ALL:
    case COST_BEST: break;
    }
    told_kind k = cost_columns[p.at[AXIS_ITEM]].of;
    return b->n[k] == 0                  ? S("-")
           : k != TOLD_COST              ? cell_int(a, (int64_t)b->sum[k])
           : p.at[AXIS_ITEM] == COST_ALL ? money(a, b->sum[k])
           : bill_is_best(all->runs, all->n, p.at[AXIS_RUN]) ? S("yes")
                                                             : S("no");
}

static axis runs_of(const bills *all, arena *a)
{
    axis runs = {.of = AXIS_RUN};
    for (ptrdiff_t i = 0; i < all->n; i++) {
        axis_add(&runs, a, all->runs[i].name, i);
    }
    return runs;
}

static void add_costs(doc *d, const bills *all, const axis *runs)
{
    axis columns = {.of = AXIS_ITEM};
    axis_add(&columns, d->a, S("known"), COST_TOLD_BY);
    for (ptrdiff_t i = 0; i < countof(cost_columns); i++) {
        if (some_tell(all, cost_columns[i].of)
            && (i != COST_BEST || all->n > 1)) {
            axis_add(&columns, d->a, cost_columns[i].head, i);
        }
    }
    if (columns.marks.len > 1) {
        grid_cross(doc_table(d, S("answers")), runs, &columns, (cell_at){0},
                   cost_cell, all);
    }
}

/* --- how sure they are --------------------------------------------------- */

static void add_sureness(doc *d, const bills *all)
{
    arena *a = d->a;
    grid *g = doc_table(d, S("confidence|answers|right|ECE|Brier|AUROC|AURC|by "
                             "chance|at best"));
    for (ptrdiff_t i = 0; i < all->n; i++) {
        const sureness *s = &all->runs[i].sureness;
        double error =
            s->is_probability ? calibration_error(&s->calibration) : NAN;
        grid_row(g, all->runs[i].name, cell_int(a, s->answers.len),
                 cell_percent(a, 1 - s->chance), cell_decimal(a, error, 3),
                 cell_decimal(a, s->is_probability ? s->brier : NAN, 3),
                 cell_decimal(a, s->auroc, 3), cell_decimal(a, s->area, 3),
                 cell_decimal(a, s->chance, 3), cell_decimal(a, s->least, 3));
    }
}

static void add_reliability(doc *d, const sureness *s)
{
    const calibration *c = &s->calibration;
    arena *a = d->a;
    grid *g = doc_table(d, S("reliability|answers|confidence|right"));
    for (int i = 0; i < CALIBRATION_BINS && s->is_probability; i++) {
        if (c->n[i] > 0) {
            double n = (double)c->n[i];
            grid_row(g, calibration_bin_name(a, i), cell_int(a, c->n[i]),
                     cell_percent(a, c->confidence[i] / n),
                     cell_percent(a, (double)c->n_right[i] / n));
        }
    }
}

// So many tenths of the answers, the surest; at least one.
static ptrdiff_t tenths(const sureness *s, ptrdiff_t n)
{
    ptrdiff_t k = (s->answers.len * n + 9) / 10;
    return k > 0 ? k : 1;
}

static str risk_cell(const void *what, arena *a, cell_at p)
{
    const bills *all = what;
    const sureness *s = &all->runs[p.at[AXIS_RUN]].sureness;
    return s->answers.len > 0
               ? cell_percent(a, sureness_risk(s, tenths(s, p.at[AXIS_ITEM])))
               : S("-");
}

static void add_risks(doc *d, const bills *all, const axis *runs)
{
    axis tens = {.of = AXIS_ITEM};
    for (int k = 2; k <= 10; k += 2) {
        axis_add(&tens, d->a, arena_printf(d->a, "%d %%", 10 * k), k);
    }
    grid_cross(doc_table(d, S("risk at coverage")), runs, &tens, (cell_at){0},
               risk_cell, all);
}

void bill_tables(doc *d, const bill_run *runs, ptrdiff_t n)
{
    const bills all = {runs, n};
    axis names = runs_of(&all, d->a);
    ptrdiff_t n_sure = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        n_sure += runs[i].sureness.answers.len;
    }
    add_costs(d, &all, &names);
    if (n_sure == 0) {
        return;
    }
    add_sureness(d, &all);
    if (n == 1) {
        add_reliability(d, &runs[0].sureness);
    }
    add_risks(d, &all, &names);
}

/* --- who abstains -------------------------------------------------------- */

static void add_kind(grid *g, arena *a, const char *kind, const abstained *c)
{
    grid_row(g, str_from(kind), cell_int(a, abstained_cases(c)),
             cell_int(a, c->right), cell_int(a, c->wrong + c->answered),
             cell_int(a, c->withheld + c->declined),
             cell_percent(a, abstained_coverage(c)),
             cell_percent(a, abstained_risk(c)));
}

static const abstained *of_kind(arena *a, const abstained *c, bool has_answer)
{
    abstained *part = arena_new(a, abstained, 1);
    *part = has_answer
                ? (abstained){.right = c->right,
                              .wrong = c->wrong,
                              .withheld = c->withheld}
                : (abstained){.answered = c->answered, .declined = c->declined};
    return part;
}

static void add_confusion(doc *d, str name, const abstained *c)
{
    arena *a = d->a;
    grid *g = doc_titled(d, name);
    grid_heads(g, S("cases|right|wrong|abstained|coverage|risk"));
    add_kind(g, a, "answerable", of_kind(a, c, true));
    add_kind(g, a, "unanswerable", of_kind(a, c, false));
    add_kind(g, a, "all", c);
    if (c->unknown > 0) {
        grid_row(g, S("not judged"), cell_int(a, c->unknown));
    }
}

static str points(arena *a, double score)
{
    return cell_decimal(a, score * 100, 1);
}

void abstained_tables(doc *d, const abstained_row *rows, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        add_confusion(d, rows[i].name, rows[i].counts);
    }
    if (n == 0) {
        return;
    }
    grid *g = doc_table(d, S("reliability score|RS(0)|RS(5)|RS(10)|RS(N)|N"));
    for (ptrdiff_t row = 0; row < n; row++) {
        const abstained *c = rows[row].counts;
        int64_t n_cases = abstained_cases(c);
        grid_row(g, rows[row].name);
        for (ptrdiff_t i = 0; i < countof(PENALTIES); i++) {
            grid_add(g, points(d->a, abstained_score(c, PENALTIES[i])));
        }
        grid_add(g, points(d->a, abstained_score(c, (double)n_cases)),
                 cell_int(d->a, n_cases));
    }
}

/* --- as JSON ------------------------------------------------------------- */

void bill_json(buf *out, const bill *b)
{
    if (fewest(b) == 0) {
        return;
    }
    json_write(out, member_open(S("told"), '{'));
    for (int k = TOLD_TOKENS_IN; k < TOLD_CONFIDENCE; k++) {
        if (b->n[k] > 0) {
            json_write(out, member_open(told_word((told_kind)k), '{'),
                       member_int(S("answers"), b->n[k]),
                       member_double(S("sum"), b->sum[k]),
                       member_double(S("mean"), b->sum[k] / (double)b->n[k]),
                       member_if(k == TOLD_LATENCY_MS,
                                 member_double(S("p50"), b->latency[0])),
                       member_if(k == TOLD_LATENCY_MS,
                                 member_double(S("p95"), b->latency[1])),
                       json_end("}"));
        }
    }
    json_write(out,
               member_if(!isnan(b->per_right),
                         member_double(S("cost_per_right"), b->per_right)),
               json_end("}"));
}

void sureness_json(buf *out, const sureness *s)
{
    if (s->answers.len == 0) {
        return;
    }
    const calibration *c = &s->calibration;
    json_write(out, member_open(S("confidence"), '{'),
               member_int(S("answers"), s->answers.len),
               member_int(S("right"), s->n_right),
               member_double(S("auroc"), s->auroc),
               member_double(S("aurc"), s->area),
               member_double(S("aurc_chance"), s->chance),
               member_double(S("aurc_best"), s->least));
    if (s->is_probability) {
        json_write(out, member_double(S("ece"), calibration_error(c)),
                   member_double(S("brier"), s->brier),
                   member_open(S("bins"), '['));
        for (int i = 0; i < CALIBRATION_BINS; i++) {
            double n = (double)c->n[i];
            json_write(out, json_begin('{'), member_int(S("answers"), c->n[i]),
                       member_double(S("confidence"), c->confidence[i] / n),
                       member_double(S("right"), (double)c->n_right[i] / n),
                       json_end("}"));
        }
        buf_char(out, ']');
    }
    json_write(out, member_open(S("risk_at_coverage"), '{'));
    for (int i = 1; i <= 10; i++) {
        char key[8];
        int len = snprintf(key, sizeof key, "%d", i * 10);
        json_write(out, member_double((str){key, len},
                                      sureness_risk(s, tenths(s, i))));
    }
    buf_add(out, S("}}"));
}

void abstained_json(buf *out, const abstained *c)
{
    int64_t n = abstained_cases(c);
    if (n + c->unknown == 0) {
        return;
    }
    json_write(
        out, member_open(S("abstain"), '{'), member_open(S("answerable"), '{'),
        member_int(S("right"), c->right), member_int(S("wrong"), c->wrong),
        member_int(S("abstained"), c->withheld), json_end("}"),
        member_open(S("unanswerable"), '{'),
        member_int(S("answered"), c->answered),
        member_int(S("abstained"), c->declined), json_end("}"),
        member_int(S("not_judged"), c->unknown),
        member_double(S("coverage"), abstained_coverage(c)),
        member_double(S("risk"), abstained_risk(c)));
    for (ptrdiff_t i = 0; i < countof(PENALTIES); i++) {
        char key[16];
        int len = snprintf(key, sizeof key, "rs_%g", PENALTIES[i]);
        json_write(out, member_double((str){key, len},
                                      100 * abstained_score(c, PENALTIES[i])));
    }
    json_write(out,
               member_double(S("rs_n"), 100 * abstained_score(c, (double)n)),
               json_end("}"));
}
