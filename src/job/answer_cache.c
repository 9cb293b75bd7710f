// answer_cache.c - see answer_cache.h.
#include "job/answer_cache.h"

enum {
    CACHE_BYTES = 32 << 20,
    N_SLOTS = 1 << 15,  // a power of two
    MOST_USED = N_SLOTS / 2,
    ENTRY_MOST_BYTES = 64 << 10,
};

struct answer_entry {
    hash128 key;
    str answer;  // empty: the slot is free
};

static void start(answer_cache *c)
{
    c->a = arena_store_clear(&c->store);
    c->slots = arena_new(&c->a, struct answer_entry, N_SLOTS);
    c->n_used = 0;
}

bool answer_cache_open(answer_cache *c)
{
    *c = (answer_cache){0};
    if (!arena_store_open(&c->store, CACHE_BYTES)
        || c->store.size < CACHE_BYTES) {
        return false;
    }
    start(c);
    return true;
}

static struct answer_entry *entry_of(const answer_cache *c, hash128 key)
{
    uint64_t i = key.low % N_SLOTS;
    while (c->slots[i].answer.len > 0
           && (c->slots[i].key.low != key.low
               || c->slots[i].key.high != key.high)) {
        i = (i + 1) % N_SLOTS;
    }
    return &c->slots[i];
}

str answer_cache_find(const answer_cache *c, hash128 key)
{
    return entry_of(c, key)->answer;
}

void answer_cache_add(answer_cache *c, hash128 key, str answer)
{
    if (answer.len > ENTRY_MOST_BYTES) {
        return;
    }
    if (c->n_used >= MOST_USED || answer.len > arena_room(&c->a)) {
        start(c);
    }
    struct answer_entry *e = entry_of(c, key);
    c->n_used += e->answer.len == 0;
    *e = (struct answer_entry){key, arena_str(&c->a, answer)};
}
