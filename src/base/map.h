/*
 * map.h - names to numbers: each new key gets the next id, 0, 1, 2, ...
 *
 * A table of anything by name is a map and an array side by side, indexed by
 * id. Keys are copied into the arena. There is no removal. Who wants the case
 * of ASCII letters ignored says so while the map is empty.
 */
#ifndef ASSAY_BASE_MAP_H
#define ASSAY_BASE_MAP_H

#include "base/arena.h"

typedef struct map_key {
    uint64_t hash;
    str text;
} map_key;

typedef struct map {
    vec_of(map_key) keys;  // by id
    int32_t *slots;        // id + 1, 0 means free; open addressing
    ptrdiff_t n_slots;     // a power of two, or 0
    bool ignores_case;
} map;

// The id of `key`, given to it now when it is new.
ptrdiff_t map_add(map *m, arena *a, str key);

// The same while there are fewer than `most` keys; then -1 for a new one.
ptrdiff_t map_add_below(map *m, arena *a, str key, ptrdiff_t most);

// The id of `key`, or -1.
ptrdiff_t map_find(const map *m, str key);

ptrdiff_t map_count(const map *m);
str map_key_at(const map *m, ptrdiff_t id);

#endif  // ASSAY_BASE_MAP_H
