/*
 * keys.c - see keys.h.
 *
 * Method      An open hash table of the first record of each key; the keys are
 *             well mixed already.
 *
 * Cost        28 bytes a record.
 */
#include "read/keys.h"

static bool is_same(hash128 a, hash128 b)
{
    return a.low == b.low && a.high == b.high;
}

static ptrdiff_t slot_of(const keys *k, hash128 key)
{
    ptrdiff_t i = (ptrdiff_t)(key.low & (uint64_t)k->mask);
    while (k->slots[i] != 0 && !is_same(k->of[k->slots[i] - 1], key)) {
        i = (i + 1) & k->mask;
    }
    return i;
}

keys keys_index(arena *a, const hash128 *of, ptrdiff_t n)
{
    ptrdiff_t n_slots = 16;
    while (n_slots < n * 2) {
        n_slots *= 2;
    }
    keys k = {.of = of,
              .first = arena_new(a, int32_t, n),
              .n = n,
              .slots = arena_new(a, int32_t, n_slots),
              .mask = n_slots - 1};
    for (ptrdiff_t i = 0; i < n; i++) {
        bool has_key = !is_same(of[i], (hash128){0});
        int32_t *slot = has_key ? &k.slots[slot_of(&k, of[i])] : NULL;
        k.n_without += !has_key;
        k.n_repeated += has_key && *slot != 0;
        if (has_key && *slot == 0) {
            *slot = (int32_t)i + 1;
        }
        k.first[i] = has_key ? *slot - 1 : -1;
    }
    return k;
}

int32_t keys_find(const keys *k, hash128 key)
{
    return k->slots[slot_of(k, key)] - 1;
}

ptrdiff_t keys_records_each(const keys *k, arena scratch)
{
    int32_t *counts = arena_new(&scratch, int32_t, k->n);
    for (ptrdiff_t i = 0; i < k->n && k->n_without == 0; i++) {
        counts[k->first[i]]++;
    }
    bool are_even = k->n > 0 && k->n_without == 0;
    for (ptrdiff_t i = 0; i < k->n && are_even; i++) {
        are_even = counts[k->first[i]] == counts[0];
    }
    return are_even ? counts[0] : 0;
}

match keys_match(arena *a, keys golds, keys preds)
{
    match m = {golds, preds, arena_new(a, int32_t, golds.n), 0, 0};
    for (ptrdiff_t i = 0; i < golds.n; i++) {
        int32_t at = keys_find(&preds, golds.of[i]);
        m.pred_of[i] = at;
        m.n_found += at >= 0;
        m.n_moved += at >= 0 && at != i;
    }
    return m;
}
