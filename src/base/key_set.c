/*
 * key_set.c - see key_set.h.
 *
 * Method      Open addressing with linear probing; the keys are well mixed.
 */
#include "base/key_set.h"

#include <assert.h>

key_set key_set_new(arena *a, ptrdiff_t max)
{
    assert(max >= 0 && max < INT32_MAX / 2);
    ptrdiff_t n_slots = 16;
    while (n_slots < max + max / 2) {
        n_slots *= 2;
    }
    return (key_set){
        .keys = arena_new(a, hash128, max),
        .slots = arena_new(a, int32_t, n_slots),
        .mask = n_slots - 1,
    };
}

// The slot that holds `key`, or the free one where it belongs.
static ptrdiff_t key_set_slot(const key_set *s, hash128 key)
{
    ptrdiff_t i = (ptrdiff_t)key.low & s->mask;
    while (s->slots[i] != 0 && !hash128_equal(s->keys[s->slots[i] - 1], key)) {
        i = (i + 1) & s->mask;
    }
    return i;
}

ptrdiff_t key_set_add(key_set *s, hash128 key)
{
    ptrdiff_t slot = key_set_slot(s, key);
    if (s->slots[slot] == 0) {
        assert(s->n < s->mask);  // else a search might not end
        s->keys[s->n++] = key;
        s->slots[slot] = (int32_t)s->n;
    }
    return s->slots[slot] - 1;
}

ptrdiff_t key_set_find(const key_set *s, hash128 key)
{
    return s->slots[key_set_slot(s, key)] - 1;
}

ptrdiff_t keys_first_other(const hash128 *keys,
                           ptrdiff_t n,
                           const hash128 *known,
                           ptrdiff_t n_known,
                           arena scratch)
{
    key_set set = key_set_new(&scratch, n_known);
    for (ptrdiff_t i = 0; i < n_known; i++) {
        key_set_add(&set, known[i]);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        if (key_set_find(&set, keys[i]) < 0) {
            return i;
        }
    }
    return -1;
}

ptrdiff_t keys_distinct(const hash128 *keys,
                        ptrdiff_t n,
                        int32_t *places,
                        arena scratch)
{
    key_set seen = key_set_new(&scratch, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t before = seen.n;
        key_set_add(&seen, keys[i]);
        if (seen.n > before) {
            places[before] = (int32_t)i;
        }
    }
    return seen.n;
}
