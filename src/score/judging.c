/*
 * judging.c - a case is made ready: what runs for it, and what is closed
 * before it.
 *
 * Method      Suites and checkers stay open from case to case, because cases of
 *             one database follow each other; before a case all are closed at
 *             once where their number or their memory has grown too large.
 *             Caches are emptied there too, so that nothing a case points to
 *             can go while it is judged.
 */
#include "score/judging.h"

#include <string.h>

// Suites and checkers that stay open: a checker of a small schema holds 100 KB,
// a suite some hundred. Beyond that all are closed at once.
enum {
    MOST_KEPT = 256,
    MOST_KEPT_BYTES = 256 << 20,
};

void score_close_benches(scorer *s)
{
    for (ptrdiff_t i = 0; i < s->bench_list.len; i++) {
        suite_bench_close(s->bench_list.ptr[i]);
    }
    if (s->bench_store.base) {
        s->benches = arena_store_clear(&s->bench_store);
    }
    s->bench_names = (map){0};
    memset(&s->bench_list, 0, sizeof s->bench_list);
}

void score_close_checkers(scorer *s)
{
    for (ptrdiff_t i = 0; i < s->checkers.len; i++) {
        checker_close(s->checkers.ptr[i]);
    }
    if (s->checker_store.base) {
        s->checker_arena = arena_store_clear(&s->checker_store);
    }
    s->checker_paths = (map){0};
    memset(&s->checkers, 0, sizeof s->checkers);
    memset(&s->checker_breaks, 0, sizeof s->checker_breaks);
    s->shown_paths = (map){0};
    memset(&s->shown, 0, sizeof s->shown);
}

static bool is_too_much(ptrdiff_t n, const arena_store *store, const arena *a)
{
    return n >= MOST_KEPT || (n > 0 && a->next - store->base > MOST_KEPT_BYTES);
}

void score_begin_case(scorer *s)
{
    result_cache_trim(&s->cache);
    // Checkers look at the schemas of the engine.
    bool has_lost_schemas = s->engine && engine_trim(s->engine);
    if (s->elsewhere) {
        engine_trim(s->elsewhere);
    }
    if (has_lost_schemas
        || is_too_much(s->checkers.len + s->shown.len, &s->checker_store,
                       &s->checker_arena)) {
        score_close_checkers(s);
    }
    if (is_too_much(s->bench_list.len, &s->bench_store, &s->benches)) {
        score_close_benches(s);
    }
    s->scratch = arena_store_clear(&s->scratch_store);
    s->scratch.on_full = s->on_full;
}

int64_t score_mapped_bytes(const scorer *s)
{
    int64_t of_bench = 2 * (int64_t)SUITE_BENCH_BYTES;
    if (engine_dialect(s->engine) != DIALECT_SQLITE) {
        of_bench += SUITE_SERVER_BYTES;
    }
    int64_t of_golds = s->elsewhere ? engine_mapped_bytes(s->elsewhere) : 0;
    // A checker has a connection as well, and one for the realistic world.
    int64_t of_checker = s->options->world == WORLD_REALISTIC
                             ? 2 * (int64_t)SUITE_BENCH_BYTES
                             : (int64_t)SUITE_BENCH_BYTES;
    return engine_mapped_bytes(s->engine) + of_golds
           + s->bench_list.len * of_bench + s->checkers.len * of_checker;
}
