/*
 * score_set.c - the set match of another evaluator and the hardness of a case.
 *
 * Each variant of the gold that its grammar reads is compared; the first that
 * fits wins, else the no with the fewest wrong components is kept.
 */
#include "score/score_case.h"

void score_read_golds(judging *j)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    if (!j->db) {
        return;
    }
    const schema *s = engine_schema(j->db);
    j->set_golds = (const set_query **)arena_alloc(
        j->a, sizeof *j->set_golds, _Alignof(max_align_t), set->n + 1);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        j->set_golds[i] =
            set_query_of(j->a, set->variants[i].sql, s, j->s->scratch);
    }
}

str score_hardness(judging *j, bool *is_ours)
{
    *is_ours = false;
    const gold_set *set = &j->families[FAMILY_PLAIN];
    for (ptrdiff_t i = 0; j->set_golds && i < set->n; i++) {
        if (j->set_golds[i]) {
            return set_query_hardness(j->set_golds[i]);
        }
    }
    const bound_text *gold = set->n > 0 ? score_gold_tree(j, 0) : NULL;
    *is_ours = gold && gold->binding;
    return *is_ours ? clauses_hardness(gold->binding->query->node) : (str){0};
}

static ptrdiff_t count_right(const verdict *v)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < v->n_parts; i++) {
        n += v->parts[i].is_right;
    }
    return n;
}

verdict score_set(judging *j, score_set_kind kind, const score_pred *pred)
{
    if (kind == SET_OWN) {
        return score_own_set(j);
    }
    if (!j->db) {
        return verdict_unknown(REASON_NO_DATABASE, j->db_error);
    }
    if (engine_schema_error(j->db).len > 0) {
        return verdict_unknown(REASON_NO_DATABASE, engine_schema_error(j->db));
    }
    const schema *s = engine_schema(j->db);
    const schema *keys = j->task->keys ? j->task->keys : s;
    const set_query *p = set_pred_of(j->a, pred->line, s, j->s->scratch);
    set_match_kind how =
        kind == SET_RELEASED ? SET_MATCH_RELEASED : SET_MATCH_ADAPTED;
    const gold_set *set = &j->families[FAMILY_PLAIN];
    verdict best = verdict_unknown(
        REASON_GOLD_FAILED, set->error.len > 0
                                ? set->error
                                : S("Spider's grammar does not read the gold"));
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (!j->set_golds[i]) {
            continue;
        }
        verdict v =
            set_match(how, j->set_golds[i], p, s, keys, j->a, j->s->scratch);
        v.variant = i;
        if (v.v == ANSWER_YES) {
            return v;
        }
        if (best.v == ANSWER_UNKNOWN || count_right(&v) > count_right(&best)) {
            best = v;
        }
    }
    return best;
}
