/*
 * distill.c - the search for databases that kill mutants.
 *
 * Method      The golds of a big schema come in parts, which other processes
 *             may work on. A part first meets databases drawn for all its golds
 *             together. Those that the prover shows equivalent leave: with
 *             their order as soon as the first databases have killed most, at
 *             the end as sets of rows. For each of the others databases are
 *             made in turn, aimed at it and at its gold. A
 *             database that kills is kept, and tried on all others at once. The
 *             databases of all parts then meet the golds of all.
 *
 * Invariants  (1) Limits are numbers of databases and steps of the engine,
 *                 never time, so the result is the same on any machine.
 *             (2) Each arena has one purpose (distill_stores): what a trial
 *                 made is given back with it.
 *
 * Cost        Dominated by running queries: databases times golds times living
 *             mutants.
 */
#include "suite/distill.h"

#include "base/hash.h"
#include "sample/sample.h"
#include "schema/schema_ddl.h"
#include "suite/distill_internal.h"

#include <assert.h>

enum {
    PART = 48,          // golds that are worked on together
    BLIND_TRIES = 120,  // databases for a whole part at most
    BLIND_QUIET = 40,   // so many in a row without a kill end it
    BLIND_PROVE = 15,   // so many before what lives is proved
    STEPS = 100000,     // of SQLite's machine, for one query
    MAX_ROWS = 20000,
};

// Address space only.
static const ptrdiff_t ARENA_BYTES = (ptrdiff_t)16 << 30;
static const ptrdiff_t RESULT_BYTES = 64 << 20;

// The memory of a job, each in a store of its own.
typedef enum distill_memory {
    MEMORY_DB,
    MEMORY_MIRROR,
    MEMORY_SAMPLER,
    MEMORY_ROWS,
    MEMORY_TRIAL,
    MEMORY_SCRATCH,
    MEMORY_COUNT,
} distill_memory;

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

bool distill_is_unreal(const distiller *d, const instance *rows)
{
    return d->job->facts && facts_are_broken(rows, d->job->facts, &d->view);
}

bool distill_try(distiller *d,
                 const instance *rows,
                 target *targets,
                 ptrdiff_t n)
{
    arena memory = d->trial;
    int32_t number = d->n_given;  // until another database gets it
    d->shown = NO_NUMBER;
    strikes s = distill_trial(d, rows, number, targets, n, &memory);
    if (s.len == 0) {
        distill_forget(d, targets, n, number);
        return false;
    }
    distill_keep(d, instance_keep(d->a, rows));
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
        .clock_ms = d->options->engine.clock_ms,
    };
}

// A database that nobody is left for counts, but is not made.
static bool try_blindly(distiller *d, sampler *m, int no)
{
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        if (d->targets[i].n_alive > 0) {
            arena rows = d->rows;
            instance made = sampler_make(m, no, &rows);
            return distill_try(d, &made, d->targets, d->n_targets);
        }
    }
    return false;
}

static void prove_all(distiller *d, bool keeps_order)
{
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        distill_prove(d, &d->targets[i], keeps_order);
    }
}

static void draw_blindly(distiller *d, arena memory)
{
    const binding **bindings =
        arena_new(&memory, const binding *, d->n_targets);
    ptrdiff_t n_bound = 0;
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        if (d->targets[i].binding && d->targets[i].n_mutants > 0) {
            bindings[n_bound++] = d->targets[i].binding;
        }
    }
    if (n_bound == 0) {
        return;
    }
    sample_options o = distill_sampling(d, (uint64_t)d->kept.len);
    sampler *m =
        sampler_new(&memory, d->job->schema, bindings, n_bound, &o, d->scratch);
    int quiet = 0;
    d->is_blind = true;
    for (int no = 0; no < BLIND_TRIES && quiet < BLIND_QUIET; no++) {
        if (no == BLIND_PROVE && !d->job->core) {
            prove_all(d, true);
        }
        d->tries++;
        quiet = try_blindly(d, m, no) ? 0 : quiet + 1;
        distill_add_point(d);
    }
    d->is_blind = false;
}

// A mutant that cannot be bound gives nothing to aim at: its gold is taken.
static void bind_living(distiller *d, target *t)
{
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        mutant *r = &t->mutants[i];
        if (r->state == MUTANT_ALIVE) {
            distill_bind_mutant(d, r);
            r->is_hopeless = distill_is_hopeless(d, t, r);
            r->binding = r->binding ? r->binding : t->binding;
        }
    }
}

// All golds of the job, from nothing.
static void contest(distiller *d, arena sampler_memory)
{
    const distill_job *job = d->job;
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        distill_open_target(d, &d->targets[i], job->golds[i]);
    }
    distill_add_point(d);
    // What a core leaves over is mostly equivalent: no database need meet it.
    if (job->core) {
        prove_all(d, false);
    }
    draw_blindly(d, sampler_memory);
    if (!job->core) {
        prove_all(d, false);
    }
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        bind_living(d, &d->targets[i]);
    }
    for (ptrdiff_t i = 0; i < d->n_targets; i++) {
        if (d->targets[i].n_alive > 0) {
            distill_aim(d, &d->targets[i], sampler_memory);
        }
        if (job->progress) {
            job->progress(job->context, i + 1);
        }
    }
    distill_add_point(d);
    distill_cover(d);
}

// The databases that are left, smaller and fewer, are the suite.
static void finish(distiller *d, suite *out)
{
    distill_shrink(d);
    distill_merge(d);
    distill_limit(d);
    distill_result(d, out);
}

typedef enum distill_step {
    STEP_ALL,
    STEP_PART,
    STEP_JOIN,
} distill_step;

static void run(distiller *d,
                distill_step step,
                const suite *parts,
                suite *out,
                arena sampler_memory)
{
    d->n_targets = d->job->n_golds;
    d->view = distill_view(d->a, d->job->golds, d->n_targets,
                           d->options->dialect, d->scratch);
    d->view.kinds = d->job->kinds;
    d->targets = arena_new(d->a, target, d->n_targets);
    if (step == STEP_JOIN) {
        distill_recall(d, parts, distill_parts(d->n_targets));
        distill_cover(d);
        distill_add_point(d);
    } else {
        contest(d, sampler_memory);
    }
    if (step == STEP_PART) {
        distill_result(d, out);
    } else {
        finish(d, out);
    }
}

static bool run_job(const distill_job *job,
                    distill_step step,
                    const suite *parts,
                    suite *out,
                    arena *a,
                    diag *d)
{
    arena_store stores[MEMORY_COUNT];
    *out = (suite){.db = arena_str(a, job->db), .schema = *job->schema};
    bool ok =
        arena_stores_open(stores, MEMORY_COUNT, ARENA_BYTES)
        || diag_add(d, (diag_place){0}, "no address space (see `ulimit -v`)");
    if (ok) {
        distiller w = {
            .job = job,
            .options = job->options,
            .shown = NO_NUMBER,
            .a = a,
            .db_arena = arena_store_clear(&stores[MEMORY_DB]),
            .mirror_arena = arena_store_clear(&stores[MEMORY_MIRROR]),
            .rows = arena_store_clear(&stores[MEMORY_ROWS]),
            .trial = arena_store_clear(&stores[MEMORY_TRIAL]),
            .scratch = arena_store_clear(&stores[MEMORY_SCRATCH]),
        };
        buf ddl = buf_new(a);
        schema_to_ddl(&ddl, job->schema, true, w.scratch);
        out->ddl = buf_str(&ddl);
        ok = open_databases(&w, out->ddl, d);
        if (ok) {
            run(&w, step, parts, out,
                arena_store_clear(&stores[MEMORY_SAMPLER]));
        }
        scratch_close(w.db);
        scratch_close(w.mirror);
    }
    arena_stores_close(stores, MEMORY_COUNT);
    return ok;
}

ptrdiff_t distill_parts(ptrdiff_t n_golds)
{
    assert(n_golds >= 0);
    return n_golds <= PART ? 1 : (n_golds + PART - 1) / PART;
}

// Parts differ by one gold at most.
static ptrdiff_t part_begin(ptrdiff_t n_golds, ptrdiff_t no)
{
    assert(no >= 0 && no <= distill_parts(n_golds));
    return n_golds * no / distill_parts(n_golds);
}

bool distill(suite *out, arena *a, const distill_job *job, diag *d)
{
    ptrdiff_t n = distill_parts(job->n_golds);
    if (n == 1) {
        return run_job(job, STEP_ALL, NULL, out, a, d);
    }
    suite *parts = arena_new(a, suite, n);
    bool ok = true;
    for (ptrdiff_t i = 0; ok && i < n; i++) {
        ok = distill_part(&parts[i], a, job, i, d);
    }
    return ok && distill_join(out, a, job, parts, d);
}

bool distill_part(suite *out,
                  arena *a,
                  const distill_job *job,
                  ptrdiff_t no,
                  diag *d)
{
    assert(no >= 0 && no < distill_parts(job->n_golds));
    distill_job part = *job;
    ptrdiff_t from = part_begin(job->n_golds, no);
    part.golds = job->golds + from;
    part.n_golds = part_begin(job->n_golds, no + 1) - from;
    return run_job(&part, STEP_PART, NULL, out, a, d);
}

bool distill_join(suite *out,
                  arena *a,
                  const distill_job *job,
                  const suite *parts,
                  diag *d)
{
    assert(parts);
    return run_job(job, STEP_JOIN, parts, out, a, d);
}
