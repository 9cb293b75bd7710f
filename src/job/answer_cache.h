/*
 * answer_cache.h - a cache of answers to earlier requests, of limited size.
 *
 * Why         In training the same candidates come again and again. What was
 *             answered once is a look-up; results of single queries are kept
 *             elsewhere (score/result_cache.h).
 *
 * Method      Hashes of requests and their answers in one arena. When that is
 *             full all is forgotten, which is rare and costs one evaluation of
 *             each again.
 */
#ifndef ASSAY_JOB_ANSWER_CACHE_H
#define ASSAY_JOB_ANSWER_CACHE_H

#include "base/hash.h"
#include "base/map.h"

typedef struct answer_cache {
    arena_store store;
    arena a;
    map keys;
    str_list answers;  // by key
} answer_cache;

// False when there is no address space for it.
bool answer_cache_open(answer_cache *c);

// Empty: it is not there. Good until something is added.
str answer_cache_find(const answer_cache *c, hash128 key);

// One that is longer than the cache likes is not kept.
void answer_cache_add(answer_cache *c, hash128 key, str answer);

#endif  // ASSAY_JOB_ANSWER_CACHE_H
