/*
 * exec_stop.c - by which options results are compared, and how far they must
 * be read for that.
 */
#include "metric/exec_stop.h"

compare_options exec_options(const evidence *e,
                             rules r,
                             const family_text *variant,
                             str pred_sql)
{
    const score_options *o = e->options;
    const record *gold = e->gold;
    compare_options c = {
        .same_column_order = o->same_column_order,
        .rows_are_sets = o->distinct == DISTINCT_IGNORE
                         && !evaluator_has(r, DISTINCT_IN_TEXTS),
        .allows_extra_rows = o->allows_extra_rows,
        .has_tolerance = o->has_tolerance,
        .tolerance = o->tolerance,
        .question = gold->question,
        .category = gold->category,
        .gold_sql = gold->n_golds > 0 ? gold->golds[0] : (str){0},
        .pred_sql = pred_sql,
    };
    order_policy order = evaluator_of(r)->order;
    // A result says itself whether its order counts.
    bool follows_gold = order == ORDER_OF_GOLD || gold->n_results > 0
                        || (order == ORDER_WHERE_ASKED && e->asks_order);
    switch (o->ordered) {
    case ORDERED_ALWAYS: c.is_ordered = true; break;
    case ORDERED_NEVER: break;
    case ORDERED_AUTO:
        c.is_ordered = variant->has_order && follows_gold;
        c.order_not_asked = variant->has_order && !c.is_ordered;
        break;
    }
    return c;
}

// Until when the rows must be read, over several comparisons.
typedef struct wanted_rows {
    engine_stop stop;
    bool all;
} wanted_rows;

// Beyond what is needed for a no, so much is read that the no has its evidence:
// what is repeated, what is extra. Only long results are cut.
enum {
    EVIDENCE_ROWS = 1000
};

static void want(wanted_rows *w, compare_need need)
{
    need.rows += need.rows >= 0 ? EVIDENCE_ROWS : 0;
    need.distinct += need.distinct >= 0 ? EVIDENCE_ROWS : 0;
    if (need.rows >= 0) {
        w->stop.rows = need.rows > w->stop.rows ? need.rows : w->stop.rows;
    } else if (need.distinct >= 0) {
        w->stop.distinct =
            need.distinct > w->stop.distinct ? need.distinct : w->stop.distinct;
    } else {
        w->all = true;
    }
}

static void want_rules(wanted_rows *w,
                       const evidence *e,
                       rules r,
                       const gold_set *set,
                       str pred_sql)
{
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status != REASON_NONE) {
            continue;
        }
        const table *gold = &set->runs[i].result;
        compare_options c = exec_options(e, r, &set->variants[i], pred_sql);
        if (evidence_needs(e, NEEDS_EXEC_ROWS)) {
            want(w, evaluator_of(r)->need(COMPARE_EXEC, gold, &c));
        }
        if (evidence_needs(e, NEEDS_SUBSET_ROWS)
            && evaluator_has(r, HAS_SUBSET)) {
            want(w, evaluator_of(r)->need(COMPARE_SUBSET, gold, &c));
        }
    }
}

engine_stop exec_stop(const evidence *e, family_id f, str pred_sql)
{
    const score_options *o = e->options;
    wanted_rows w = {.stop = ENGINE_READ_ALL};
    w.all = f == FAMILY_PLAIN && evidence_needs(e, NEEDS_ALL_ROWS);
    for (ptrdiff_t k = 0; k < o->n_rules; k++) {
        if (evaluator_of(o->rules[k])->family == f) {
            want_rules(&w, e, o->rules[k], &e->families[f], pred_sql);
        }
    }
    return w.all ? ENGINE_READ_ALL : w.stop;
}
