/*
 * distill.c - the search for databases that kill; see distill.h.
 *
 * Method      Golds come in groups, so that not all neighbors of a large data
 *             set are held ready at once. A group first meets what is kept
 *             already, then databases drawn for all its golds together. What
 *             still lives is looked at one by one: those that the prover knows
 *             for the gold in other words leave; for each of the others
 *             databases are made in turn, aimed at it and at its gold. A
 *             database that kills is kept, and tried on all others at once.
 */
#include "suite/distill.h"

#include "base/hash.h"
#include "sample/sample.h"
#include "schema/schema_ddl.h"
#include "suite/distill_part.h"

enum {
    GROUP = 48,         // golds held ready at once
    BLIND_TRIES = 200,  // databases for a whole group at most
    BLIND_QUIET = 40,   // so many in a row without a kill end it
    STEPS = 100000,     // of SQLite's machine, for one query
    MAX_ROWS = 20000,
};

// Reserved, not used.
static const ptrdiff_t ARENA_BYTES = (ptrdiff_t)16 << 30;
static const ptrdiff_t RESULT_BYTES = 64 << 20;

typedef struct distill_stores {
    arena_store db;
    arena_store mirror;
    arena_store sampler;
    arena_store rows;
    arena_store trial;
    arena_store scratch;
} distill_stores;

static bool open_stores(distill_stores *s)
{
    return arena_store_open(&s->db, ARENA_BYTES)
           && arena_store_open(&s->mirror, ARENA_BYTES)
           && arena_store_open(&s->sampler, ARENA_BYTES)
           && arena_store_open(&s->rows, ARENA_BYTES)
           && arena_store_open(&s->trial, ARENA_BYTES)
           && arena_store_open(&s->scratch, ARENA_BYTES);
}

static void close_stores(distill_stores *s)
{
    arena_store_close(&s->db);
    arena_store_close(&s->mirror);
    arena_store_close(&s->sampler);
    arena_store_close(&s->rows);
    arena_store_close(&s->trial);
    arena_store_close(&s->scratch);
}

static bool open_databases(distiller *d, str ddl, diag *messages)
{
    const scratch_limits limits = {STEPS, MAX_ROWS, RESULT_BYTES};
    const engine_options *o = &d->options->engine;
    const schema *s = d->job->schema;
    d->db = scratch_open(&d->db_arena, s, ddl, o, limits, messages);
    d->mirror = scratch_open(&d->mirror_arena, s, ddl, o, limits, messages);
    return d->db && d->mirror;
}

void distill_add_point(distiller *d)
{
    *vec_push(d->a, &d->curve) = (suite_point){d->tries, d->killed};
}

static target **all_targets(distiller *d, ptrdiff_t from, ptrdiff_t to)
{
    target **list = arena_new(d->a, target *, to - from);
    for (ptrdiff_t i = from; i < to; i++) {
        list[i - from] = &d->targets[i];
    }
    return list;
}

bool distill_try(distiller *d,
                 const instance *rows,
                 target *const *targets,
                 ptrdiff_t n)
{
    arena memory = d->trial;
    strikes s = distill_trial(d, rows, targets, n, &memory);
    if (s.len == 0) {
        return false;
    }
    *vec_push(d->a, &d->kept) = suite_copy_instance(d->a, rows);
    distill_mark(d, &s, (int32_t)d->kept.len - 1);
    return true;
}

sample_options distill_sampling(const distiller *d, uint64_t seed)
{
    return (sample_options){
        .assume = {true, true, true, true},
        .seed = hash_mix(d->options->seed, seed),
        .fills_all = true,
        .original = d->job->original,
    };
}

// What was kept for earlier groups.
static void meet_kept(distiller *d, target *const *targets, ptrdiff_t n)
{
    for (ptrdiff_t k = 0; k < d->kept.len; k++) {
        arena memory = d->trial;
        strikes s = distill_trial(d, &d->kept.ptr[k], targets, n, &memory);
        distill_mark(d, &s, (int32_t)k);
    }
}

static void draw_blindly(distiller *d,
                         target *const *targets,
                         ptrdiff_t n,
                         arena memory)
{
    const binding **bindings = arena_new(&memory, const binding *, n);
    ptrdiff_t n_bound = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (targets[i]->binding && targets[i]->n_rivals > 0) {
            bindings[n_bound++] = targets[i]->binding;
        }
    }
    if (n_bound == 0) {
        return;
    }
    sample_options o = distill_sampling(d, (uint64_t)d->kept.len);
    sampler *m =
        sampler_new(&memory, d->job->schema, bindings, n_bound, &o, d->scratch);
    int quiet = 0;
    for (int no = 0; no < BLIND_TRIES && quiet < BLIND_QUIET; no++) {
        arena rows = d->rows;
        instance i = sampler_make(m, no, &rows);
        d->tries++;
        quiet = distill_try(d, &i, targets, n) ? 0 : quiet + 1;
        distill_add_point(d);
    }
}

// Neighbors that cannot be bound have nothing to aim at: the gold stands in.
static void bind_living(distiller *d, target *t)
{
    for (ptrdiff_t i = 0; i < t->n_rivals; i++) {
        rival *r = &t->rivals[i];
        if (r->state == RIVAL_ALIVE) {
            distill_bind_rival(d, r);
            r->binding = r->binding ? r->binding : t->binding;
        }
    }
}

static void contest(distiller *d,
                    ptrdiff_t from,
                    ptrdiff_t to,
                    arena sampler_memory)
{
    const distill_job *job = d->job;
    target **targets = all_targets(d, from, to);
    ptrdiff_t n = to - from;
    for (ptrdiff_t i = 0; i < n; i++) {
        distill_open_target(d, targets[i], job->golds[from + i]);
    }
    distill_add_point(d);
    meet_kept(d, targets, n);
    draw_blindly(d, targets, n, sampler_memory);
    for (ptrdiff_t i = 0; i < n; i++) {
        distill_prove(d, targets[i]);
        bind_living(d, targets[i]);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        if (targets[i]->n_alive > 0) {
            distill_aim(d, targets[i], targets, n, sampler_memory);
        }
        if (job->progress) {
            job->progress(job->context, from + i + 1);
        }
    }
    distill_add_point(d);
}

static void run(distiller *d, suite *out, arena sampler_memory)
{
    const distill_job *job = d->job;
    d->n_targets = job->n_golds;
    d->targets = arena_new(d->a, target, d->n_targets);
    for (ptrdiff_t from = 0; from < d->n_targets; from += GROUP) {
        ptrdiff_t to = from + GROUP;
        contest(d, from, to < d->n_targets ? to : d->n_targets, sampler_memory);
    }
    distill_cover(d);
    distill_shrink(d);
    distill_merge(d);
    distill_limit(d);
    distill_result(d, out);
}

bool distill(suite *out, arena *a, const distill_job *job, diag *d)
{
    distill_stores stores = {0};
    *out = (suite){.db = arena_str(a, job->db), .schema = *job->schema};
    bool ok = open_stores(&stores)
              || diag_add(d, (diag_place){0}, "no address space");
    if (ok) {
        distiller w = {
            .job = job,
            .options = job->options,
            .a = a,
            .db_arena = arena_store_clear(&stores.db),
            .mirror_arena = arena_store_clear(&stores.mirror),
            .rows = arena_store_clear(&stores.rows),
            .trial = arena_store_clear(&stores.trial),
            .scratch = arena_store_clear(&stores.scratch),
        };
        buf ddl = buf_new(a);
        schema_to_ddl(&ddl, job->schema, true, w.scratch);
        out->ddl = buf_str(&ddl);
        ok = open_databases(&w, out->ddl, d);
        if (ok) {
            run(&w, out, arena_store_clear(&stores.sampler));
        }
        scratch_close(w.db);
        scratch_close(w.mirror);
    }
    close_stores(&stores);
    return ok;
}
