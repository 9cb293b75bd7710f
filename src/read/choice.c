/*
 * choice.c - see choice.h.
 *
 * Method      Cases are drawn by a partial shuffle of Fisher and Yates and put
 *             back in the order of the file.
 *
 * Cost        linear in the records; one is read from the file only when an id,
 *             a test or a shard needs it. Memory: two int32 per record.
 */
#include "read/choice.h"

#include "base/rng.h"

#include <assert.h>

id_choice id_choice_new(arena *a, const str *ids, ptrdiff_t n)
{
    return (id_choice){ids, n, arena_new(a, bool, n + 1)};
}

bool id_choice_sees(id_choice *c, str id)
{
    bool sees = false;
    for (ptrdiff_t k = 0; k < c->n; k++) {
        bool is_it = str_equal(c->ids[k], id);
        c->is_seen[k] |= is_it;
        sees |= is_it;
    }
    return sees;
}

// Draws `limit` of them.
static void draw(choice_result *out, const choice *c, arena scratch)
{
    rng r = {(uint64_t)c->seed};
    ptrdiff_t n = out->n_all;
    assert(c->limit >= 0 && c->limit < n);
    int32_t *deck = arena_new(&scratch, int32_t, n);
    bool *drawn = arena_new(&scratch, bool, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        deck[i] = (int32_t)i;
    }
    for (ptrdiff_t i = 0; i < c->limit; i++) {
        ptrdiff_t k = i + rng_below(&r, n - i);
        int32_t card = deck[k];
        deck[k] = deck[i];
        drawn[card] = true;
    }
    out->n_all = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (drawn[i]) {
            out->all[out->n_all++] = out->all[i];
        }
    }
    assert(out->n_all == c->limit);
}

static void take_shard(choice_result *out,
                       arena *a,
                       shard s,
                       const dataset *set,
                       arena scratch)
{
    out->own = out->all;
    out->n = out->n_all;
    if (s.n == 0) {
        return;
    }
    out->own = arena_new(a, int32_t, out->n_all);
    out->n = 0;
    for (ptrdiff_t k = 0; k < out->n_all; k++) {
        arena local = scratch;
        int32_t i = out->all[k];
        record r = dataset_record(set, i, &local);
        if (shard_has(s, record_id(&r, i, &local), r.db)) {
            out->own[out->n++] = i;
        }
    }
}

bool choice_make(choice_result *out,
                 arena *a,
                 const choice *c,
                 const dataset *set,
                 choice_test *passes,
                 void *context,
                 diag *d,
                 arena scratch)
{
    ptrdiff_t n = set->entries.len;
    diag_place place = {.file = set->file.path};
    id_choice only = id_choice_new(&scratch, c->only, c->n_only);
    *out = (choice_result){.all = arena_new(a, int32_t, n)};
    for (ptrdiff_t i = 0; i < n; i++) {
        arena local = scratch;
        record r = {0};
        if (c->n_only > 0 || passes) {
            r = dataset_record(set, i, &local);
        }
        if ((c->n_only == 0 || id_choice_sees(&only, record_id(&r, i, &local)))
            && (!passes || passes(context, i, r, local))) {
            out->all[out->n_all++] = (int32_t)i;
        }
    }
    bool ok = out->n_all > 0 || n == 0 || !passes
              || diag_add(d, place, "none of %td cases passes --filter", n);
    for (ptrdiff_t k = 0; k < only.n; k++) {
        ok = (only.is_seen[k]
              || diag_add(d, place, "no case '%.*s'", STR_ARG(only.ids[k])))
             && ok;
    }
    if (c->limit >= 0 && c->limit < out->n_all && c->has_seed) {
        draw(out, c, scratch);
    } else if (c->limit >= 0 && c->limit < out->n_all) {
        out->n_all = (ptrdiff_t)c->limit;
    }
    take_shard(out, a, c->shard, set, scratch);
    return ok;
}
