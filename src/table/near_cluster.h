/*
 * near_cluster.h - which numbers could be near each other?
 *
 * All numbers of two tables fall into clusters such that numbers within the
 * tolerance of each other, one of them a REAL, always share a cluster. The
 * reverse need not hold: a chain of neighbours is one cluster.
 *
 * Order of    near_clusters_new()
 * calls         near_clusters_add()     every REAL
 *             near_clusters_link()
 *               near_clusters_join()    every other number
 *             near_clusters_find()      any number
 */
#ifndef ASSAY_TABLE_NEAR_CLUSTER_H
#define ASSAY_TABLE_NEAR_CLUSTER_H

#include "table/table_count.h"
#include "table/value.h"

typedef struct near_clusters {
    counter occupied;  // buckets; their ids index `buckets` and `parents`
    vec_of(int64_t) buckets;
    int32_t *parents;  // union-find
    uint64_t *filter;  // bits; says quickly that nothing is near
    uint64_t filter_mask;
    int shift;  // bits of a double that lie inside a bucket
} near_clusters;

// Larger tolerances count as this one.
#define NEAR_MAX_TOLERANCE 0.5

// 0 < tolerance <= NEAR_MAX_TOLERANCE.
near_clusters near_clusters_new(arena *a, double tolerance);

void near_clusters_add(near_clusters *c, value real, arena *a);
void near_clusters_link(near_clusters *c, arena *a);
void near_clusters_join(near_clusters *c, value number);

// The cluster of a number as a code, 0 when no REAL can be near it.
uint64_t near_clusters_find(near_clusters *c, value number);

#endif  // ASSAY_TABLE_NEAR_CLUSTER_H
