/*
 * distill_target.c - a gold and its mutants, prepared for many runs.
 *
 * Method      Neighbors that do not compile are dropped at once. Queries are
 *             prepared once on the scratch database and forgotten when they are
 *             proved, for good. Those that are killed run again where the suite
 *             is made smaller: they are forgotten only where there are too many
 *             for memory. Those that the prover shows equivalent to the gold
 *             need no database; nor, as long as each text of a column has one
 *             spelling, those that only look away from letter case.
 *
 * Invariant   n_alive counts the mutants whose state is ALIVE.
 *
 * Cost        One compilation and one proof for each neighbor.
 */
#include "base/hash.h"
#include "prove/prove.h"
#include "schema/bind_text.h"
#include "sql/query_text.h"
#include "suite/distill_internal.h"

#include <assert.h>

scratch_query *distill_mutant_query(distiller *d, mutant *r)
{
    if (!r->query && r->state != MUTANT_UNFIT) {
        execution failed = {0};
        r->query = scratch_prepare(d->db, r->neighbor.sql, &failed, d->a);
        d->n_prepared += r->query != NULL;
        if (!r->query) {
            r->state = MUTANT_UNFIT;
        }
    }
    return r->query;
}

static void distill_forget_mutant(distiller *d, mutant *r)
{
    scratch_forget(r->query);
    d->n_prepared -= r->query != NULL;
    assert(d->n_prepared >= 0);
    r->query = NULL;
}

void distill_bind_mutant(distiller *d, mutant *r)
{
    if (!r->binding) {
        r->binding = bind_text(d->a, r->neighbor.sql, d->job->schema,
                               d->options->dialect, d->scratch);
    }
}

// All neighbors, or those that the core of the job left over.
static neighbor_list neighbors_for(distiller *d, const target *t, ast *tree)
{
    const suite *core = d->job->core;
    ptrdiff_t at = core ? suite_find(core, t->sql) : -1;
    if (at < 0) {
        neighbor_options options = {
            .dialect = d->options->dialect,
            .seed = hash_mix(d->options->seed, hash64(t->sql)),
            .max = d->options->max_neighbors,
        };
        return neighbors_of(d->a, tree, t->binding, &options, d->scratch);
    }
    neighbor_list left = {0};
    for (ptrdiff_t i = 0; i < core->golds[at].survivors.len; i++) {
        *vec_push(d->a, &left) = core->golds[at].survivors.ptr[i].neighbor;
    }
    return left;
}

static void add_mutants(distiller *d, target *t, ast *tree)
{
    neighbor_list list = neighbors_for(d, t, tree);
    t->mutants = arena_new(d->a, mutant, list.len);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        mutant *r = &t->mutants[t->n_mutants];
        *r = (mutant){.neighbor = list.ptr[i]};
        t->n_mutants += distill_mutant_query(d, r) != NULL;
    }
    assert(t->n_mutants <= list.len);
    t->n_alive = t->n_mutants;
}

void distill_open_target(distiller *d, target *t, str sql)
{
    *t = (target){.sql = sql};
    execution failed = {0};
    dialect language = d->options->dialect;
    ast *tree = query_text_of(d->a, sql, language, d->scratch).tree;
    t->binding =
        tree ? bind_query(d->a, tree, d->job->schema, language, d->scratch)
             : NULL;
    if (!gold_query_open(&t->gold, d->db, sql, language, &failed, d->a,
                         d->scratch)
        || !gold_query_open(&t->mirror, d->mirror, sql, language, &failed, d->a,
                            d->scratch)) {
        t->error = failed.message;
    } else if (!t->binding) {
        t->error = S("it could not be parsed");
    } else if (t->gold.query->reads_random) {
        t->error = S("it calls a random function");
    } else {
        add_mutants(d, t, tree);
    }
}

static str assumed(distiller *d, unsigned bits)
{
    buf text = buf_new(d->a);
    for (unsigned bit = 1; bit != 0 && bit <= bits; bit <<= 1) {
        if (bits & bit) {
            buf_add(&text, text.len > 0 ? S(", ") : S("assuming "));
            buf_add(&text, assume_word(bit));
        }
    }
    return buf_str(&text);
}

// Is the neighbor its gold on all databases that obey the facts of the job,
// since no text of a column is spelled otherwise than in the queries?
static bool is_same_spelled(const distiller *d, const neighbor *n)
{
    return n->spelled.len > 0 && d->job->facts
           && (d->job->kinds & 1u << FACT_ONE_SPELLING)
           && fact_texts_spell(&d->view.texts, n->spelled) == SPELLED_SO;
}

void distill_kill(distiller *d, target *t, mutant *r, int32_t killer)
{
    assert(killer >= 0 && r->state == MUTANT_ALIVE && t->n_alive > 0);
    r->state = MUTANT_KILLED;
    r->killer = killer;
    if (d->n_prepared > PREPARED_MAX) {
        distill_forget_mutant(d, r);
    }
    t->n_alive--;
    d->killed++;
}

void distill_take_off(distiller *d, target *t, mutant *r, str why)
{
    r->state = MUTANT_PROVED;
    r->why = why;
    distill_forget_mutant(d, r);
    t->n_alive--;
}

void distill_prove(distiller *d, target *t, bool keeps_order)
{
    assert(t->n_alive <= t->n_mutants);
    const prove_options options = {.assume = ASSUME_DEFAULT,
                                   .keeps_order = keeps_order};
    arena of_gold = d->trial;
    const prove_left *gold = NULL;  // until a mutant asks for it
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        mutant *r = &t->mutants[i];
        if (r->state != MUTANT_ALIVE) {
            continue;
        }
        if (is_same_spelled(d, &r->neighbor)) {
            distill_take_off(d, t, r, S("assuming types and one spelling"));
            continue;
        }
        distill_bind_mutant(d, r);
        if (!r->binding) {
            continue;
        }
        if (!gold) {
            gold = prove_left_open(&of_gold, t->binding, &options);
        }
        arena memory = of_gold;
        proof p = prove_beside(&memory, gold, r->binding, d->scratch);
        if (p.is_proved) {
            distill_take_off(d, t, r, assumed(d, p.assumptions));
        }
    }
}
