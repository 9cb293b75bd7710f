/*
 * stability.c - the choices of a gold, tried on its database.
 *
 * Invariants  A query that cannot be parsed, bound or run is said to depend on
 *             nothing: a lint must not guess.
 *
 * Cost        A run of the gold's test for each choice that it leaves.
 */
#include "score/stability.h"

#include "check/pair_query.h"
#include "schema/bind_text.h"
#include "score/score_run.h"

// Do two rows of the block differ?
static bool block_differs(const possible_results *o, const result_block *block)
{
    const int32_t *first = o->cells + block->start * o->n_columns;
    for (ptrdiff_t i = 0; i < block->supply * o->n_columns; i++) {
        if (first[i] != first[i % o->n_columns]) {
            return true;
        }
    }
    return false;
}

static unsigned top_of(judging *j, const engine_choices *c)
{
    if ((!c->has_limit && !c->is_ordered) || c->top.sql.len == 0) {
        return 0;
    }
    execution x = score_run_text(j, c->top.sql, ENGINE_READ_ALL, WATCH_GOLD);
    if (x.status != REASON_NONE) {
        return 0;
    }
    arena a = *j->e.a;
    arena scratch = j->s->scratch;
    pair_query as_side = {.choices = *c};
    coder codes = coder_new(&a, x.result.n_rows * x.result.n_columns, 0);
    possible_results o =
        pair_query_results(&as_side, &x.result, &codes, &a, scratch);
    unsigned found = 0;
    if (c->has_limit && !possible_results_are_one(&o, scratch)) {
        found = c->is_ordered ? STABILITY_LIMIT_TIE : STABILITY_LIMIT_FREE;
    }
    for (ptrdiff_t i = 0; c->is_ordered && i < o.n_blocks; i++) {
        found |= block_differs(&o, &o.blocks[i]) ? STABILITY_ORDER : 0;
    }
    return found;
}

static unsigned inner_of(judging *j, const engine_choice *c)
{
    if (c->sql.len == 0) {
        return 0;
    }
    execution x = score_run_text(j, c->sql, ENGINE_READ_ALL, WATCH_GOLD);
    if (x.status != REASON_NONE
        || engine_choice_is_fixed(c, &x.result, *j->e.a, j->s->scratch)) {
        return 0;
    }
    return c->kind == CHOICE_BARE ? STABILITY_BARE : STABILITY_INNER;
}

// Others' names and types are not bound yet.
static bool is_known(dialect d)
{
    return d == DIALECT_SQLITE || dialect_follows_postgres(d)
           || d == DIALECT_MYSQL;
}

unsigned score_stability(judging *j, str sql)
{
    dialect d = j->s->options->dialect;
    if (!j->db || !is_known(d) || engine_schema_error(j->db).len > 0) {
        return 0;
    }
    const binding *b =
        bind_text_known(j->e.a, sql, engine_schema(j->db), d, j->s->scratch);
    if (!b) {
        return 0;
    }
    engine_choices c = engine_choices_of(j->e.a, b, BARE_PICKED, j->s->scratch);
    unsigned found = top_of(j, &c);
    for (ptrdiff_t i = 0; i < c.inner.len; i++) {
        found |= inner_of(j, &c.inner.ptr[i]);
    }
    return found;
}
