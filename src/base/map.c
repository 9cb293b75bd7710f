/*
 * map.c - a hash table from texts to numbers.
 *
 * Method      Open addressing with linear probing; slots hold ids, keys lie in
 *             an array by id, with their hashes, so that growing needs no text.
 *
 * Invariants  (1) n_slots is a power of two and at least a third of the slots
 *                 is free, so that each search ends.
 *             (2) Ids are given in order and never change.
 *
 * Cost        Constant per look-up, on average; one hash of the key.
 */
#include "base/map.h"

#include "base/hash.h"

#include <assert.h>

enum {
    FIRST_SLOTS = 16
};

static uint64_t hash_of(const map *m, str key)
{
    return m->ignores_case ? hash64_fold(key) : hash64(key);
}

static bool is_same(const map *m, str a, str b)
{
    return m->ignores_case ? str_equal_fold(a, b) : str_equal(a, b);
}

// The slot that holds `key`, or the free one where it belongs.
static ptrdiff_t map_slot(const map *m, uint64_t hash, str key)
{
    assert(m->n_slots > m->keys.len);
    ptrdiff_t mask = m->n_slots - 1;
    for (ptrdiff_t i = (ptrdiff_t)hash & mask;; i = (i + 1) & mask) {
        int32_t id = m->slots[i] - 1;
        if (id < 0
            || (m->keys.ptr[id].hash == hash
                && is_same(m, m->keys.ptr[id].text, key))) {
            return i;
        }
    }
}

static void map_resize(map *m, arena *a, ptrdiff_t n_slots)
{
    m->slots = arena_new(a, int32_t, n_slots);
    m->n_slots = n_slots;
    for (ptrdiff_t id = 0; id < m->keys.len; id++) {
        map_key key = m->keys.ptr[id];
        m->slots[map_slot(m, key.hash, key.text)] = (int32_t)id + 1;
    }
}

ptrdiff_t map_add(map *m, arena *a, str key)
{
    assert(m->keys.len < INT32_MAX);
    if (m->keys.len * 3 >= m->n_slots * 2) {
        map_resize(m, a, m->n_slots ? m->n_slots * 2 : FIRST_SLOTS);
    }
    uint64_t hash = hash_of(m, key);
    ptrdiff_t slot = map_slot(m, hash, key);
    if (m->slots[slot] == 0) {
        map_key *fresh = vec_push(a, &m->keys);
        *fresh = (map_key){hash, arena_str(a, key)};
        m->slots[slot] = (int32_t)m->keys.len;
    }
    return m->slots[slot] - 1;
}

ptrdiff_t map_add_below(map *m, arena *a, str key, ptrdiff_t most)
{
    return map_count(m) < most ? map_add(m, a, key) : map_find(m, key);
}

ptrdiff_t map_find(const map *m, str key)
{
    if (m->n_slots == 0) {
        return -1;
    }
    return m->slots[map_slot(m, hash_of(m, key), key)] - 1;
}

ptrdiff_t map_count(const map *m)
{
    return m->keys.len;
}

str map_key_at(const map *m, ptrdiff_t id)
{
    assert(id >= 0 && id < m->keys.len);
    return m->keys.ptr[id].text;
}
