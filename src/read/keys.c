/*
 * keys.c - see keys.h.
 *
 * Method      A set of the keys, with the first record of each.
 *
 * Cost        At most 36 bytes a record.
 */
#include "read/keys.h"

keys keys_index(arena *a, const hash128 *of, ptrdiff_t n)
{
    keys k = {.of = of,
              .first = arena_new(a, int32_t, n),
              .n = n,
              .different = key_set_new(a, n),
              .record = arena_new(a, int32_t, n)};
    for (ptrdiff_t i = 0; i < n; i++) {
        bool has_key = !hash128_equal(of[i], (hash128){0});
        ptrdiff_t known = k.different.n;
        ptrdiff_t id = has_key ? key_set_add(&k.different, of[i]) : -1;
        if (id == known) {
            k.record[id] = (int32_t)i;
        }
        k.n_without += !has_key;
        k.n_repeated += has_key && id < known;
        k.first[i] = has_key ? k.record[id] : -1;
    }
    return k;
}

int32_t keys_find(const keys *k, hash128 key)
{
    ptrdiff_t id = key_set_find(&k->different, key);
    return id >= 0 ? k->record[id] : -1;
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
