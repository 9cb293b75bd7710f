/*
 * score_clauses.c - gold and prediction clause by clause: assay's own set
 * match, and what differs in words.
 *
 * Each variant of the gold is compared; the one with the fewest differences
 * speaks.
 */
#include "score/score_clauses.h"

#include "score/score_names.h"

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
static const clauses *gold_clauses(judging *j, ptrdiff_t i, clause_options o)
{
    bound_text *gold = &j->gold_trees[i];
    if (!gold->has_clauses) {
        gold->clauses = clauses_of(j->a, gold->binding, o, NULL, j->s->scratch);
        gold->has_clauses = true;
    }
    return &gold->clauses;
}

static nearest find_nearest(judging *j, const binding *pred)
{
    nearest n = {.variant = -1};
    const gold_set *set = &j->families[FAMILY_PLAIN];
    clause_options o = {.ignores_distinct =
                            j->s->options->distinct == DISTINCT_IGNORE};
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (!score_gold_tree(j, i)->binding) {
            continue;
        }
        const clauses *gold = gold_clauses(j, i, o);
        clauses c = clauses_of(j->a, pred, o, gold, j->s->scratch);
        if (c.is_cut || gold->is_cut) {
            n.is_cut = true;
            continue;
        }
        clause_diff d = clauses_compare(j->a, gold, &c);
        if (n.variant < 0 || is_nearer(&d, &n.diff)) {
            n.variant = i;
            n.diff = d;
        }
    }
    return n;
}

const str *score_clause_words(judging *j, ptrdiff_t *n)
{
    *n = 0;
    const binding *pred =
        j->pred->sql.len > 0 && j->db ? score_pred_tree(j)->binding : NULL;
    if (!pred) {
        return NULL;
    }
    nearest near = find_nearest(j, pred);
    *n = near.diff.words.len;
    return near.diff.words.ptr;
}

static bool part_is_right(clause_side side)
{
    return side.gold == side.matched && side.pred == side.matched;
}

static void add_parts(verdict *v, const clause_diff *d, arena *a)
{
    verdict_part *parts = arena_new(a, verdict_part, CLAUSE_COUNT);
    for (int k = 0; k < CLAUSE_COUNT; k++) {
        parts[k] = (verdict_part){.word = clause_word((clause_kind)k),
                                  .is_right = part_is_right(d->parts[k]),
                                  .in_gold = d->parts[k].gold > 0,
                                  .in_pred = d->parts[k].pred > 0};
    }
    v->parts = parts;
    v->n_parts = CLAUSE_COUNT;
}

static str name_parts(const clause_diff *d, arena *a)
{
    buf b = buf_new(a);
    for (int k = 0; k < CLAUSE_COUNT; k++) {
        if (!part_is_right(d->parts[k])) {
            buf_add(&b, b.len > 0 ? S(", ") : S(""));
            buf_add(&b, clause_word((clause_kind)k));
        }
    }
    return b.len > 0 ? buf_str(&b) : S("which of several uses of a table");
}

static reason reason_of(const bind_problem *p)
{
    switch (p->kind) {
    case BIND_NO_TABLE: return REASON_NO_SUCH_TABLE;
    case BIND_NO_COLUMN: return REASON_NO_SUCH_COLUMN;
    case BIND_AMBIGUOUS: return REASON_AMBIGUOUS_COLUMN;
    case BIND_NO_POSITION:
    case BIND_COLUMN_COUNT:
    case BIND_DUPLICATE_NAME: break;
    }
    return REASON_INVALID_QUERY;
}

static verdict no_gold(const judging *j)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    str error =
        set->n > 0 && j->gold_trees ? j->gold_trees[0].error : set->error;
    return verdict_unknown(REASON_GOLD_FAILED, error);
}

verdict score_own_set(judging *j)
{
    if (!j->db) {
        return verdict_unknown(j->db_status, j->db_error);
    }
    if (j->pred->sql.len == 0) {
        return verdict_no(REASON_NO_PREDICTION, (str){0});
    }
    const bound_text *pred = score_pred_tree(j);
    bool has_gold = false;
    for (ptrdiff_t i = 0; i < j->families[FAMILY_PLAIN].n; i++) {
        has_gold |= score_gold_tree(j, i)->binding != NULL;
    }
    if (!has_gold) {
        return no_gold(j);
    }
    if (!pred->binding) {
        return pred->status == REASON_TOO_DEEP
                   ? verdict_unknown(pred->status, pred->error)
                   : verdict_no(pred->status, pred->error);
    }
    nearest near = find_nearest(j, pred->binding);
    if (near.variant < 0) {
        return verdict_unknown(REASON_UNDECIDED,
                               S("too large to be compared by clauses"));
    }
    const bind_problem *problem = pred->binding->problems.len > 0
                                      ? &pred->binding->problems.ptr[0]
                                      : NULL;
    // SQLite's rules are known for sure; other engines' may allow it.
    bool is_broken =
        problem
        && (!near.diff.is_same || j->s->options->dialect == DIALECT_SQLITE);
    verdict v = is_broken ? verdict_no(reason_of(problem), problem->text)
                : near.diff.is_same ? verdict_yes()
                                    : verdict_no(REASON_CLAUSES_DIFFER,
                                                 name_parts(&near.diff, j->a));
    v.variant = near.variant;
    add_parts(&v, &near.diff, j->a);
    return v;
}
