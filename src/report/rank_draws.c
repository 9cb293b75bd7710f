/*
 * rank_draws.c - see rank_draws.h.
 *
 * Method      What is drawn is a case, or with --cluster db all cases of a
 *             database. A draw only adds up what its units hold: right and
 *             known cases of each run. Percentiles are nearest-rank.
 *
 * Cost        units * runs * draws; of very many cases fewer draws are made.
 */
#include "report/rank_draws.h"

#include "base/order.h"
#include "base/rng.h"
#include "report/agreement.h"

#include <math.h>
#include <stdlib.h>

enum {
    DRAWS_MOST = 2000,
    DRAWS_LEAST = 200,
    STEPS_MOST = 400 * 1000 * 1000,
    SEED = 1,
};

// Cases of a run: those with a yes, and those with a yes or no.
typedef struct known_cases {
    int64_t yes;
    int64_t all;
} known_cases;

// The runs [first, first + n) by unit.
typedef struct drawing {
    const versus *v;
    ptrdiff_t first;
    ptrdiff_t n;
    known_cases *units;  // unit by unit, run by run
    ptrdiff_t n_units;
} drawing;

static bool all_have(const drawing *d, ptrdiff_t id)
{
    bool all = true;
    for (ptrdiff_t i = 0; i < d->n; i++) {
        all &=
            versus_outcome_at(d->v, d->first + i, id).answer != VERSUS_ABSENT;
    }
    return all;
}

static int64_t fill_units(drawing *d, const bool *left_out, arena *a)
{
    const versus *v = d->v;
    bool by_db = v->cluster == VERSUS_CLUSTER_DB;
    ptrdiff_t most = by_db ? map_count(&v->names[VERSUS_BY_DB]) : v->cases.len;
    int32_t *unit_of = arena_new(a, int32_t, most);  // plus 1
    d->units = arena_new(a, known_cases, most * d->n);
    int64_t n_cases = 0;
    for (ptrdiff_t id = 0; id < v->cases.len; id++) {
        if ((left_out && left_out[id]) || !all_have(d, id)) {
            continue;
        }
        ptrdiff_t at = by_db ? v->cases.ptr[id].groups[VERSUS_BY_DB] : id;
        if (unit_of[at] == 0) {
            unit_of[at] = (int32_t)++d->n_units;
        }
        n_cases++;
        for (ptrdiff_t i = 0; i < d->n; i++) {
            known_cases *k = &d->units[(unit_of[at] - 1) * d->n + i];
            uint8_t said = versus_outcome_at(v, d->first + i, id).answer;
            k->yes += said == VERSUS_YES;
            k->all += said == VERSUS_YES || said == VERSUS_NO;
        }
    }
    return n_cases;
}

// Shares of all runs over the units that a draw has; all units once without
// dice.
static void draw_shares(const drawing *d, rng *dice, double *shares, arena s)
{
    known_cases *sums = arena_new(&s, known_cases, d->n);
    for (ptrdiff_t k = 0; k < d->n_units; k++) {
        ptrdiff_t unit = dice ? rng_below(dice, d->n_units) : k;
        for (ptrdiff_t i = 0; i < d->n; i++) {
            sums[i].yes += d->units[unit * d->n + i].yes;
            sums[i].all += d->units[unit * d->n + i].all;
        }
    }
    for (ptrdiff_t i = 0; i < d->n; i++) {
        shares[i] =
            sums[i].all > 0 ? (double)sums[i].yes / (double)sums[i].all : 0;
    }
}

ORDER(by_value, double, ORDER_OF(*a, *b))

static interval middle(double *values, ptrdiff_t n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    ptrdiff_t beyond = n * 25 / 1000;
    return (interval){values[beyond], values[n - 1 - beyond]};
}

// What one draw adds; ranks are kept run by run.
static void add_draw(rank_draws *s,
                     const double *shares,
                     const double *all,
                     ptrdiff_t n,
                     double *ranks,
                     double *tau)
{
    bool is_same = true;
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t rank = share_rank(shares, n, i);
        ranks[i * s->n_draws] = (double)rank;
        s->runs[i].first += rank == 1;
        is_same &= rank == s->runs[i].rank;
    }
    double t = kendall_tau(shares, all, n);
    *tau = isnan(t) ? 0 : t;
    s->tau += *tau;
    s->same += is_same;
}

static ptrdiff_t draws_for(const drawing *d)
{
    int64_t steps = (int64_t)d->n_units * d->n + 1;
    int64_t n = STEPS_MOST / steps;
    return n > DRAWS_MOST    ? DRAWS_MOST
           : n < DRAWS_LEAST ? DRAWS_LEAST
                             : (ptrdiff_t)n;
}

rank_draws rank_draws_of(const versus *v,
                         ptrdiff_t first,
                         ptrdiff_t n,
                         const bool *left_out,
                         arena *a,
                         arena scratch)
{
    rank_draws s = {.runs = arena_new(a, rank_draws_run, n)};
    drawing d = {.v = v, .first = first, .n = n};
    s.n_cases = fill_units(&d, left_out, &scratch);
    double *all = arena_new(&scratch, double, n);
    double *shares = arena_new(&scratch, double, n);
    draw_shares(&d, NULL, all, scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        s.runs[i].share = all[i];
        s.runs[i].rank = share_rank(all, n, i);
    }
    if (d.n_units < 2) {
        return s;
    }
    s.n_draws = draws_for(&d);
    double *ranks = arena_new(&scratch, double, n *s.n_draws);
    double *taus = arena_new(&scratch, double, s.n_draws);
    rng dice = {.state = SEED};
    for (ptrdiff_t k = 0; k < s.n_draws; k++) {
        draw_shares(&d, &dice, shares, scratch);
        add_draw(&s, shares, all, n, &ranks[k], &taus[k]);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        s.runs[i].ranks = middle(&ranks[i * s.n_draws], s.n_draws);
        s.runs[i].first /= (double)s.n_draws;
    }
    s.tau /= (double)s.n_draws;
    s.same /= (double)s.n_draws;
    s.taus = middle(taus, s.n_draws);
    return s;
}
