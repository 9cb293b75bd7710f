// distill_target.c - a gold and its neighbors, ready to be run.
#include "base/hash.h"
#include "prove/prove.h"
#include "sql/parse.h"
#include "suite/distill_part.h"

static const binding *bind_text(distiller *d, str sql, ast **tree)
{
    parse_result r = parse_sql(d->a, sql, d->options->dialect, d->scratch);
    *tree = r.statements;
    if (r.errors.len > 0 || !r.statements || r.statements->next
        || !ast_is_query(r.statements)) {
        return NULL;
    }
    return bind_query(d->a, r.statements, d->job->schema, d->options->dialect,
                      d->scratch);
}

scratch_query *distill_rival_query(distiller *d, rival *r)
{
    if (!r->query && r->state != RIVAL_UNFIT) {
        execution failed = {0};
        r->query = scratch_prepare(d->db, r->neighbor.sql, &failed, d->a);
        if (!r->query) {
            r->state = RIVAL_UNFIT;
        }
    }
    return r->query;
}

void distill_forget_rival(rival *r)
{
    scratch_forget(r->query);
    r->query = NULL;
}

void distill_bind_rival(distiller *d, rival *r)
{
    if (!r->binding) {
        ast *tree = NULL;
        r->binding = bind_text(d, r->neighbor.sql, &tree);
    }
}

static void add_rivals(distiller *d, target *t, ast *tree)
{
    neighbor_options options = {
        .dialect = d->options->dialect,
        .seed = hash_mix(d->options->seed, hash64(t->sql)),
        .max = d->options->max_neighbors,
    };
    neighbor_list list =
        neighbors_of(d->a, tree, t->binding, &options, d->scratch);
    t->rivals = arena_new(d->a, rival, list.len);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        rival *r = &t->rivals[t->n_rivals];
        *r = (rival){.neighbor = list.ptr[i]};
        if (distill_rival_query(d, r)) {
            t->n_rivals++;
        }
    }
    t->n_alive = t->n_rivals;
}

void distill_open_target(distiller *d, target *t, str sql)
{
    *t = (target){.sql = sql};
    execution failed = {0};
    ast *tree = NULL;
    t->binding = bind_text(d, sql, &tree);
    if (!gold_query_open(&t->gold, d->db, sql, d->options->dialect, &failed,
                         d->a, d->scratch)
        || !gold_query_open(&t->mirror, d->mirror, sql, d->options->dialect,
                            &failed, d->a, d->scratch)) {
        t->error = failed.message;
    } else if (!t->binding) {
        t->error = S("it could not be parsed");
    } else if (scratch_reads_random(t->gold.query)) {
        t->error = S("it calls a random function");
    } else {
        add_rivals(d, t, tree);
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

void distill_prove(distiller *d, target *t)
{
    const prove_options options = {.assume = ASSUME_DEFAULT};
    for (ptrdiff_t i = 0; i < t->n_rivals; i++) {
        rival *r = &t->rivals[i];
        if (r->state != RIVAL_ALIVE) {
            continue;
        }
        distill_bind_rival(d, r);
        if (!r->binding) {
            continue;
        }
        arena memory = d->trial;
        proof p =
            prove_pair(&memory, t->binding, r->binding, &options, d->scratch);
        if (p.is_proved) {
            r->state = RIVAL_PROVED;
            r->why = assumed(d, p.assumptions);
            distill_forget_rival(r);
            t->n_alive--;
        }
    }
}
