/*
 * score_hardness.c - the hardness that set_match.h counts where it reads a
 * variant of the gold; else the same counts from the tree.
 */
#include "score/score_hardness.h"

void score_read_golds(judging *j)
{
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    str no_schema;
    const schema *s = evidence_schema(&j->e, &no_schema);
    if (!s) {
        return;
    }
    j->e.set_golds = (const set_query **)arena_alloc(
        j->e.a, sizeof *j->e.set_golds, _Alignof(max_align_t), set->n + 1);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        j->e.set_golds[i] =
            set_query_of(j->e.a, set->variants[i].sql, s, j->s->scratch);
    }
}

static str hardness_of(judging *j, bool *is_ours)
{
    *is_ours = false;
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    if (!j->e.set_golds) {
        score_read_golds(j);
    }
    for (ptrdiff_t i = 0; j->e.set_golds && i < set->n; i++) {
        if (j->e.set_golds[i]) {
            return set_query_hardness(j->e.set_golds[i]);
        }
    }
    const bound_text *gold = set->n > 0 ? evidence_gold_tree(&j->e, 0) : NULL;
    *is_ours = gold && gold->binding;
    return *is_ours ? set_tree_hardness(gold->binding->query->node) : (str){0};
}

static void grade(judging *j, gold_fact *f)
{
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    f->hardness = hardness_of(j, &f->hardness_is_ours);
    if (set->n > 0) {
        f->features =
            sql_features_of_text(set->variants[0].sql, j->s->options->dialect,
                                 *j->e.a, j->s->scratch);
    }
}

void score_grade(judging *j, scored_case *out)
{
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    gold_fact own = {0};
    gold_fact *f = &own;
    // Of several variants the first that can be read speaks.
    if (set->n == 1 && j->db && engine_schema_error(j->db).len == 0) {
        f = result_cache_gold(&j->s->cache,
                              result_key(j->task->path, set->variants[0].sql));
    }
    if (!f->has_grade) {
        grade(j, f);
        f->has_grade = true;
    }
    out->hardness = f->hardness;
    out->hardness_is_ours = f->hardness_is_ours;
    out->features = f->features;
}
