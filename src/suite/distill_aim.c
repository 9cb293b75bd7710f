/*
 * distill_aim.c - databases for one gold that still has living mutants.
 *
 * Method      First the sampler aims, at each living mutant and at the gold in
 *             turn. Then databases that kill other mutants of the same gold are
 *             varied in small ways. Each phase ends after so many databases in
 *             a row without a kill, more where more mutants live.
 *
 * Invariant   Every database that is tried counts in `tries`, of the gold and
 *             of the job: the limits of distill_options.
 *
 * Cost        Up to options->tries databases, each with a run of the gold and
 *             of its living mutants; one that was drawn before (a fifth of
 *             all) is not tried again.
 */
#include "base/hash.h"
#include "relation/relation_select.h"
#include "suite/distill_internal.h"
#include "suite/distill_vary.h"
#include "table/value_key.h"

#include <assert.h>

enum {
    AIMED_QUIET = 60,    // databases without a kill, for each living neighbor
    FIRST_QUIET = 120,   // where only the first row counts
    VARIED_QUIET = 100,  // the same
    VARIED_LEAST = 200,
    MOST_IDLE = 1 << 12,  // databases that are remembered
    SKEWED = 300,         // from there on the sampler makes uneven groups
};

typedef struct hunt {
    distiller *d;
    target *t;
    int64_t quiet;
    int64_t n_hunted;  // living neighbors that databases are made for
    key_set idle;      // databases on which no neighbor differed
} hunt;

static bool is_hunted(const mutant *r)
{
    return r->state == MUTANT_ALIVE && !r->is_hopeless;
}

static void count_hunted(hunt *h)
{
    h->n_hunted = 0;
    for (ptrdiff_t i = 0; i < h->t->n_mutants; i++) {
        h->n_hunted += is_hunted(&h->t->mutants[i]);
    }
}

static bool may_go_on(const hunt *h, int64_t most_quiet)
{
    const distill_options *o = h->d->options;
    int64_t share = o->quiet_share > 0 ? o->quiet_share : 1;
    return h->n_hunted > 0 && h->t->tries < o->tries
           && h->quiet < most_quiet / share;
}

static void try_for(hunt *h, const instance *rows, arena memory)
{
    assert(h->t->n_alive > 0);
    distiller *d = h->d;
    h->t->tries++;
    d->tries++;
    h->quiet++;
    hash128 key = instance_key(rows);
    if (key_set_find(&h->idle, key) >= 0) {
        return;
    }
    int64_t n_unstable = h->t->n_unstable;
    bool kills = distill_try(d, rows, h->t, 1);
    if (!kills && h->t->n_unstable == n_unstable && h->idle.n < MOST_IDLE) {
        key_set_add(&h->idle, key);
    }
    if (kills) {
        h->quiet = 0;
        count_hunted(h);
        strikes s = distill_trial(d, rows, d->n_given - 1, d->targets,
                                  d->n_targets, &memory);
        distill_mark(d, &s, (int32_t)d->kept.len - 1);
        distill_add_point(d);
    }
}

// Is only the first of something taken? Then groups and partners of unlike
// numbers matter.
static bool takes_first(const target *t)
{
    assert(t->binding);
    return select_parts_of(t->binding->query->node).limit;
}

// The databases that are made in turn for one neighbor; `made` counts those
// made for all neighbors, since what is not aimed at one would be the same.
static instance aimed(sampler *m,
                      const target *t,
                      const mutant *r,
                      int64_t no,
                      int64_t made,
                      arena *a)
{
    switch (no % 4) {
    case 0: return sampler_aim(m, r->binding, no, a);
    case 1: return sampler_aim(m, t->binding, made, a);
    case 2: return sampler_make(m, no % 8 < 4 ? made : SKEWED + made, a);
    default:
        return takes_first(t) ? sampler_make(m, SKEWED + made, a)
                              : sampler_aim(m, r->binding, no + 1, a);
    }
}

static void aim(hunt *h, arena memory)
{
    distiller *d = h->d;
    target *t = h->t;
    sample_options o = distill_sampling(d, hash64(t->sql));
    sampler *m =
        sampler_new(&memory, d->job->schema, &t->binding, 1, &o, d->scratch);
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        if (is_hunted(&t->mutants[i]) && t->mutants[i].binding) {
            sampler_add(m, t->mutants[i].binding, d->scratch);
        }
    }
    h->quiet = 0;
    int64_t made = 0;
    int64_t quiet = takes_first(t) ? FIRST_QUIET : AIMED_QUIET;
    for (int64_t no = 0; may_go_on(h, quiet * h->n_hunted); no++) {
        for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
            mutant *r = &t->mutants[i];
            if (is_hunted(r) && may_go_on(h, quiet * h->n_hunted)) {
                arena rows = d->rows;
                instance x = aimed(m, t, r, no, made++, &rows);
                try_for(h, &x, rows);
            }
        }
    }
}

// The databases that killed neighbors of the gold, each once.
static ptrdiff_t killers_of(const hunt *h, int32_t *out, arena scratch)
{
    bool *is_listed = arena_new(&scratch, bool, h->d->kept.len);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < h->t->n_mutants; i++) {
        const mutant *r = &h->t->mutants[i];
        if (r->state == MUTANT_KILLED && !is_listed[r->killer]) {
            assert(r->killer >= 0 && r->killer < h->d->kept.len);
            is_listed[r->killer] = true;
            out[n++] = r->killer;
        }
    }
    return n;
}

static void change_killers(hunt *h, arena memory)
{
    distiller *d = h->d;
    target *t = h->t;
    vary_values values = {0};
    vary_literals(&values, &memory, t->binding->query->node);
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        const mutant *r = &t->mutants[i];
        if (is_hunted(r) && r->binding) {
            vary_literals(&values, &memory, r->binding->query->node);
        }
    }
    rng random = {hash_mix(d->options->seed, hash64(t->sql))};
    int32_t *bases = arena_new(&memory, int32_t, d->kept.len + t->n_mutants);
    ptrdiff_t n_bases = killers_of(h, bases, memory);
    h->quiet = 0;
    while (n_bases > 0
           && may_go_on(h, VARIED_LEAST + VARIED_QUIET * h->n_hunted)) {
        ptrdiff_t n_kept = d->kept.len;
        arena rows = d->rows;
        int32_t base = bases[rng_below(&random, n_bases)];
        instance x = vary(&d->kept.ptr[base], &values, &random, &rows);
        try_for(h, &x, rows);
        if (d->kept.len > n_kept) {
            bases[n_bases++] = (int32_t)n_kept;
        }
    }
}

void distill_aim(distiller *d, target *t, arena memory)
{
    assert(t->binding && t->error.len == 0);
    hunt h = {.d = d, .t = t, .idle = key_set_new(&memory, MOST_IDLE)};
    count_hunted(&h);
    if (h.n_hunted > 0) {
        aim(&h, memory);
    }
    if (h.n_hunted > 0) {
        change_killers(&h, memory);
    }
}
