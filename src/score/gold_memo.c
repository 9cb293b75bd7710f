// gold_memo.c - see gold_memo.h.
#include "score/gold_memo.h"

enum {
    N_SLOTS = 1 << 11,  // a power of two
    STORE_BYTES = 1 << 20,
};

_Static_assert(N_SLOTS * sizeof(gold_fact) < STORE_BYTES, "the slots fit");

bool gold_memo_open(gold_memo *m)
{
    *m = (gold_memo){0};
    if (!arena_store_open(&m->store, STORE_BYTES)) {
        return false;
    }
    arena a = arena_store_clear(&m->store);
    m->slots = arena_new(&a, gold_fact, N_SLOTS);
    return true;
}

void gold_memo_close(gold_memo *m)
{
    arena_store_close(&m->store);
    m->slots = NULL;
}

static bool is_same(hash128 a, hash128 b)
{
    return a.low == b.low && a.high == b.high;
}

gold_fact *gold_memo_at(gold_memo *m, str database, str sql)
{
    hash128 place = hash_bytes(database);
    hash128 text = hash_bytes(sql);
    gold_fact *f = &m->slots[hash_mix(place.low, text.low) & (N_SLOTS - 1)];
    if (!is_same(f->place, place) || !is_same(f->text, text)) {
        *f = (gold_fact){.place = place, .text = text};
    }
    return f;
}
