/*
 * score_hardness.c - the hardness that set_match.h counts where it reads a
 * variant of the gold; else the same counts from the tree.
 */
#include "score/score_hardness.h"

#include "score/score_names.h"

void score_read_golds(judging *j)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    if (!j->db || engine_schema_error(j->db).len > 0) {
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
