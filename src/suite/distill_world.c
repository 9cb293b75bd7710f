/*
 * distill_world.c - two readings of one suite: databases that obey the facts of
 * the data, and databases for what only others tell apart.
 *
 * Method      First every database obeys the facts that nobody doubts
 *             (FACTS_FIRM). Neighbors that live then, or are equivalent as long
 *             as the facts hold, get databases that may break facts of one
 *             kind, one kind after the other, and at last of all: so a database
 *             says what it takes to tell a gold from its neighbor, and no more.
 *             For those that read nothing that such facts are about none is
 *             made: the first databases were all that there is for them.
 *
 * Invariant   The databases that are there come first, so the numbers that
 *             their golds give them stay.
 *
 * Cost        The neighbors that live are tried again for each kind.
 */
#include "relation/relation_values.h"
#include "schema/reading.h"
#include "sql/query_text.h"
#include "suite/distill_internal.h"

#include <assert.h>

bool distill_is_hopeless(const distiller *d, const target *t, const mutant *r)
{
    const distill_job *job = d->job;
    if (!job->core || !job->facts || !r->binding) {
        return false;
    }
    arena memory = d->trial;
    reading read = reading_new(&memory, job->schema);
    reading_add(&read, t->binding);
    reading_add(&read, r->binding);
    const fact_view view = {.tables = read.tables, .columns = read.columns};
    bool may_break = false;
    for (ptrdiff_t i = 0; !may_break && i < job->facts->list.len; i++) {
        const fact *f = &job->facts->list.ptr[i];
        may_break = (FACTS_FIRM & 1u << f->kind)
                    && !fact_is_demanded(f, job->schema)
                    && fact_is_read(f, &view);
    }
    return !may_break;
}

bool distill_has_survivors(const suite *s)
{
    bool any = false;
    for (ptrdiff_t i = 0; !any && i < s->n_golds; i++) {
        any = s->golds[i].survivors.len > 0;
    }
    return any;
}

fact_view distill_view(arena *a,
                       const str *golds,
                       ptrdiff_t n,
                       dialect d,
                       arena scratch)
{
    str_list texts = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        const ast *tree = query_text_of(a, golds[i], d, scratch).tree;
        if (tree) {
            relation_add_texts(a, tree, &texts);
        }
    }
    return fact_view_of(&texts);
}

static suite_cause cause_of(fact_kind kind)
{
    return kind == FACT_NEVER_NULL    ? SUITE_NULL_HANDLING
           : kind == FACT_FOREIGN_KEY ? SUITE_ORPHAN
           : kind == FACT_NOT_EMPTY   ? SUITE_EMPTY_INPUT
                                      : SUITE_LETTER_CASE;
}

static unsigned causes_of(const instance *rows,
                          const facts *f,
                          const fact_view *view)
{
    unsigned causes = 0;
    for (ptrdiff_t i = 0; i < f->list.len; i++) {
        const fact *one = &f->list.ptr[i];
        if ((FACTS_FIRM & 1u << one->kind) && fact_is_broken(rows, one, view)) {
            causes |= 1u << cause_of(one->kind);
        }
    }
    return causes;
}

static void join_gold(arena *a,
                      suite_gold *out,
                      const suite_gold *core,
                      const suite_gold *strict,
                      int32_t first)
{
    *out = *core;
    for (ptrdiff_t i = 0; i < strict->killers.len; i++) {
        suite_killer *k = vec_push(a, &out->killers);
        *k = strict->killers.ptr[i];
        k->database += first;
    }
    for (ptrdiff_t i = 0; i < strict->unstable.len; i++) {
        *vec_push(a, &out->unstable) = first + strict->unstable.ptr[i];
    }
    out->survivors = strict->survivors;
    for (int k = 0; k < NEIGHBOR_KIND_COUNT; k++) {
        out->killed[k] += strict->killed[k];
    }
}

void distill_add_strict(suite *out,
                        arena *a,
                        const suite *core,
                        const suite *strict,
                        const facts *f,
                        dialect d,
                        arena scratch)
{
    assert(core->n_golds == strict->n_golds);
    ptrdiff_t n = core->n_databases + strict->n_databases;
    instance *databases = arena_new(a, instance, n);
    unsigned *causes = arena_new(a, unsigned, n);
    suite_gold *golds = arena_new(a, suite_gold, core->n_golds);
    str *texts = arena_new(a, str, core->n_golds);
    *out = *strict;
    for (ptrdiff_t i = 0; i < core->n_golds; i++) {
        texts[i] = core->golds[i].sql;
        join_gold(a, &golds[i], &core->golds[i], &strict->golds[i],
                  (int32_t)core->n_databases);
    }
    fact_view view = distill_view(a, texts, core->n_golds, d, scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        bool is_core = i < core->n_databases;
        databases[i] = is_core ? core->databases[i]
                               : strict->databases[i - core->n_databases];
        causes[i] = is_core ? suite_causes(core, i)
                            : causes_of(&databases[i], f, &view);
    }
    suite_point end = {
        core->tries,
        core->curve.len > 0 ? core->curve.ptr[core->curve.len - 1].killed : 0};
    out->curve = (suite_curve){0};
    suite_add_curve(&out->curve, a, (suite_point){0}, &core->curve);
    suite_add_curve(&out->curve, a, end, &strict->curve);
    out->tries += core->tries;
    out->databases = databases;
    out->n_databases = n;
    out->strict = causes;
    out->golds = golds;
}
