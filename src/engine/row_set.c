/*
 * row_set.c - a set of row hashes.
 *
 * Method      Open addressing with linear probing over 64-bit hashes; 0 marks a
 *             free slot, so every hash has its lowest bit set. Kinds of values
 *             that some rules may call equal share one hash (row_set.h).
 *
 * Invariant   At most half of the slots are taken before a row is added, so
 *             each search ends.
 *
 * Cost        Constant for each row, on average, besides hashing its cells.
 */
#include "engine/row_set.h"

#include "base/hash.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>

static uint64_t cell_hash(value v)
{
    switch ((value_kind)v.kind) {
    case VALUE_INT: return hash_mix(1, (uint64_t)v.i);
    case VALUE_REAL:
        if (v.real == floor(v.real) && fabs(v.real) < 9e18) {
            return hash_mix(1, (uint64_t)(int64_t)v.real);
        }
        return hash_mix(2, hash64((str){(const char *)&v.real, 8}));
    case VALUE_TEXT:
    case VALUE_BLOB:
        return utf8_is_ascii(value_bytes(v))
                   ? hash_mix(3, hash64(value_bytes(v)))
                   : 3;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_DECIMAL:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT:
    case VALUE_OTHER: break;
    }
    return 4;
}

static void row_set_put(row_set *set, uint64_t hash)
{
    assert(hash != 0);
    assert(set->count < set->n_slots);
    ptrdiff_t mask = set->n_slots - 1;
    ptrdiff_t i = (ptrdiff_t)hash & mask;
    while (set->slots[i] != 0 && set->slots[i] != hash) {
        i = (i + 1) & mask;
    }
    set->count += set->slots[i] == 0;
    set->slots[i] = hash;
}

void row_set_add(row_set *set, arena *a, const value *row, ptrdiff_t n)
{
    if (set->count * 2 >= set->n_slots) {
        row_set bigger = {.n_slots = set->n_slots ? set->n_slots * 4 : 256};
        bigger.slots = arena_new(a, uint64_t, bigger.n_slots);
        for (ptrdiff_t i = 0; i < set->n_slots; i++) {
            if (set->slots[i]) {
                row_set_put(&bigger, set->slots[i]);
            }
        }
        *set = bigger;
    }
    uint64_t hash = 1;
    for (ptrdiff_t c = 0; c < n; c++) {
        hash = hash_mix(hash, cell_hash(row[c]));
    }
    row_set_put(set, hash | 1);
}
