/*
 * law_paired.c - paired intervals keep what they promise: on simulated runs
 * with a known difference they hold it in 93 to 97 of 100 comparisons, on
 * equal runs the test says "better" in at most 5 of 100, and the interval is
 * wider where the cases of a cluster hang together. From PAIRED_CLUSTERS_MIN
 * clusters on they do so however cases hang together and clusters differ in
 * size; of fewer, they do not, and are several times as wide as needed.
 *
 * Prints      besides, the table of docs/definitions/difference.md, which shows
 *             where PAIRED_CLUSTERS_MIN comes from.
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
    CLUSTERS_MOST = 24,
    CASES_MOST = 200,  // of a cluster; but for one as large as all others
};

typedef struct world {
    double apart;       // the chance that exactly one is right
    double better;      // by how much b is more often right
    double together;    // spread of the difference between clusters
    bool has_clusters;  // false: every case is one
} world;

static double uniform(rng *r)
{
    return (double)(rng_next(r) >> 11) / 9007199254740992.0;
}

// Both right, one right, none: the chance that exactly one is, `apart`, is
// shared out by the difference.
static void add_case(paired_counts *c, rng *r, double apart, double better)
{
    double u = uniform(r);
    double only_b = fmax(0, apart / 2 + better / 2);
    double only_a = fmax(0, apart / 2 - better / 2);
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
            add_case(&out[n], r, w->apart, w->better + shift);
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

/* --- how many clusters are enough ----------------------------------------- */

// How clusters differ in size.
typedef enum shape {
    SHAPE_EVEN,
    SHAPE_UNEVEN,       // 10 to 90 cases
    SHAPE_VERY_UNEVEN,  // 6 to 150, most of them small
    SHAPE_ONE_LARGE,    // the first is as large as all others
    SHAPE_COUNT,
} shape;

static ptrdiff_t draw_size(rng *r, shape is, ptrdiff_t k, ptrdiff_t n_clusters)
{
    switch (is) {
    case SHAPE_EVEN: return 30;
    case SHAPE_UNEVEN: return 10 + rng_below(r, 81);
    case SHAPE_VERY_UNEVEN: return (ptrdiff_t)(6 * pow(25, uniform(r)));
    case SHAPE_ONE_LARGE: return k == 0 ? 20 * (n_clusters - 1) : 20;
    case SHAPE_COUNT: break;
    }
    return 0;
}

// Of the comparisons whose clusters count as much as so many of one size.
typedef struct tried {
    int n;
    int by_cluster;  // the interval over clusters holds the true difference
    int n_cases;     // of those, the interval over cases was looked at in
    int by_case;
    int these;     // holds the difference in these clusters
    double width;  // of the interval over clusters, in widths of the other
} tried;

static void draw_clusters(paired_counts *clusters,
                          paired_counts *cases,
                          tried *all,
                          rng *r,
                          const world *w,
                          shape is)
{
    // Few more often than many: that is where it changes.
    ptrdiff_t k = 2 + rng_below(r, 1 + rng_below(r, CLUSTERS_MOST - 1));
    ptrdiff_t n = 0;
    double these = 0;
    memset(clusters, 0, sizeof *clusters * CLUSTERS_MOST);
    for (ptrdiff_t i = 0; i < k; i++) {
        double shift = (uniform(r) - 0.5) * 2 * w->together;
        ptrdiff_t size = draw_size(r, is, i, k);
        for (ptrdiff_t end = n + size; n < end; n++) {
            cases[n] = (paired_counts){0};
            add_case(&cases[n], r, w->apart, w->better + shift);
            clusters[i].both += cases[n].both;
            clusters[i].only_a += cases[n].only_a;
            clusters[i].only_b += cases[n].only_b;
            clusters[i].neither += cases[n].neither;
        }
        these += (double)size * (w->better + shift);
    }
    these /= (double)n;
    paired_difference d = paired_compare(clusters, k);
    tried *t = &all[d.freedom + 1];
    t->by_cluster += d.low <= w->better && w->better <= d.high;
    if (t->n++ % 6 == 0) {
        paired_difference c = paired_compare(cases, n);
        t->n_cases++;
        t->by_case += c.low <= w->better && w->better <= c.high;
        t->these += c.low <= these && these <= c.high;
        t->width += (d.high - d.low) / (c.high - c.low);
    }
}

typedef struct coverage {
    double least;
    double most;
} coverage;

static void add_coverage(coverage *c, int covered, int n)
{
    double share = (double)covered / n;
    c->least = c->most == 0 || share < c->least ? share : c->least;
    c->most = share > c->most ? share : c->most;
}

// A row of the table: from `low` to `high` clusters of one size.
typedef struct table_row {
    int low;
    int high;
    coverage by_cluster;
    coverage by_case;
    coverage these;
    double width;
} table_row;

static void add_world(table_row *row, const world *w, const tried *all)
{
    tried sum = {0};
    for (int i = row->low; i <= row->high; i++) {
        sum.n += all[i].n;
        sum.by_cluster += all[i].by_cluster;
        sum.n_cases += all[i].n_cases;
        sum.by_case += all[i].by_case;
        sum.these += all[i].these;
        sum.width += all[i].width;
    }
    if (sum.n < 2000) {
        return;  // this shape hardly ever comes to so many
    }
    add_coverage(&row->by_cluster, sum.by_cluster, sum.n);
    add_coverage(&row->by_case, sum.by_case, sum.n_cases);
    add_coverage(&row->these, sum.these, sum.n_cases);
    if (w->together == 0) {
        row->width = fmax(row->width, sum.width / sum.n_cases);
    }
}

static bool enough_clusters(uint64_t seed)
{
    static const world worlds[] = {
        {.apart = 0.3},
        {.apart = 0.3, .together = 0.1},
        {.apart = 0.3, .together = 0.1, .better = 0.05},
        {.apart = 0.5, .together = 0.3, .better = 0.05},
        {.apart = 0.06},
        {.apart = 0.5, .together = 0.1, .better = 0.3},
    };
    static paired_counts cases[CLUSTERS_MOST * CASES_MOST];
    table_row rows[] = {
        {.low = 2, .high = 2},
        {.low = 3, .high = 3},
        {.low = 4, .high = 4},
        {.low = 5, .high = 6},
        {.low = 7, .high = 10},
        {.low = 11, .high = 15},
        {.low = 16, .high = CLUSTERS_MOST},
    };
    paired_counts clusters[CLUSTERS_MOST];
    for (int i = 0; i < SHAPE_COUNT * countof(worlds); i++) {
        tried all[CLUSTERS_MOST + 1] = {0};
        rng r = {.state = seed};
        for (int t = 0; t < 6 * TRIALS; t++) {
            draw_clusters(clusters, cases, all, &r, &worlds[i / SHAPE_COUNT],
                          (shape)(i % SHAPE_COUNT));
        }
        for (ptrdiff_t k = 0; k < countof(rows); k++) {
            add_world(&rows[k], &worlds[i / SHAPE_COUNT], all);
        }
    }
    bool ok = true;
    printf("clusters  by cluster  width  by case  by case, these clusters\n");
    for (ptrdiff_t k = 0; k < countof(rows); k++) {
        const table_row *row = &rows[k];
        printf("%d to %d  %.1f to %.1f  %.1f  %.1f to %.1f  %.1f to %.1f\n",
               row->low, row->high, row->by_cluster.least * 100,
               row->by_cluster.most * 100, row->width, row->by_case.least * 100,
               row->by_case.most * 100, row->these.least * 100,
               row->these.most * 100);
        ok &=
            row->low < PAIRED_CLUSTERS_MIN
            || (row->by_cluster.least >= 0.93 && row->by_cluster.most <= 0.97);
    }
    return ok;
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
    const world equal = {.apart = 0.3, .has_clusters = true};
    const world together = {
        .apart = 0.3, .better = 0.05, .together = 0.1, .has_clusters = true};
    const world loose = {.apart = 0.3, .better = 0.05, .together = 0.1};
    const world single = {.apart = 0.3, .better = 0.05};
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
    bool enough = enough_clusters(seed);
    ok &= expect(enough, "coverage from so many clusters on",
                 PAIRED_CLUSTERS_MIN);
    arena_store_close(&store);
    return ok ? 0 : 1;
}
