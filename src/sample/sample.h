/*
 * sample.h - small legal databases, made to tell queries apart.
 *
 * Two callers, one sampler: `assay check` looks for a database on which two
 * queries differ, `assay distill` for databases on which a gold differs from
 * its neighbors. Values come from a pool for each class of columns that the
 * queries or the foreign keys equate: the constants of the queries, their
 * neighbors, witnesses and near misses of LIKE, and a few plain values.
 *
 * Deterministic: the same schema, queries, options, seed and number give the
 * same instance, on any machine.
 *
 * Source      definitions/equivalence.md#databases to #rows,
 *             definitions/suites.md#aims
 */
#ifndef ASSAY_SAMPLE_SAMPLE_H
#define ASSAY_SAMPLE_SAMPLE_H

#include "engine/instance.h"
#include "schema/bind.h"

typedef struct sampler sampler;

typedef struct sample_assume {
    bool keys;      // PRIMARY KEY, UNIQUE, CHECK
    bool not_null;  // NOT NULL, and all columns of primary keys
    bool foreign_keys;
    bool types;  // values fit the declared type
} sample_assume;

typedef struct sample_options {
    sample_assume assume;
    uint64_t seed;
    int32_t max_rows;  // a table; 0: as many as the thresholds of the queries
                       // need, 8 at most otherwise
    bool fills_all;    // also columns that no query reads hold values
    const instance *original;  // real rows to draw values from; NULL: none
    int64_t clock_ms;          // what the queries take for now; 0: not known
} sample_options;

// `queries` are bound with `s`; what they read is filled, other tables only as
// far as foreign keys demand.
sampler *sampler_new(arena *a,
                     const schema *s,
                     const binding *const *queries,
                     ptrdiff_t n,
                     const sample_options *options,
                     arena scratch);

// Further queries whose constants count (neighbors of a gold): the pools grow.
void sampler_add(sampler *m, const binding *query, arena scratch);

// The next instances have no more rows a table; 0: as many as they need.
void sampler_shrink(sampler *m, int64_t rows);

enum {
    SAMPLE_AIMED = 2,  // the first instances: one aimed at each query
};

// Instance number `no`, in `a`.
instance sampler_make(sampler *m, int64_t no, arena *a);

// An instance aimed at one query: rows for which its conditions hold, one
// below and one above each bound, a partner and no partner for each join, as
// many rows a group as HAVING asks, and so on; `no` varies what is left open.
instance sampler_aim(sampler *m, const binding *query, int64_t no, arena *a);

// An instance on which a wrong proof is likely to show, of SAMPLE_TRIALS such,
// where the first ones of sampler_make() do not show it.
enum {
    SAMPLE_TRIALS = 8,
};
instance sampler_try(sampler *m, int64_t no, arena *a);

#endif  // ASSAY_SAMPLE_SAMPLE_H
