/*
 * set_clauses.c - gold and prediction clause by clause: assay's own set
 * match, and what differs in words.
 *
 * Each variant of the gold is compared; the one with the fewest differences
 * speaks.
 */
#include "metric/set_clauses.h"

#include "metric/evidence.h"

typedef struct nearest {
    ptrdiff_t variant;  // -1: none could be compared
    clause_diff diff;
    bool is_cut;  // one was too large
} nearest;

// How many facts only one of them has.
static ptrdiff_t distance(const clause_diff *d)
{
    ptrdiff_t n = 0;
    for (int k = 0; k < CLAUSE_COUNT; k++) {
        n += d->parts[k].gold + d->parts[k].pred - 2 * d->parts[k].matched;
    }
    return n;
}

static bool is_nearer(const clause_diff *x, const clause_diff *y)
{
    return x->is_same != y->is_same ? x->is_same : distance(x) < distance(y);
}

// Of a variant that is bound.
static const clauses *gold_clauses(const evidence *e,
                                   ptrdiff_t i,
                                   clause_options o)
{
    bound_text *gold = evidence_gold_tree(e, i);
    if (!gold->has_clauses) {
        gold->clauses = clauses_of(e->a, gold->binding, o, NULL, e->scratch);
        gold->has_clauses = true;
    }
    return &gold->clauses;
}

// What is wrong with a text that was read; NULL: nothing.
static const bind_problem *problem_of(const bound_text *t)
{
    return t->binding->problems.len > 0 ? &t->binding->problems.ptr[0] : NULL;
}

// A gold that was read names what its schema lacks, or leaves open what it
// means; no prediction can be compared with it. Where it ran, the engine knows
// better.
static bool is_broken_gold(const evidence *e, ptrdiff_t variant)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    const bind_problem *p = problem_of(&e->trees->golds[variant]);
    bool has_run = set->runs && set->runs[variant].status == REASON_NONE;
    return p && !has_run
           && (p->kind == BIND_NO_TABLE || p->kind == BIND_NO_COLUMN
               || p->kind == BIND_AMBIGUOUS);
}

// Of all golds, or of those that are broken or not.
typedef enum gold_choice {
    GOLDS_ALL,
    GOLDS_SOUND,
    GOLDS_BROKEN,
} gold_choice;

static nearest find_nearest(const evidence *e,
                            const binding *pred,
                            gold_choice which)
{
    nearest n = {.variant = -1};
    const gold_set *set = &e->families[FAMILY_PLAIN];
    clause_options o = {.ignores_distinct =
                            e->options->distinct == DISTINCT_IGNORE};
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (!evidence_gold_tree(e, i)->binding
            || (which != GOLDS_ALL
                && is_broken_gold(e, i) != (which == GOLDS_BROKEN))) {
            continue;
        }
        const clauses *gold = gold_clauses(e, i, o);
        clauses c = clauses_of(e->a, pred, o, gold, e->scratch);
        if (c.is_cut || gold->is_cut) {
            n.is_cut = true;
            continue;
        }
        clause_diff d = clauses_compare(e->a, gold, &c);
        if (n.variant < 0 || is_nearer(&d, &n.diff)) {
            n.variant = i;
            n.diff = d;
        }
    }
    return n;
}

const str *set_clause_words(const evidence *e, ptrdiff_t *n)
{
    *n = 0;
    const binding *pred =
        e->pred->sql.len > 0 ? evidence_pred_tree(e)->binding : NULL;
    if (!pred) {
        return NULL;
    }
    nearest near = find_nearest(e, pred, GOLDS_ALL);
    *n = near.diff.words.len;
    return near.diff.words.ptr;
}

static verdict no_gold(const evidence *e)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    if (set->n == 0) {
        return verdict_unknown(REASON_GOLD_FAILED, set->error);
    }
    const bound_text *gold = evidence_gold_tree(e, 0);
    return verdict_unknown(REASON_GOLD_FAILED, gold->binding
                                                   ? problem_of(gold)->text
                                                   : gold->error);
}

// SQLite's rules are known for sure; other engines' may allow what both name.
static bool is_same_as_broken(const evidence *e, const bound_text *pred)
{
    return e->options->dialect != DIALECT_SQLITE && pred->binding
           && find_nearest(e, pred->binding, GOLDS_BROKEN).diff.is_same;
}

verdict set_own(const evidence *e)
{
    str no_schema;
    if (!evidence_schema(e, &no_schema)) {
        return verdict_unknown(REASON_NO_DATABASE, no_schema);
    }
    if (e->pred->sql.len == 0) {
        return verdict_no(REASON_NO_PREDICTION, (str){0});
    }
    const bound_text *pred = evidence_pred_tree(e);
    bool has_gold = false;
    bool has_broken = false;
    for (ptrdiff_t i = 0; i < e->families[FAMILY_PLAIN].n; i++) {
        bool is_read = evidence_gold_tree(e, i)->binding != NULL;
        bool is_broken = is_read && is_broken_gold(e, i);
        has_gold |= is_read && !is_broken;
        has_broken |= is_broken;
    }
    if (!has_gold) {
        return has_broken && is_same_as_broken(e, pred) ? verdict_yes()
                                                        : no_gold(e);
    }
    if (!pred->binding) {
        return pred->status == REASON_TOO_DEEP
                   ? verdict_unknown(pred->status, pred->error)
                   : verdict_no(pred->status, pred->error);
    }
    nearest near = find_nearest(e, pred->binding, GOLDS_SOUND);
    if (near.variant < 0) {
        return verdict_unknown(REASON_UNDECIDED,
                               S("too large to be compared by clauses"));
    }
    const bind_problem *problem = problem_of(pred);
    // SQLite's rules are known for sure; other engines' may allow it.
    bool is_broken =
        problem
        && (!near.diff.is_same || e->options->dialect == DIALECT_SQLITE);
    verdict v =
        is_broken ? verdict_no(evidence_reason_of(problem), problem->text)
        : near.diff.is_same ? verdict_yes()
                            : verdict_no(REASON_CLAUSES_DIFFER, (str){0});
    str wrong = verdict_take_parts(&v, near.diff.parts, clause_words,
                                   CLAUSE_COUNT, e->a);
    if (v.reason == REASON_CLAUSES_DIFFER) {
        v.detail =
            wrong.len > 0 ? wrong : S("which of several uses of a table");
    }
    v.variant = near.variant;
    return v;
}
