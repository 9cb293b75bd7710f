/*
 * score_texts.c - string and edit over the variants of a gold.
 *
 * A template is not SQL: each variant is compared, and the nearest counts. A
 * program with texts of its own compares the gold as it is written.
 */
#include "metric/text.h"
#include "score/score_case.h"

static verdict compare_text(const judging *j,
                            score_metric m,
                            str gold,
                            str pred)
{
    dialect d = j->s->options->dialect;
    arena *a = j->a;
    arena scratch = j->s->scratch;
    const like_texts *theirs = j->s->options->texts;
    if (theirs) {
        return m == SCORE_STRING ? theirs->string(gold, pred, a, scratch)
                                 : theirs->edit(gold, pred, a, scratch);
    }
    return m == SCORE_STRING ? metric_string(gold, pred, d, a, scratch)
                             : metric_edit(gold, pred, d, a, scratch);
}

verdict score_text(judging *j, score_metric m, const score_pred *pred)
{
    const record *gold = j->task->gold;
    const gold_set *set = &j->families[FAMILY_PLAIN];
    if (j->s->options->texts) {
        str whole = gold->n_golds > 0 ? gold->golds[0] : (str){0};
        return compare_text(j, m, whole, pred->raw);
    }
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        verdict v = compare_text(j, m, set->variants[i].sql, pred->sql);
        v.variant = i;
        bool is_nearer = m == SCORE_EDIT && v.distance >= 0
                         && (best.distance < 0 || v.distance < best.distance);
        if (best.v == ANSWER_UNKNOWN || v.v == ANSWER_YES || is_nearer) {
            best = v;
        }
        if (best.v == ANSWER_YES) {
            break;
        }
    }
    return best;
}
