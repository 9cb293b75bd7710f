/*
 * distill_recall.c - continues from what the parts of a schema's golds found
 * out.
 *
 * Method      A part hands over a suite of its own. Its neighbors are made
 *             again, which is cheap and gives the same; those it lists as
 *             proved or alive are so, the others were killed. By which of its
 *             databases need not be known: the cover only asks how many each
 *             has killed, and tries them all again on all golds. A mutant that
 *             lived may be killed by a database of another part.
 *
 * Invariant   The parts hold the golds of the job in its order.
 *
 * Cost        One compilation for each neighbor.
 */
#include "base/words.h"
#include "suite/distill_internal.h"

#include <assert.h>

static const suite_survivor *find_survivor(const suite_gold *g, str sql)
{
    ptrdiff_t i =
        words_of(g->survivors.ptr, g->survivors.len, neighbor.sql, sql);
    return i < 0 ? NULL : &g->survivors.ptr[i];
}

// The database that has the gold's kill number `i`, as they are counted.
static int32_t killer_of(const suite_gold *g, ptrdiff_t i)
{
    assert(i >= 0);
    int32_t killer = -1;
    for (ptrdiff_t k = 0; killer < 0 && k < g->killers.len; k++) {
        const suite_killer *one = &g->killers.ptr[k];
        killer = i < one->n_killed ? one->database : -1;
        i -= one->n_killed;
    }
    return killer;
}

// A mutant that lives met all databases of its part.
static void recall_living(distiller *d, mutant *r, int32_t first)
{
    for (int32_t k = first; k < d->kept.len; k++) {
        outcome_set(&r->strikes, d->a, d->numbers.ptr[k], OUTCOME_NO);
    }
}

static void recall_mutants(distiller *d,
                           target *t,
                           const suite_gold *g,
                           int32_t first)
{
    assert(first >= 0);
    ptrdiff_t n_killed = 0;
    for (ptrdiff_t i = 0; i < t->n_mutants; i++) {
        mutant *r = &t->mutants[i];
        const suite_survivor *s = find_survivor(g, r->neighbor.sql);
        int32_t killer = s ? -1 : killer_of(g, n_killed++);
        if (s) {
            r->why = arena_str(d->a, s->why);
        }
        if (s && s->is_proved) {
            distill_take_off(d, t, r, r->why);
        } else if (killer >= 0) {
            distill_kill(d, t, r, first + killer);
        } else {
            recall_living(d, r, first);
        }
    }
}

// The rows, for the schema of the job: its tables are the same, by name.
static instance rows_for(distiller *d, const instance *from)
{
    const schema *s = d->job->schema;
    instance copy = instance_keep(d->a, from);
    instance out = {s, arena_new(d->a, instance_table, s->n_tables)};
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        int32_t at = schema_find_table(from->schema, s->tables[t].name);
        if (at >= 0) {
            out.tables[t] = copy.tables[at];
        }
    }
    return out;
}

static void recall_part(distiller *d, const suite *part, target *targets)
{
    int32_t first = (int32_t)d->kept.len;
    for (ptrdiff_t i = 0; i < part->n_databases; i++) {
        distill_keep(d, rows_for(d, &part->databases[i]));
    }
    suite_add_curve(&d->curve, d->a, (suite_point){d->tries, d->killed},
                    &part->curve);
    d->tries += part->tries;
    for (ptrdiff_t i = 0; i < part->n_golds; i++) {
        distill_open_target(d, &targets[i], part->golds[i].sql);
        recall_mutants(d, &targets[i], &part->golds[i], first);
    }
}

void distill_recall(distiller *d, const suite *parts, ptrdiff_t n)
{
    target *next = d->targets;
    for (ptrdiff_t i = 0; i < n; i++) {
        recall_part(d, &parts[i], next);
        next += parts[i].n_golds;
    }
    assert(next == d->targets + d->n_targets);
}
