/*
 * exec_plug_tree.c - exec and subset with the gold's values plugged in, where
 * queries run as they are written.
 *
 * Method      For each variant of the gold that ran, the texts of plug.h run
 *             until one passes. A text that fails does not pass.
 *
 * Invariants  (1) A no means that every text was tried. Where the cap on their
 *                 number or on their time came first, the verdict is unknown.
 *             (2) What a text left in the arena of the case is given back.
 */
#include "metric/exec_plug_tree.h"

#include "base/clock.h"
#include "intent/plug.h"
#include "metric/exec_plug.h"
#include "score/score_names.h"
#include "score/score_run.h"

typedef struct tree_search {
    judging *j;
    comparison what;
    rules r;
    int32_t pred_no;
    engine_stop stop;
    int64_t ns_left;
    int64_t n_tried;
    bool is_cut;
    verdict yes;
} tree_search;

static bool passes(tree_search *s, str text)
{
    judging *j = s->j;
    execution x = score_run_text(j, text, s->stop, s->pred_no);
    int64_t start = clock_ns();
    s->n_tried++;
    verdict v = {0};
    if (x.status == REASON_NONE) {
        v = score_compare(j, s->what, s->r, &x, text);
    }
    s->ns_left -= x.ns + clock_ns() - start;
    if (v.v != ANSWER_YES) {
        return false;
    }
    s->yes = v;
    s->yes.plugged = text;
    return true;
}

static bool search_variant(tree_search *s, ptrdiff_t variant)
{
    judging *j = s->j;
    const bound_text *gold = score_gold_tree(j, variant);
    const bound_text *pred = score_pred_tree(j);
    if (!gold->binding || !pred->binding) {
        return false;
    }
    plug p =
        plug_of(j->a, gold->binding, pred->binding, PLUG_MOST, j->s->scratch);
    const arena before = *j->a;
    str text;
    while (s->ns_left > 0 && plug_next(&p, j->a, &text, j->s->scratch)) {
        if (passes(s, text)) {
            return true;
        }
        *j->a = before;
    }
    s->is_cut |= plug_is_cut(&p);
    return false;
}

verdict exec_plugged_tree(judging *j,
                          comparison what,
                          rules r,
                          const execution *pred,
                          verdict plain)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    const int32_t pred_no = (int32_t)(j->pred - j->task->preds);
    if (plain.v != ANSWER_NO || pred->status != REASON_NONE || !j->db
        || score_death_of(j->task, pred_no)) {
        return plain;
    }
    tree_search s = {
        .j = j,
        .what = what,
        .r = r,
        .pred_no = pred_no,
        .stop = score_stop_for(j, FAMILY_PLAIN, j->pred->sql),
        .ns_left =
            j->s->options->engine.limits.timeout_ms * 1000000 * PLUG_BUDGET,
    };
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status == REASON_NONE && search_variant(&s, i)) {
            return s.yes;
        }
    }
    const plug_end end = {s.ns_left <= 0, s.is_cut, s.n_tried};
    return exec_plug_failed(end, plain, j->a);
}
