/*
 * paired.c - paired differences over clusters of cases.
 *
 * Method      The difference is the mean over cases of (b is right) - (a is
 *             right). Its variance comes from the sums of residuals by
 *             cluster, each divided by 1 - n_g / n: large clusters pull the
 *             mean towards themselves and so look too near it (CR2 of Bell
 *             and McCaffrey, 2002, for a mean). Student's t turns it into an
 *             interval. Its degrees of freedom are theirs, too: one less than
 *             there are clusters of one size, fewer where sizes differ.
 *             The bootstrap draws as many clusters as there are, with
 *             replacement. Of few clusters its 2.5 % and 97.5 % points lie too
 *             near each other, by what t exceeds the normal distribution and
 *             by the root of n / (n - 1); points further out are taken (the
 *             expanded percentile interval of Hesterberg, 2015).
 *
 * Invariants  (1) low <= difference <= high; all within [-1, 1].
 *             (2) Exchanging a and b changes the sign of the difference and
 *                 exchanges the negated ends of the t interval; p stays.
 *             (3) The interval is never of length zero: where the runs differ
 *                 in no case (or in all in the same way), its ends are what
 *                 chance could have hidden from n cases, 1 - 0.025^(1/n).
 *
 * Cost        Linear in clusters; the bootstrap 2,000 times that.
 */
#include "report/paired.h"

#include "base/order.h"
#include "base/rng.h"
#include "report/agreement.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    DRAWS = 2000,
    BOOTSTRAP_CLUSTERS_MAX = 20000,
    NORMAL_DF = 2000,  // from here on t is the normal distribution to 1e-3
};

static const double NEEDED_MOST = 1e15;  // cases: more would say no more

static const double PI = 3.14159265358979323846;

int64_t paired_cases(const paired_counts *c)
{
    return c->both + c->only_a + c->only_b + c->neither;
}

/* --- Student's t --------------------------------------------------------- */

// P(|T| <= t) for t >= 0: the finite series for whole degrees of freedom
// (Abramowitz and Stegun 26.7.3 and 26.7.4).
static double student_within(double t, int64_t df)
{
    assert(t >= 0 && df >= 1);
    double angle = atan(t / sqrt((double)df));
    double cosine = cos(angle);
    bool is_odd = df % 2 == 1;
    double term = is_odd ? cosine : 1;
    double sum = df == 1 ? 0 : term;
    for (int64_t k = is_odd ? 3 : 2; k <= df - 2; k += 2) {
        term *= cosine * cosine * (double)(k - 1) / (double)k;
        sum += term;
    }
    double within = sin(angle) * sum;
    return is_odd ? (angle + within) * 2 / PI : within;
}

static double student_below(double t, int64_t df)
{
    if (df >= NORMAL_DF) {
        return erfc(-t / sqrt(2)) / 2;
    }
    double within = student_within(fabs(t), df);
    return t < 0 ? (1 - within) / 2 : (1 + within) / 2;
}

double student_quantile(double p, int64_t df)
{
    assert(p > 0 && p < 1 && df >= 1);
    double low = -1;
    double high = 1;
    while (student_below(low, df) > p) {
        low *= 2;
    }
    while (student_below(high, df) < p) {
        high *= 2;
    }
    for (int i = 0; i < 100 && low < high; i++) {
        double middle = (low + high) / 2;
        if (student_below(middle, df) < p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

/* --- the difference ------------------------------------------------------ */

static void add_counts(paired_counts *sum, const paired_counts *c)
{
    sum->both += c->both;
    sum->only_a += c->only_a;
    sum->only_b += c->only_b;
    sum->neither += c->neither;
}

static double mean_difference(const paired_counts *c)
{
    assert(paired_cases(c) > 0);  // nothing has no mean
    return (double)(c->only_b - c->only_a) / (double)paired_cases(c);
}

// NaN with a single cluster: nothing is known of how clusters differ.
static double standard_error(const paired_counts *clusters,
                             ptrdiff_t n_clusters,
                             const paired_difference *d)
{
    assert(paired_cases(&d->all) > 0);
    double n = (double)paired_cases(&d->all);
    double sum = 0;
    for (ptrdiff_t i = 0; i < n_clusters; i++) {
        const paired_counts *c = &clusters[i];
        double share = (double)paired_cases(c) / n;
        double residual =
            (double)(c->only_b - c->only_a) - d->difference * share * n;
        if (share > 0 && share < 1) {
            sum += residual * residual / (1 - share);
        }
    }
    return d->n_clusters > 1 ? sqrt(sum) / n : NAN;
}

/*
 * If cases were independent, the squared residuals of a cluster that holds the
 * share s, over 1 - s, would have covariances with trace 1, and this is the
 * trace of their square. Rounded down: few clusters rarely are independent.
 */
static int64_t degrees_of_freedom(const paired_counts *clusters,
                                  ptrdiff_t n_clusters,
                                  const paired_difference *d)
{
    double n = (double)paired_cases(&d->all);
    double alone = 0;
    double with = 0;
    double own = 0;
    for (ptrdiff_t i = 0; i < n_clusters && d->n_clusters > 1; i++) {
        double share = (double)paired_cases(&clusters[i]) / n;
        double pulled = share * share / (1 - share);
        alone += share * share;
        with += pulled;
        own += pulled * pulled;
    }
    double trace = alone + with * with - own;
    double freedom = trace > 0 ? floor(1 / trace * (1 + 1e-9)) : 1;
    return freedom < 1 ? 1 : (int64_t)freedom;
}

static double within_one(double x)
{
    return x < -1 ? -1 : x > 1 ? 1 : x;
}

static void set_interval(paired_difference *d, double error)
{
    double hidden = 1 - pow(0.025, 1 / (double)paired_cases(&d->all));
    if (d->n_clusters < 2) {
        d->low = -1;
        d->high = 1;
        d->detectable = 1;
        return;
    }
    double half = student_quantile(0.975, d->freedom) * error;
    half = half > hidden ? half : hidden;
    d->low = within_one(d->difference - half);
    d->high = within_one(d->difference + half);
    d->detectable =
        within_one(half + student_quantile(0.8, d->freedom) * error);
}

ORDER(by_value, double, ORDER_OF(*a, *b))

// The share of draws beyond each end of a 95 % interval of n clusters.
static double bootstrap_tail(ptrdiff_t n)
{
    assert(n > 1);
    double t = student_quantile(0.975, n - 1);
    double z = t * sqrt((double)n / (double)(n - 1));
    return erfc(z / sqrt(2)) / 2;
}

interval paired_bootstrap(const paired_counts *clusters,
                          ptrdiff_t n,
                          uint64_t seed,
                          arena scratch)
{
    ptrdiff_t n_filled = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        n_filled += paired_cases(&clusters[i]) > 0;
    }
    if (n_filled < 2 || n > BOOTSTRAP_CLUSTERS_MAX) {
        return (interval){NAN, NAN};
    }
    rng r = {.state = seed};
    double *means = arena_new(&scratch, double, DRAWS);
    for (ptrdiff_t draw = 0; draw < DRAWS;) {
        paired_counts sum = {0};
        for (ptrdiff_t i = 0; i < n; i++) {
            add_counts(&sum, &clusters[rng_below(&r, n)]);
        }
        if (paired_cases(&sum) > 0) {
            means[draw++] = mean_difference(&sum);
        }
    }
    qsort(means, DRAWS, sizeof *means, by_value);
    ptrdiff_t beyond = (ptrdiff_t)(bootstrap_tail(n_filled) * DRAWS);
    return (interval){means[beyond], means[DRAWS - 1 - beyond]};
}

paired_difference paired_compare(const paired_counts *clusters, ptrdiff_t n)
{
    paired_difference d = {.difference = NAN,
                           .low = NAN,
                           .high = NAN,
                           .p = NAN,
                           .detectable = NAN};
    for (ptrdiff_t i = 0; i < n; i++) {
        add_counts(&d.all, &clusters[i]);
        d.n_clusters += paired_cases(&clusters[i]) > 0;
    }
    if (paired_cases(&d.all) == 0) {
        return d;
    }
    d.difference = mean_difference(&d.all);
    d.freedom = degrees_of_freedom(clusters, n, &d);
    set_interval(&d, standard_error(clusters, n, &d));
    d.p = mcnemar_p(d.all.only_a, d.all.only_b);
    return d;
}

int64_t paired_cases_needed(const paired_difference *d)
{
    if (!(fabs(d->difference) > 0)) {
        return 0;
    }
    double times = d->detectable / fabs(d->difference);
    double needed = ceil((double)paired_cases(&d->all) * times * times);
    return needed < NEEDED_MOST ? (int64_t)needed : (int64_t)NEEDED_MOST;
}

/* --- several tests ------------------------------------------------------- */

typedef struct ranked_p {
    double p;
    ptrdiff_t at;
} ranked_p;

ORDER(by_p, ranked_p, ORDER_UP(p), ORDER_UP(at))

void holm_adjust(const double *p, ptrdiff_t n, double *adjusted, arena scratch)
{
    ranked_p *ranked = arena_new(&scratch, ranked_p, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        ranked[i] = (ranked_p){.p = p[i], .at = i};
    }
    qsort(ranked, (size_t)n, sizeof *ranked, by_p);
    double least = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        double x = ranked[i].p * (double)(n - i);
        least = x > least ? x : least;
        adjusted[ranked[i].at] = least < 1 ? least : 1;
    }
}
