/*
 * report_regold.c - two versions of the golds, for people and for programs.
 *
 * Method      All that is said of both versions is over the cases that both
 *             have and that every run was judged on; ranks are by share, and
 *             their spread is that of cases drawn again (rank_draws.h).
 */
#include "base/json_write.h"
#include "report/agreement.h"
#include "report/doc.h"
#include "report/regold.h"

#include <math.h>

enum {
    VERSIONS = 3,  // old, new, new without suspects
};

// The order of the runs by each version.
typedef struct orders {
    rank_draws at[VERSIONS];
    ptrdiff_t n;
} orders;

// Cases without a verdict of some run by one of the versions, or that are
// suspected.
static const bool *left_out(const regold *g, bool by_suspicion, arena *a)
{
    bool *out = arena_new(a, bool, g->v.cases.len);
    for (ptrdiff_t id = 0; id < g->v.cases.len; id++) {
        out[id] = by_suspicion && g->suspect && g->suspect[id];
        for (ptrdiff_t i = 0; i < 2 * g->n_runs; i++) {
            out[id] |= versus_outcome_at(&g->v, i, id).answer < VERSUS_NO;
        }
    }
    return out;
}

static orders orders_of(const regold *g, arena *a, arena scratch)
{
    orders o = {.n = g->n_suspect > 0 ? VERSIONS : VERSIONS - 1};
    for (ptrdiff_t i = 0; i < o.n; i++) {
        const bool *out = left_out(g, i == 2, a);
        o.at[i] = rank_draws_of(&g->v, i == 0 ? 0 : g->n_runs, g->n_runs, out,
                                a, scratch);
    }
    return o;
}

static const char *version_word(ptrdiff_t version)
{
    static const char *const words[VERSIONS] = {"old", "new",
                                                "without suspects"};
    return words[version];
}

static int64_t changed(const regold *g, regold_change change)
{
    int64_t n = 0;
    for (ptrdiff_t id = 0; id < g->cases.len; id++) {
        n += g->cases.ptr[id].change == change;
    }
    return n;
}

static void add_runs(doc *d, const regold *g, const orders *o)
{
    grid *t = doc_table(d, S("run|old|new|points|gained|lost"));
    for (ptrdiff_t i = 0; i < g->n_runs; i++) {
        double old = o->at[0].runs[i].share;
        double new = o->at[1].runs[i].share;
        regold_moves m = regold_count(g, i, -1);
        grid_row(t, g->v.runs.ptr[i].name, cell_percent(d->a, old),
                 cell_percent(d->a, new), cell_points(d->a, new - old),
                 cell_int(d->a, m.gained), cell_int(d->a, m.lost));
    }
}

static void add_cause_table(doc *d, const regold *g)
{
    grid *t = doc_table(d, S("change of the gold|golds|gained|lost"));
    for (ptrdiff_t i = 0; i < map_count(&g->causes); i++) {
        regold_moves m = regold_count(g, -1, i);
        str word = map_key_at(&g->causes, i);
        grid_row(t, cell_name(word), cell_int(d->a, m.golds),
                 cell_int(d->a, m.gained), cell_int(d->a, m.lost));
    }
}

static str rank_cell(arena *a, const rank_draws *d, ptrdiff_t run)
{
    const rank_draws_run *r = &d->runs[run];
    return d->n_draws == 0 ? arena_printf(a, "%td", r->rank)
                           : arena_printf(a, "%td (%.0f-%.0f)", r->rank,
                                          r->ranks.low, r->ranks.high);
}

// Two columns a version: its rank, and how often it is the first.
static str order_cell(const void *what, arena *a, cell_at p)
{
    const orders *o = what;
    const rank_draws *d = &o->at[p.at[AXIS_ITEM] / 2];
    return p.at[AXIS_ITEM] % 2 == 0 ? rank_cell(a, d, p.at[AXIS_RUN])
           : d->n_draws > 0 ? cell_percent(a, d->runs[p.at[AXIS_RUN]].first)
                            : S("-");
}

static void add_ranks(doc *d, const regold *g, const orders *o)
{
    axis runs = {.of = AXIS_RUN};
    axis versions = {.of = AXIS_ITEM};
    for (ptrdiff_t i = 0; i < o->n; i++) {
        axis_add(&versions, d->a, str_from(version_word(i)), 2 * i);
        axis_add(&versions, d->a, S("first in"), 2 * i + 1);
    }
    for (ptrdiff_t run = 0; run < g->n_runs; run++) {
        axis_add(&runs, d->a, g->v.runs.ptr[run].name, run);
    }
    grid_cross(doc_table(d, S("rank (95 % of draws)")), &runs, &versions,
               (cell_at){0}, order_cell, o);
}

// Kendall's tau of two versions by their shares.
static double tau_of(const regold *g,
                     const orders *o,
                     ptrdiff_t x,
                     ptrdiff_t y,
                     arena scratch)
{
    double *left = arena_new(&scratch, double, g->n_runs);
    double *right = arena_new(&scratch, double, g->n_runs);
    for (ptrdiff_t i = 0; i < g->n_runs; i++) {
        left[i] = o->at[x].runs[i].share;
        right[i] = o->at[y].runs[i].share;
    }
    return kendall_tau(left, right, g->n_runs);
}

static int64_t swaps(const regold *g, const orders *o, ptrdiff_t x, ptrdiff_t y)
{
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < g->n_runs; i++) {
        for (ptrdiff_t k = i + 1; k < g->n_runs; k++) {
            double before = o->at[x].runs[i].share - o->at[x].runs[k].share;
            double after = o->at[y].runs[i].share - o->at[y].runs[k].share;
            n += before * after < 0;
        }
    }
    return n;
}

static void add_stability(doc *d,
                          const regold *g,
                          const orders *o,
                          arena scratch)
{
    if (g->n_runs < 2) {
        return;
    }
    doc_say(d, "\n");
    for (ptrdiff_t i = 1; i < o->n; i++) {
        double tau = tau_of(g, o, i - 1, i, scratch);
        int64_t n = swaps(g, o, i - 1, i);
        doc_say(d, "%s to %s: %lld of %td pairs of runs change places",
                version_word(i - 1), version_word(i), (long long)n,
                g->n_runs * (g->n_runs - 1) / 2);
        if (!isnan(tau)) {
            doc_say(d, "; Kendall's tau %.2f", tau);
        }
        doc_say(d, "\n");
    }
    for (ptrdiff_t i = 0; i < o->n && o->at[i].n_draws > 0; i++) {
        const rank_draws *draws = &o->at[i];
        doc_say(d,
                "%s, %lld cases resampled %td times: exactly this order in "
                "%.1f %%, tau with it %.2f (%.2f to %.2f)\n",
                version_word(i), (long long)draws->n_cases, draws->n_draws,
                draws->same * 100, draws->tau, draws->taus.low,
                draws->taus.high);
    }
}

// Runs of a case whose verdict moves: "+a -b".
static str moves_cell(const regold *g, ptrdiff_t id, arena *a)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < g->n_runs; i++) {
        uint8_t old = versus_outcome_at(&g->v, i, id).answer;
        uint8_t new = versus_outcome_at(&g->v, g->n_runs + i, id).answer;
        if (old >= VERSUS_NO && new >= VERSUS_NO && old != new) {
            buf_printf(&b, "%s%c%.*s", b.len > 0 ? " " : "",
                       new == VERSUS_YES ? '+' : '-',
                       STR_ARG(g->v.runs.ptr[i].name));
        }
    }
    return buf_str(&b);
}

static str causes_cell(const regold *g, ptrdiff_t id, arena *a)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < map_count(&g->causes); i++) {
        if (g->cases.ptr[id].causes >> i & 1) {
            buf_list(&b, map_key_at(&g->causes, i));
        }
    }
    return buf_str(&b);
}

static void add_cases(doc *d, const regold *g)
{
    grid *t = doc_table(d, S("verdicts that move|db|change|runs"));
    ptrdiff_t n = 0;
    for (ptrdiff_t id = 0; id < g->cases.len; id++) {
        arena before = *d->a;
        str moves = moves_cell(g, id, d->a);
        bool is_moved =
            g->cases.ptr[id].change != REGOLD_ABSENT && moves.len > 0;
        if (!is_moved || n++ >= d->look.show) {
            *d->a = is_moved ? *d->a : before;
            continue;
        }
        const versus_case *c = &g->v.cases.ptr[id];
        grid_row(t, map_key_at(&g->v.ids, id),
                 map_key_at(&g->v.names[VERSUS_BY_DB], c->groups[VERSUS_BY_DB]),
                 causes_cell(g, id, d->a), moves);
    }
    if (n > d->look.show) {
        doc_say(d, "... of %td case%s with verdicts that move\n", n, plural(n));
    }
}

void regold_doc(doc *d, const regold *g)
{
    arena scratch = arena_half(d->a);
    orders o = orders_of(g, d->a, scratch);
    int64_t n = regold_count(g, -1, -1).golds;
    doc_say(d,
            "%.*s: %lld case%s in both versions of the golds\ngolds: %lld "
            "unchanged, %lld only rephrased, %lld with another result, %lld "
            "unknown\n",
            STR_ARG(g->v.metric), (long long)n, plural(n),
            (long long)changed(g, REGOLD_SAME),
            (long long)changed(g, REGOLD_TEXT),
            (long long)changed(g, REGOLD_RESULT),
            (long long)changed(g, REGOLD_UNKNOWN));
    doc_say(d, "scored for every run with both: %lld case%s\n",
            (long long)o.at[0].n_cases, plural(o.at[0].n_cases));
    if (g->n_suspect > 0) {
        doc_say(d, "suspect, and left out of the last ranking: %lld\n",
                (long long)g->n_suspect);
    }
    add_runs(d, g, &o);
    add_cause_table(d, g);
    add_ranks(d, g, &o);
    add_stability(d, g, &o, scratch);
    add_cases(d, g);
}

static void json_order(buf *out, const regold *g, const rank_draws *d)
{
    json_write(out, member_int(S("cases"), d->n_cases),
               member_int(S("draws"), d->n_draws));
    if (d->n_draws > 0 && g->n_runs > 1) {
        json_write(out, member_double(S("same_order"), d->same),
                   member_double(S("tau"), d->tau),
                   member_double(S("tau_low"), d->taus.low),
                   member_double(S("tau_high"), d->taus.high));
    }
    json_write(out, member_open(S("runs"), '['));
    for (ptrdiff_t i = 0; i < g->n_runs; i++) {
        const rank_draws_run *r = &d->runs[i];
        json_write(out, json_begin('{'),
                   member_text(S("run"), g->v.runs.ptr[i].name),
                   member_double(S("percent"), r->share * 100),
                   member_int(S("rank"), r->rank));
        if (d->n_draws > 0) {
            json_write(out, member_double(S("rank_low"), r->ranks.low),
                       member_double(S("rank_high"), r->ranks.high),
                       member_double(S("first"), r->first));
        }
        buf_char(out, '}');
    }
    buf_char(out, ']');
}

static void json_moves(buf *out, str name, regold_moves m)
{
    json_write(out, member_open(name, '{'), member_int(S("golds"), m.golds),
               member_int(S("gained"), m.gained), member_int(S("lost"), m.lost),
               json_end("}"));
}

void regold_json(buf *out, const regold *g, arena scratch)
{
    arena other = arena_half(&scratch);
    orders o = orders_of(g, &scratch, other);
    static const str words[REGOLD_CHANGE_COUNT] = {
        S_INIT("only_in_one"), S_INIT("same"), S_INIT("same_result"),
        S_INIT("other_result"), S_INIT("not_known")};
    json_write(out, json_begin('{'), member_text(S("metric"), g->v.metric),
               member_text(S("old"), g->files[0]),
               member_text(S("new"), g->files[1]),
               member_open(S("golds"), '{'));
    for (int i = 0; i < REGOLD_CHANGE_COUNT; i++) {
        json_write(out, member_int(words[i], changed(g, (regold_change)i)));
    }
    json_write(out, json_end("}"), member_int(S("suspects"), g->n_suspect));
    static const str versions[VERSIONS] = {S_INIT("by_old"), S_INIT("by_new"),
                                           S_INIT("without_suspects")};
    for (ptrdiff_t i = 0; i < o.n; i++) {
        json_write(out, member_open(versions[i], '{'));
        json_order(out, g, &o.at[i]);
        buf_char(out, '}');
    }
    json_write(out, member_open(S("moves"), '{'));
    for (ptrdiff_t i = 0; i < g->n_runs; i++) {
        json_moves(out, g->v.runs.ptr[i].name, regold_count(g, i, -1));
    }
    json_write(out, json_end("}"), member_open(S("causes"), '{'));
    for (ptrdiff_t i = 0; i < map_count(&g->causes); i++) {
        json_moves(out, map_key_at(&g->causes, i), regold_count(g, -1, i));
    }
    json_write(out, json_end("}"), member_open(S("cases"), '['));
    for (ptrdiff_t id = 0; id < g->cases.len; id++) {
        str moves = moves_cell(g, id, &scratch);
        if (g->cases.ptr[id].change != REGOLD_ABSENT && moves.len > 0) {
            json_write(out, json_begin('{'),
                       member_text(S("id"), map_key_at(&g->v.ids, id)),
                       member_text(S("change"), causes_cell(g, id, &scratch)),
                       member_text(S("runs"), moves), json_end("}"));
        }
    }
    buf_add(out, S("]}\n"));
}
