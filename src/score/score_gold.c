// score_gold.c - from the gold of a case to the queries that are run for it.
#include "score/score_gold.h"

#include "sql/template.h"

// Results in place of queries: each is a variant without a text.
static void take_results(judging *j, gold_set *set)
{
    const record *gold = j->task->gold;
    result_gold *results = arena_new(j->e.a, result_gold, gold->n_results);
    family_text *variants = arena_new(j->e.a, family_text, gold->n_results);
    for (ptrdiff_t i = 0; i < gold->n_results; i++) {
        results[i] = result_gold_read(j->e.a, &gold->results[i]);
        variants[i].has_order = gold->results[i].is_ordered;
    }
    set->results = results;
    set->variants = variants;
    set->n = gold->n_results;
}

void score_expand(judging *j, family_id f)
{
    const record *gold = j->task->gold;
    gold_set *set = &j->e.families[f];
    if (gold->n_results > 0) {
        take_results(j, set);
        return;
    }
    template_variants texts = {0};
    template_options options = {
        .dialect = j->s->options->dialect,
        .keep_whole = gold->golds_are_final,
        .as_reference = text_family_of(f)->expands_as_reference,
    };
    diag d = diag_new(j->e.a);
    if (!template_expand(&texts, j->e.a, gold->golds, gold->n_golds, options,
                         &d, j->s->scratch)) {
        set->error = d.messages.len > 0 ? diag_format(j->e.a, d.messages.ptr[0])
                                        : S("the gold has no query");
        return;
    }
    if (texts.n == 0) {
        set->error = S("the gold has no query");
    }
    family_text *variants = arena_new(j->e.a, family_text, texts.n);
    family_options how = evidence_family_options(j->s->options);
    for (ptrdiff_t i = 0; i < texts.n; i++) {
        variants[i] = text_family_of(f)->gold(j->e.a, texts.sql[i], how);
    }
    set->variants = variants;
    set->n = texts.n;
}
