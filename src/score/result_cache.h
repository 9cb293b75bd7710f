/*
 * result_cache.h - what queries returned, so that none runs twice, and what was
 * found out of golds.
 *
 * Why         Many golds of a data set are the same query, and models agree
 *             more than they differ: of 18 prediction files of Spider's 1,034
 *             questions less than half of the queries are different ones.
 *
 * Method      Executions by a hash of database and text, copied into one
 *             arena. When that is full the cache takes no more until it is
 *             cleared between two cases; then all is forgotten at once.
 *             What a caller found stays good until that clearing. A time-out
 *             that came from the clock serves only the case that met it: on a
 *             machine that is less busy the same query may end.
 *
 * Golds       A training loop asks for the same gold with each of its
 *             candidates; what its text alone says takes as long as a small
 *             query. One slot for each hash of database and text: a later gold
 *             with the same slot takes it over.
 */
#ifndef ASSAY_SCORE_RESULT_CACHE_H
#define ASSAY_SCORE_RESULT_CACHE_H

#include "base/hash.h"
#include "base/map.h"
#include "engine/engine.h"
#include "sql/features.h"

// What is a function of a gold's text and its database.
typedef struct gold_fact {
    hash128 key;
    bool has_grade;  // the next three are known
    bool hardness_is_ours;
    str hardness;  // one of a few words that live for ever
    sql_features features;
    bool has_choice;  // the next is known
    bool leaves_choice;
    bool is_stable[2];  // tried in vain, where no order is asked for or one is
} gold_fact;

typedef struct result_cache {
    arena_store store;
    arena a;
    map keys;
    struct result_entry *entries;  // by key
    arena_store
        gold_store;  // by itself: where memory is short, each has a share
    gold_fact *golds;
    bool is_full;
    int64_t n_trims;  // counts cases
} result_cache;

// A text on the database at a path.
hash128 result_key(str path, str sql);

// False when there is no address space for it.
bool result_cache_open(result_cache *c);
void result_cache_close(result_cache *c);

// Between two cases: forgets time-outs, and everything when the cache is full.
void result_cache_trim(result_cache *c);

// The execution of `key`, or NULL when it is not there or was cut short before
// what `stop` asks for.
const execution *result_cache_find(const result_cache *c,
                                   hash128 key,
                                   engine_stop stop);
void result_cache_add(result_cache *c, hash128 key, const execution *x);

// What is known of the gold with that key; good until the next call.
gold_fact *result_cache_gold(result_cache *c, hash128 key);

#endif  // ASSAY_SCORE_RESULT_CACHE_H
