// score_gold.c - from the gold of a case to the queries that are run for it.
#include "score/score_case.h"
#include "sql/template.h"

bool score_wants(const judging *j, score_metric m)
{
    return j->s->options->metrics & SCORE_BIT(m);
}

bool score_wants_all_rows(const judging *j)
{
    return score_wants(j, SCORE_SOFT_F1) || score_wants(j, SCORE_CELL_F1)
           || score_wants(j, SCORE_PRAGMATIC);
}

bool score_uses_family(const judging *j, family_id f)
{
    return (f == FAMILY_PLAIN && score_wants(j, SCORE_SUITE))
           || score_compares_family(j, f);
}

bool score_compares_family(const judging *j, family_id f)
{
    const score_options *o = j->s->options;
    if (f == FAMILY_PLAIN && score_wants_all_rows(j)) {
        return true;
    }
    bool compares = score_wants(j, SCORE_EXEC) || score_wants(j, SCORE_SUBSET);
    for (ptrdiff_t k = 0; compares && k < o->n_rules; k++) {
        if (evaluator_of(o->rules[k])->family == f) {
            return true;
        }
    }
    return false;
}

family_options score_family_options(const judging *j)
{
    return (family_options){
        .dialect = j->s->options->dialect,
        .keeps_distinct = j->s->options->distinct == DISTINCT_KEEP,
    };
}

str score_text_of(family_id f, const score_pred *pred)
{
    return text_family_of(f)->takes_lines ? pred->line : pred->sql;
}

void score_expand(judging *j, family_id f)
{
    const record *gold = j->task->gold;
    gold_set *set = &j->families[f];
    template_variants texts = {0};
    template_options options = {
        .dialect = j->s->options->dialect,
        .keep_whole = gold->golds_are_final,
        .as_reference = text_family_of(f)->expands_as_reference,
    };
    diag d = diag_new(j->a);
    if (!template_expand(&texts, j->a, gold->golds, gold->n_golds, options, &d,
                         j->s->scratch)) {
        set->error = d.messages.len > 0 ? diag_format(j->a, d.messages.ptr[0])
                                        : S("the gold has no query");
        return;
    }
    if (texts.n == 0) {
        set->error = S("the gold has no query");
    }
    family_text *variants = arena_new(j->a, family_text, texts.n);
    family_options how = score_family_options(j);
    for (ptrdiff_t i = 0; i < texts.n; i++) {
        variants[i] = text_family_of(f)->gold(j->a, texts.sql[i], how);
    }
    set->variants = variants;
    set->n = texts.n;
}
