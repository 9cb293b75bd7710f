/*
 * table_count.c - a hash table from codes to two counts.
 *
 * Method      Open addressing with linear probing. Codes are hashes already, so
 *             their low bits are the first slot. The key 0 marks a free slot;
 *             the code 0 shares the slot of the code 1 (a chance of 2^-64
 *             each).
 *
 * Invariant   At most half of the slots are taken, so that every search ends at
 *             a free slot: whoever adds more keys than were announced must call
 *             counter_make_room before each.
 *
 * Cost        Constant per code, on average; making room is amortised.
 */
#include "table/table_count.h"

#include <assert.h>

counter counter_new(arena *a, ptrdiff_t max)
{
    assert(max >= 0);
    ptrdiff_t n_slots = 16;
    while (n_slots / 2 < max) {
        n_slots *= 2;
    }
    return (counter){.slots = arena_new(a, code_count, n_slots),
                     .mask = n_slots - 1};
}

// Zero marks a free slot, so the code 0 goes by another name.
static uint64_t key_of(uint64_t code)
{
    return code ? code : 1;
}

static code_count *slot_of(const counter *c, uint64_t key)
{
    assert(key != 0);
    ptrdiff_t i = (ptrdiff_t)key & c->mask;
    while (c->slots[i].key != 0 && c->slots[i].key != key) {
        i = (i + 1) & c->mask;
    }
    return &c->slots[i];
}

void counter_make_room(counter *c, arena *a)
{
    assert(c->slots);
    if (c->n < (c->mask + 1) / 2) {
        return;
    }
    counter larger = counter_new(a, 2 * (c->mask + 1));
    larger.n = c->n;
    for (ptrdiff_t i = 0; i <= c->mask; i++) {
        if (c->slots[i].key != 0) {
            *slot_of(&larger, c->slots[i].key) = c->slots[i];
        }
    }
    *c = larger;
}

code_count *counter_add(counter *c, uint64_t code)
{
    uint64_t key = key_of(code);
    code_count *slot = slot_of(c, key);
    if (slot->key == 0) {
        assert(c->n <= c->mask / 2);
        slot->key = key;
        slot->id = c->n++;
    }
    return slot;
}

code_count *counter_find(const counter *c, uint64_t code)
{
    code_count *slot = slot_of(c, key_of(code));
    return slot->key ? slot : NULL;
}
