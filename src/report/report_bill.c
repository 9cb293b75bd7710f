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

static bool some_tell(const bill_run *runs, ptrdiff_t n, told_kind k)
{
    bool some = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        some |= runs[i].bill.n[k] > 0;
    }
    return some;
}

// A column of all runs; cells of other columns are filled in by the caller.
static void add_cost_cells(grid *g,
                           arena *a,
                           const bill_run *runs,
                           ptrdiff_t n,
                           ptrdiff_t at)
{
    const bill *b = &runs[at].bill;
    for (int k = TOLD_TOKENS_IN; k <= TOLD_TOKENS_OUT; k++) {
        if (some_tell(runs, n, (told_kind)k)) {
            grid_cell(g,
                      b->n[k] > 0 ? cell_int(a, (int64_t)b->sum[k]) : S("-"));
        }
    }
    if (some_tell(runs, n, TOLD_COST)) {
        grid_row(g, b->n[TOLD_COST] > 0 ? money(a, b->sum[TOLD_COST]) : S("-"),
                 money(a, b->per_right));
        if (n > 1) {
            grid_cell(g, b->n[TOLD_COST] == 0        ? S("-")
                         : bill_is_best(runs, n, at) ? S("yes")
                                                     : S("no"));
        }
    }
    if (some_tell(runs, n, TOLD_LATENCY_MS)) {
        grid_row(g, milliseconds(a, b->latency[0]),
                 milliseconds(a, b->latency[1]));
    }
}

static void add_cost_heads(grid *g, const bill_run *runs, ptrdiff_t n)
{
    if (some_tell(runs, n, TOLD_TOKENS_IN)) {
        grid_cell(g, S("tokens in"));
    }
    if (some_tell(runs, n, TOLD_TOKENS_OUT)) {
        grid_cell(g, S("tokens out"));
    }
    if (some_tell(runs, n, TOLD_COST)) {
        grid_heads(g, n > 1 ? S("cost|a right answer|Pareto")
                            : S("cost|a right answer"));
    }
    if (some_tell(runs, n, TOLD_LATENCY_MS)) {
        grid_heads(g, S("p50|p95"));
    }
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

static void add_costs(grid_list *out,
                      arena *a,
                      const bill_run *runs,
                      ptrdiff_t n)
{
    ptrdiff_t n_columns = 2;
    for (int k = TOLD_TOKENS_IN; k <= TOLD_LATENCY_MS; k++) {
        ptrdiff_t more = k == TOLD_COST         ? 2 + (n > 1)
                         : k == TOLD_LATENCY_MS ? 2
                                                : 1;
        n_columns += some_tell(runs, n, (told_kind)k) ? more : 0;
    }
    if (n_columns == 2) {
        return;
    }
    grid g = grid_new(a, n_columns);
    grid_heads(&g, S("answers|told by"));
    add_cost_heads(&g, runs, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        grid_row(&g, runs[i].name, told_by(a, &runs[i].bill));
        add_cost_cells(&g, a, runs, n, i);
    }
    *vec_push(a, out) = g;
}

/* --- how sure they are --------------------------------------------------- */

static void add_sureness(grid_list *out,
                         arena *a,
                         const bill_run *runs,
                         ptrdiff_t n)
{
    grid g = grid_new(a, 9);
    grid_heads(&g, S("confidence|answers|right|ECE|Brier|AUROC|AURC|by chance|"
                     "at best"));
    bool some = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        const sureness *s = &runs[i].sureness;
        int64_t n_answers = s->answers.len;
        some |= n_answers > 0;
        double error =
            s->is_probability ? calibration_error(&s->calibration) : NAN;
        grid_row(&g, runs[i].name, cell_int(a, n_answers),
                 cell_percent(a, 1 - s->chance), cell_decimal(a, error, 3),
                 cell_decimal(a, s->is_probability ? s->brier : NAN, 3),
                 cell_decimal(a, s->auroc, 3), cell_decimal(a, s->area, 3),
                 cell_decimal(a, s->chance, 3), cell_decimal(a, s->least, 3));
    }
    if (some) {
        *vec_push(a, out) = g;
    }
}

static void add_reliability(grid_list *out, arena *a, const sureness *s)
{
    const calibration *c = &s->calibration;
    grid g = grid_new(a, 4);
    grid_heads(&g, S("reliability|answers|confidence|right"));
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        if (c->n[i] > 0) {
            double n = (double)c->n[i];
            grid_row(&g, calibration_bin_name(a, i), cell_int(a, c->n[i]),
                     cell_percent(a, c->confidence[i] / n),
                     cell_percent(a, (double)c->n_right[i] / n));
        }
    }
    if (s->answers.len > 0 && s->is_probability) {
        *vec_push(a, out) = g;
    }
}

// So many tenths of the answers, the surest; at least one.
static ptrdiff_t tenths(const sureness *s, int n)
{
    ptrdiff_t k = (s->answers.len * n + 9) / 10;
    return k > 0 ? k : 1;
}

static void add_risks(grid_list *out,
                      arena *a,
                      const bill_run *runs,
                      ptrdiff_t n)
{
    grid g = grid_new(a, 6);
    grid_heads(&g, S("risk at coverage|20 %|40 %|60 %|80 %|100 %"));
    bool some = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        const sureness *s = &runs[i].sureness;
        some |= s->answers.len > 0;
        grid_cell(&g, runs[i].name);
        for (int k = 2; k <= 10; k += 2) {
            grid_cell(&g, s->answers.len > 0
                              ? cell_percent(a, sureness_risk(s, tenths(s, k)))
                              : S("-"));
        }
    }
    if (some) {
        *vec_push(a, out) = g;
    }
}

void bill_tables(grid_list *out, arena *a, const bill_run *runs, ptrdiff_t n)
{
    add_costs(out, a, runs, n);
    add_sureness(out, a, runs, n);
    if (n == 1) {
        add_reliability(out, a, &runs[0].sureness);
    }
    add_risks(out, a, runs, n);
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

static void add_confusion(grid_list *out,
                          arena *a,
                          str name,
                          const abstained *c)
{
    grid g = grid_new(a, 7);
    grid_cell(&g, name);
    grid_heads(&g, S("cases|right|wrong|abstained|coverage|risk"));
    add_kind(&g, a, "answerable", of_kind(a, c, true));
    add_kind(&g, a, "unanswerable", of_kind(a, c, false));
    add_kind(&g, a, "all", c);
    if (c->unknown > 0) {
        grid_row(&g, S("not judged"), cell_int(a, c->unknown));
        grid_end_row(&g);
    }
    *vec_push(a, out) = g;
}

static str points(arena *a, double score)
{
    return cell_decimal(a, score * 100, 1);
}

static void add_scores(grid_list *out,
                       arena *a,
                       const abstained_row *rows,
                       ptrdiff_t n)
{
    grid g = grid_new(a, countof(PENALTIES) + 3);
    grid_cell(&g, S("reliability score"));
    for (ptrdiff_t i = 0; i < countof(PENALTIES); i++) {
        grid_cell(&g, arena_printf(a, "RS(%g)", PENALTIES[i]));
    }
    grid_heads(&g, S("RS(N)|N"));
    for (ptrdiff_t row = 0; row < n; row++) {
        const abstained *c = rows[row].counts;
        int64_t n_cases = abstained_cases(c);
        grid_cell(&g, rows[row].name);
        for (ptrdiff_t i = 0; i < countof(PENALTIES); i++) {
            grid_cell(&g, points(a, abstained_score(c, PENALTIES[i])));
        }
        grid_row(&g, points(a, abstained_score(c, (double)n_cases)),
                 cell_int(a, n_cases));
    }
    *vec_push(a, out) = g;
}

void abstained_tables(grid_list *out,
                      arena *a,
                      const abstained_row *rows,
                      ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        add_confusion(out, a, rows[i].name, rows[i].counts);
    }
    if (n > 0) {
        add_scores(out, a, rows, n);
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
