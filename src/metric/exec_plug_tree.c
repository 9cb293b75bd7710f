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
#include "metric/evidence.h"
#include "metric/exec_plug.h"

typedef struct tree_search {
    const evidence *e;
    comparison what;
    rules r;
    engine_stop stop;
    int64_t ns_left;
    int64_t n_tried;
    bool is_cut;
    verdict yes;
} tree_search;

static bool passes(tree_search *s, str text)
{
    const evidence *e = s->e;
    execution x = evidence_run(e, text, s->stop, e->pred_no);
    int64_t start = clock_ns();
    s->n_tried++;
    verdict v = {0};
    if (x.status == REASON_NONE) {
        v = exec_compare(e, s->what, s->r, &x, text);
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
    const evidence *e = s->e;
    const bound_text *gold = evidence_gold_tree(e, variant);
    const bound_text *pred = evidence_pred_tree(e);
    if (!gold->binding || !pred->binding) {
        return false;
    }
    plug p = plug_of(e->a, gold->binding, pred->binding, PLUG_MOST, e->scratch);
    const arena before = *e->a;
    str text;
    while (s->ns_left > 0 && plug_next(&p, e->a, &text, e->scratch)) {
        if (passes(s, text)) {
            return true;
        }
        *e->a = before;
    }
    s->is_cut |= plug_is_cut(&p);
    return false;
}

verdict exec_plugged_tree(const evidence *e,
                          comparison what,
                          rules r,
                          const execution *pred,
                          verdict plain)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    if (plain.v != ANSWER_NO || pred->status != REASON_NONE || !e->has_db
        || e->killed != REASON_NONE) {
        return plain;
    }
    tree_search s = {
        .e = e,
        .what = what,
        .r = r,
        .stop = exec_stop(e, FAMILY_PLAIN, e->pred->sql),
        .ns_left = e->timeout_ms * 1000000 * PLUG_BUDGET,
    };
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status == REASON_NONE && search_variant(&s, i)) {
            return s.yes;
        }
    }
    const plug_end end = {s.ns_left <= 0, s.is_cut, s.n_tried};
    return exec_plug_failed(end, plain, e->a);
}
