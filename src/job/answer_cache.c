// answer_cache.c - see answer_cache.h.
#include "job/answer_cache.h"

enum {
    CACHE_BYTES = 32 << 20,
    KEYS_BYTES = 1 << 20,  // at most, when their table grows
    MOST_USED = 1 << 14,
    ENTRY_MOST_BYTES = 64 << 10,
};

static void start(answer_cache *c)
{
    *c = (answer_cache){.store = c->store, .a = arena_store_clear(&c->store)};
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

str answer_cache_find(const answer_cache *c, hash128 key)
{
    ptrdiff_t i = map_find(&c->keys, hash128_key(&key));
    return i < 0 ? (str){0} : c->answers.ptr[i];
}

void answer_cache_add(answer_cache *c, hash128 key, str answer)
{
    if (answer.len > ENTRY_MOST_BYTES) {
        return;
    }
    if (map_count(&c->keys) >= MOST_USED
        || answer.len + KEYS_BYTES > arena_room(&c->a)) {
        start(c);
    }
    ptrdiff_t i = map_add(&c->keys, &c->a, hash128_key(&key));
    *vec_at(&c->a, &c->answers, i) = arena_str(&c->a, answer);
}
