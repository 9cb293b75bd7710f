/*
 * law_paired.c - paired intervals keep what they promise: on simulated runs
 * with a known difference they hold it in 93 to 97 of 100 comparisons, on
 * equal runs the test says "better" in at most 5 of 100, and the interval is
 * wider where the cases of a cluster hang together.
 *
 * Method      A case is right with a probability that depends on its cluster;
 *             both runs share part of their luck, as models do.
 */
#include "base/arena.h"
#include "base/rng.h"
#include "law_option.h"
#include "report/paired.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CLUSTERS = 20,
    TRIALS = 4000,
};

typedef struct world {
    double better;      // by how much b is more often right
    double together;    // spread of the difference between clusters
    bool has_clusters;  // false: every case is one
} world;

static double uniform(rng *r)
{
    return (double)(rng_next(r) >> 11) / 9007199254740992.0;
}

// Both right, one right, none: the chance that exactly one is, 0.3, is shared
// out by the difference.
static void add_case(paired_counts *c, rng *r, double better)
{
    double u = uniform(r);
    double only_b = 0.15 + better / 2;
    double only_a = 0.15 - better / 2;
    if (u < only_b) {
        c->only_b++;
    } else if (u < only_b + only_a) {
        c->only_a++;
    } else if (u < 0.7) {
        c->both++;
    } else {
        c->neither++;
    }
}

// Twenty clusters of 20 to 39 cases.
static ptrdiff_t draw_runs(paired_counts *out, rng *r, const world *w)
{
    ptrdiff_t n = 0;
    for (int k = 0; k < CLUSTERS; k++) {
        double shift = (uniform(r) - 0.5) * 2 * w->together;
        ptrdiff_t cases = 20 + k;
        for (ptrdiff_t i = 0; i < cases; i++) {
            add_case(&out[n], r, w->better + shift);
            n += !w->has_clusters;
        }
        n += w->has_clusters;
    }
    return n;
}

typedef struct figures {
    double covered;
    double called;  // the test says one is better
    double width;
} figures;

static figures simulate(const world *w, uint64_t seed)
{
    static paired_counts counts[CLUSTERS * (20 + CLUSTERS)];
    figures f = {0};
    rng r = {.state = seed};
    for (int t = 0; t < TRIALS; t++) {
        memset(counts, 0, sizeof counts);
        ptrdiff_t n = draw_runs(counts, &r, w);
        paired_difference d = paired_compare(counts, n);
        f.covered += d.low <= w->better && w->better <= d.high;
        f.called += d.p < 0.05;
        f.width += d.high - d.low;
    }
    f.covered /= TRIALS;
    f.called /= TRIALS;
    f.width /= TRIALS;
    return f;
}

static double bootstrap_covers(const world *w, uint64_t seed, arena scratch)
{
    enum {
        DRAWN = 1500
    };
    rng r = {.state = seed};
    int covered = 0;
    for (int t = 0; t < DRAWN; t++) {
        paired_counts counts[CLUSTERS] = {0};
        ptrdiff_t n = draw_runs(counts, &r, w);
        interval i = paired_bootstrap(counts, n, seed + (uint64_t)t, scratch);
        covered += i.low <= w->better && w->better <= i.high;
    }
    return (double)covered / DRAWN;
}

static bool expect(bool holds, const char *what, double figure)
{
    printf("%s %s: %.4f\n", holds ? "ok" : "FAILED", what, figure);
    return holds;
}

int main(void)
{
    uint64_t seed = (uint64_t)law_option("ASSAY_SEED", 1);
    arena_store store;
    if (!arena_store_open(&store, 1 << 20)) {
        return 1;
    }
    const world equal = {.has_clusters = true};
    const world together = {
        .better = 0.05, .together = 0.1, .has_clusters = true};
    const world loose = {.better = 0.05, .together = 0.1};
    const world single = {.better = 0.05};
    figures e = simulate(&equal, seed);
    figures t = simulate(&together, seed + 1);
    figures l = simulate(&loose, seed + 1);
    figures s = simulate(&single, seed + 2);
    double b = bootstrap_covers(&together, seed, arena_store_clear(&store));
    bool ok = expect(e.called <= 0.05, "type 1 error", e.called);
    ok &= expect(e.covered >= 0.93 && e.covered <= 0.97, "coverage, equal runs",
                 e.covered);
    ok &= expect(t.covered >= 0.93 && t.covered <= 0.97,
                 "coverage, clusters hang together", t.covered);
    ok &= expect(s.covered >= 0.93 && s.covered <= 0.97,
                 "coverage, every case by itself", s.covered);
    ok &=
        expect(t.width > l.width * 1.1, "wider by clusters", t.width / l.width);
    ok &= expect(b >= 0.93 && b <= 0.97, "coverage of the bootstrap", b);
    arena_store_close(&store);
    return ok ? 0 : 1;
}
