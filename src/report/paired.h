/*
 * paired.h - is one run better than another, or is it chance?
 *
 * Two runs that answer the same cases are compared case by case: what both get
 * right, or both get wrong, says nothing about which is better. Questions of
 * one database hang together (a schema that a model reads wrongly costs it
 * several), so cases come in clusters, and the interval counts clusters, not
 * cases. With every case a cluster of its own it is the plain paired interval.
 * Of few clusters nothing can be said by their number (tests/law/law_paired.c).
 */
#ifndef ASSAY_REPORT_PAIRED_H
#define ASSAY_REPORT_PAIRED_H

#include "base/arena.h"
#include "report/wilson.h"

enum {
    // Clusters of one size from which on the interval keeps its promise.
    PAIRED_CLUSTERS_MIN = 5,
};

// Cases of one cluster, or of all, by which of two runs got them right.
typedef struct paired_counts {
    int64_t both;
    int64_t only_a;
    int64_t only_b;
    int64_t neither;
} paired_counts;

int64_t paired_cases(const paired_counts *c);

typedef struct paired_difference {
    paired_counts all;
    ptrdiff_t n_clusters;  // with at least one case
    int64_t freedom;       // degrees of it: as if there were so many clusters
                           // of one size, and one more; 0 without cases
    // Shares of the cases, from -1 to 1: positive when b is better. All are
    // NaN without cases.
    double difference;
    double low;  // 95 % interval by Student's t over clusters
    double high;
    double p;           // McNemar's exact test over all cases
    double detectable;  // the smallest true difference that a test at 5 % would
                        // find in 80 of 100 such comparisons
} paired_difference;

paired_difference paired_compare(const paired_counts *clusters, ptrdiff_t n);

// The 95 % interval by drawing clusters again; the same seed gives the same
// one. NaN where fewer than two clusters have cases, or more than 20,000.
interval paired_bootstrap(const paired_counts *clusters,
                          ptrdiff_t n,
                          uint64_t seed,
                          arena scratch);

// How many cases, clustered alike, would show a true difference as large as
// the observed one; 0 when none was observed.
int64_t paired_cases_needed(const paired_difference *d);

// p-values of n tests that stand together, adjusted by Holm's method: each
// may be held against 5 % by itself.
void holm_adjust(const double *p, ptrdiff_t n, double *adjusted, arena scratch);

// The value that Student's t with `df` >= 1 degrees of freedom stays below
// with probability `p`, 0 < p < 1.
double student_quantile(double p, int64_t df);

#endif  // ASSAY_REPORT_PAIRED_H
