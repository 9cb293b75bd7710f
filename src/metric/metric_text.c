/*
 * metric_text.c - string and edit: texts over the variants of a gold.
 *
 * A template is not SQL: each variant is compared, and the nearest counts. A
 * program with texts of its own compares the gold as it is written.
 */
#include "metric/text.h"
#include "metric/text_variants.h"

static bool is_nearer(const verdict *v, const verdict *best)
{
    return v->distance >= 0
           && (best->distance < 0 || v->distance < best->distance);
}

verdict text_over_variants(const evidence *e,
                           text_compare *ours,
                           like_text *theirs)
{
    const record *gold = e->gold;
    const gold_set *set = &e->families[FAMILY_PLAIN];
    if (theirs) {
        str whole = gold->n_golds > 0 ? gold->golds[0] : (str){0};
        return theirs(whole, e->pred->raw, e->a, e->scratch);
    }
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    for (ptrdiff_t i = 0; i < set->n && best.v != ANSWER_YES; i++) {
        verdict v = ours(set->variants[i].sql, e->pred->sql,
                         e->options->dialect, e->a, e->scratch);
        v.variant = i;
        if (best.v == ANSWER_UNKNOWN || v.v == ANSWER_YES
            || is_nearer(&v, &best)) {
            best = v;
        }
    }
    return best;
}

verdict metric_judge_string(const evidence *e, metric_key key)
{
    (void)key;
    const like_texts *theirs = e->options->texts;
    return text_over_variants(e, metric_string, theirs ? theirs->string : NULL);
}

verdict metric_judge_edit(const evidence *e, metric_key key)
{
    (void)key;
    const like_texts *theirs = e->options->texts;
    return text_over_variants(e, metric_edit, theirs ? theirs->edit : NULL);
}
