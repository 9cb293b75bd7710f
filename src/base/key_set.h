/*
 * key_set.h - hashes to numbers: each new key gets the next id, 0, 1, 2, ...
 */
#ifndef ASSAY_BASE_KEY_SET_H
#define ASSAY_BASE_KEY_SET_H

#include "base/arena.h"
#include "base/hash.h"

typedef struct key_set {
    hash128 *keys;  // by id
    ptrdiff_t n;
    int32_t *slots;  // id + 1, 0 means free; open addressing
    ptrdiff_t mask;  // number of slots - 1
} key_set;

// An empty set with room for `max` keys.
key_set key_set_new(arena *a, ptrdiff_t max);

// The id of `key`, given to it now when it is new.
ptrdiff_t key_set_add(key_set *s, hash128 key);

// The id of `key`, or -1.
ptrdiff_t key_set_find(const key_set *s, hash128 key);

// The place of the first of n keys that is not among the `known`, or -1.
ptrdiff_t keys_first_other(const hash128 *keys,
                           ptrdiff_t n,
                           const hash128 *known,
                           ptrdiff_t n_known,
                           arena scratch);

// The places of the keys that repeat no earlier one; how many there are.
ptrdiff_t keys_distinct(const hash128 *keys,
                        ptrdiff_t n,
                        int32_t *places,
                        arena scratch);

#endif  // ASSAY_BASE_KEY_SET_H
