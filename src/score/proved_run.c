/*
 * proved_run.c - a prediction that is proved to be its gold is not run.
 *
 * Invariants  (1) The proof holds on the data at hand: it assumes nothing that
 *                 SQLite does not see to itself when rows are written. Declared
 *                 foreign keys and types are often broken.
 *             (2) Only rule sets that take any result which the gold's text
 *                 allows (ALLOWS_TIES) go by it; the others ask what this run
 *                 of this engine returns.
 *             (3) A list is proved to be a list: rows that come in an order are
 *                 not taken for rows that come in none.
 *             (4) Whether a prediction is run hangs on steps, not on time: the
 *                 same journal comes out of every machine.
 *
 * Cost        Both queries are bound, and brought into their canonical form.
 */
#include "score/proved_run.h"

#include "check/legal.h"
#include "prove/prove.h"
#include "relation/unmodelled.h"
#include "schema/bind_text.h"
#include "score/score_gold.h"
#include "score/score_run.h"

enum {
    // Of the gold: some 3 ms. What takes less is run sooner than proved.
    WORTH_STEPS = 100000,
    MOST_VARIANTS = 8,
};

// Invariant 1, with legal_enforced().
static const unsigned HOLDS_HERE = ASSUME_KEYS | ASSUME_NOT_NULL;

static bool goes_by_proofs(const judging *j, family_id f)
{
    const score_options *o = j->s->options;
    bool all = true;
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        all &= evaluator_of(o->rules[i])->family != f
               || evaluator_has(o->rules[i], ALLOWS_TIES);
    }
    return all && f == FAMILY_PLAIN && o->dialect == DIALECT_SQLITE
           && !o->runs_proved && o->ordered != ORDERED_ALWAYS
           && o->n_pass_at == 0 && !evidence_needs(&j->e, NEEDS_ALL_ROWS);
}

static bool is_worth_it(const execution *gold)
{
    return gold->status == REASON_NONE && gold->work >= WORTH_STEPS
           && !gold->reads_clock && !gold->reads_random;
}

// NULL: it is not one query whose names are all there, and tables of rows.
static const binding *bind_modelled(judging *j, str sql, const schema *s)
{
    dialect d = j->s->options->dialect;
    const binding *b = bind_text_known(j->e.a, sql, s, d, j->s->scratch);
    return b && unmodelled(b->query->node, s, d, j->e.a).len == 0 ? b : NULL;
}

static bool is_proved(judging *j,
                      str gold,
                      const binding *pred,
                      const prove_options *options)
{
    const binding *b = bind_modelled(j, gold, pred->schema);
    proof p =
        b ? prove_pair(j->e.a, b, pred, options, j->s->scratch) : (proof){0};
    return p.is_proved && (p.assumptions & ~options->assume) == 0;
}

static const execution *find_proved(judging *j,
                                    const gold_set *golds,
                                    const schema *s)
{
    const prove_options options = {
        .assume = HOLDS_HERE,
        .keeps_columns = j->s->options->same_column_order,
        .keeps_order = true,
    };
    const binding *pred = bind_modelled(j, j->e.pred->sql, s);
    ptrdiff_t n = golds->n < MOST_VARIANTS ? golds->n : MOST_VARIANTS;
    for (ptrdiff_t i = 0; pred && i < n; i++) {
        str gold = golds->variants[i].sql;
        // The same text returns what is known of it.
        if (is_worth_it(&golds->runs[i]) && !str_equal(gold, j->e.pred->sql)
            && is_proved(j, gold, pred, &options)) {
            return &golds->runs[i];
        }
    }
    return NULL;
}

const execution *proved_run(judging *j, family_id f)
{
    const gold_set *golds = &j->e.families[f];
    // Servers count no steps.
    if (golds->work < WORTH_STEPS || !goes_by_proofs(j, f)
        || engine_schema_error(j->db).len > 0
        || score_death_of(j->task, j->e.pred_no)) {
        return NULL;
    }
    watch_outer outer = watch_begin(j->s->watch, j->e.pred_no, WATCH_QUERY);
    const schema *declared = engine_schema(j->db);
    const execution *gold =
        declared ? find_proved(j, golds, legal_enforced(j->e.a, declared))
                 : NULL;
    watch_end(j->s->watch, outer);
    return gold;
}
