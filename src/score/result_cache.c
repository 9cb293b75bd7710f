/*
 * result_cache.c - results by hash, in one arena.
 *
 * Invariants  (1) A result that a limit cut off serves only the same limit; one
 *                 that was cut short serves whoever would have stopped there.
 *             (2) Nothing is forgotten while a case is judged.
 *             (3) No case is answered with what the clock said in another.
 *
 * Cost        A copy of each result that is kept; those above ENTRY_MOST_BYTES
 *             are not.
 */
#include "score/result_cache.h"

enum {
    CACHE_BYTES = 12 << 20,
    GOLD_BYTES = 1 << 20,
    ENTRY_MOST_BYTES = 2 << 20,  // larger results are rare and cheap to redo
    MOST_USED = 1 << 12,
    KEYS_BYTES = 512 << 10,  // at most, when their table grows
    N_GOLDS = 1 << 11,       // a power of two
};

_Static_assert(N_GOLDS * sizeof(gold_fact) < GOLD_BYTES, "the golds fit");

struct result_entry {
    int64_t n_trims;  // of the cache, when it came
    execution x;
};

hash128 result_key(str path, str sql)
{
    hash128 key = hash_bytes(sql);
    hash128 place = hash_bytes(path);
    return (hash128){.low = key.low ^ place.high, .high = key.high ^ place.low};
}

static void start(result_cache *c)
{
    c->a = arena_store_clear(&c->store);
    c->keys = (map){0};
    c->entries = arena_new(&c->a, struct result_entry, MOST_USED);
    c->is_full = false;
}

bool result_cache_open(result_cache *c)
{
    *c = (result_cache){0};
    if (!arena_store_open(&c->store, CACHE_BYTES)
        || !arena_store_open(&c->gold_store, GOLD_BYTES)) {
        return false;  // whoever closes it gives back what there is
    }
    start(c);
    arena golds = arena_store_clear(&c->gold_store);
    c->golds = arena_new(&golds, gold_fact, N_GOLDS);
    return true;
}

void result_cache_close(result_cache *c)
{
    arena_store_close(&c->store);
    arena_store_close(&c->gold_store);
}

void result_cache_trim(result_cache *c)
{
    c->n_trims++;
    if (c->is_full) {
        start(c);
    }
}

gold_fact *result_cache_gold(result_cache *c, hash128 key)
{
    gold_fact *f = &c->golds[key.low & (N_GOLDS - 1)];
    if (!hash128_equal(f->key, key)) {
        *f = (gold_fact){.key = key};
    }
    return f;
}

// Did a limit end it that another stop might have come before?
static bool hit_a_limit(const execution *x)
{
    return x->status == REASON_TIMEOUT || x->status == REASON_MEMORY
           || x->status == REASON_TOO_MANY_ROWS;
}

// A result that was cut is good for those who would have stopped there too.
static bool serves(const execution *x, engine_stop stop)
{
    if (hit_a_limit(x)) {
        return engine_stop_equal(x->stop, stop);
    }
    return !x->result.is_cut
           || engine_stop_reached(stop, x->result.n_rows, x->n_distinct);
}

const execution *result_cache_find(const result_cache *c,
                                   hash128 key,
                                   engine_stop stop)
{
    ptrdiff_t at = map_find(&c->keys, hash128_key(&key));
    const struct result_entry *e = at < 0 ? NULL : &c->entries[at];
    bool is_stale =
        e && e->x.status == REASON_TIMEOUT && e->n_trims != c->n_trims;
    return e && !is_stale && serves(&e->x, stop) ? &e->x : NULL;
}

void result_cache_add(result_cache *c, hash128 key, const execution *x)
{
    ptrdiff_t size = table_size(&x->result) + x->message.len;
    if (size > ENTRY_MOST_BYTES) {
        return;
    }
    // Twice the size: what alignment and the copy's own arrays may add.
    if (map_count(&c->keys) >= MOST_USED
        || size * 2 + KEYS_BYTES > arena_room(&c->a)) {
        c->is_full = true;
        return;
    }
    struct result_entry *e =
        &c->entries[map_add(&c->keys, &c->a, hash128_key(&key))];
    *e = (struct result_entry){.n_trims = c->n_trims, .x = *x};
    e->x.result = table_copy(&c->a, &x->result);
    e->x.message = arena_str(&c->a, x->message);
}
