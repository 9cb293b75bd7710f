// judging.c - a case is made ready: what runs for it.
#include "score/judging.h"

bool score_uses_family(const judging *j, family_id f)
{
    return (f == FAMILY_PLAIN && score_needs(j, NEEDS_SUITE))
           || score_compares_family(j, f);
}

bool score_compares_family(const judging *j, family_id f)
{
    const score_options *o = j->s->options;
    if (f == FAMILY_PLAIN && score_needs(j, NEEDS_ALL_ROWS)) {
        return true;
    }
    bool compares = score_needs(j, NEEDS_RULED_ROWS);
    for (ptrdiff_t k = 0; compares && k < o->n_rules; k++) {
        if (evaluator_of(o->rules[k])->family == f) {
            return true;
        }
    }
    return false;
}

void score_begin_case(scorer *s)
{
    result_cache_trim(&s->cache);
    s->scratch = arena_store_clear(&s->scratch_store);
    s->scratch.on_full = s->on_full;
}

int64_t score_mapped_bytes(const scorer *s)
{
    int64_t of_bench = SUITE_BENCH_BYTES;
    if (engine_is_server(s->engine)) {
        of_bench += SUITE_SERVER_BYTES;
    }
    // A checker has a connection as well, and one for the realistic world.
    int64_t of_checker = s->options->world == WORLD_REALISTIC
                             ? 2 * (int64_t)SUITE_BENCH_BYTES
                             : (int64_t)SUITE_BENCH_BYTES;
    return engine_mapped_bytes(s->engine) + s->bench_list.len * of_bench
           + s->checkers.len * of_checker;
}
