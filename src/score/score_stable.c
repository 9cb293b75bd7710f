/*
 * score_stable.c - does the gold itself have one result?
 *
 * Why         A LIMIT in a subquery, a column that GROUP BY does not tell,
 *             group_concat(): the engine may take any of several rows, and a
 *             prediction that took another is not wrong. Order and LIMIT of
 *             the outermost query are no such choice: exec_ties.c knows all
 *             their results.
 *
 * Method      Variants whose tree leaves a choice run again, with rows read in
 *             other orders: PRAGMA reverse_unordered_selects, then the tables
 *             as ordered subqueries. Where the results are not the same by
 *             assay's rules the gold is unstable, and what says no under
 *             those rules is compared with the other result, too. Three
 *             orders do not find every choice: stable means not shown to be
 *             unstable.
 */
#include "score/score_stable.h"

#include "metric/exec_rows.h"
#include "relation/relation_choice.h"
#include "relation/row_order.h"
#include "score/score_run.h"

#include <assert.h>

// A LIMIT after ORDER BY is none: exec_ties.c knows what it may cut.
static bool leaves_choice(judging *j, ptrdiff_t variant)
{
    const binding *b = evidence_gold_tree(&j->e, variant)->binding;
    arena a = j->s->scratch;
    arena trees = arena_half(&a);
    if (!b || b->problems.len > 0) {
        return b != NULL;
    }
    engine_choices c = engine_choices_of(&a, b, BARE_PICKED, trees);
    return c.inner.len > 0 || (c.has_limit && !c.is_ordered);
}

// What is remembered of the variant; NULL: nothing may be.
static gold_fact *fact_of(judging *j, ptrdiff_t variant)
{
    str sql = j->e.families[FAMILY_PLAIN].variants[variant].sql;
    return engine_schema_error(j->db).len > 0
               ? NULL
               : result_cache_gold(&j->s->cache,
                                   result_key(j->task->path, sql));
}

// Has the variant a choice that was not yet tried in vain?
static bool is_to_be_tried(judging *j, ptrdiff_t variant)
{
    gold_fact *f = fact_of(j, variant);
    if (!f) {
        return leaves_choice(j, variant);
    }
    if (!f->has_choice) {
        f->leaves_choice = leaves_choice(j, variant);
        f->has_choice = true;
    }
    return f->leaves_choice && !f->is_stable[j->e.asks_order];
}

static bool uses_assay_rules(const judging *j)
{
    const score_options *o = j->s->options;
    bool compares = evidence_needs(&j->e, NEEDS_RULED_ROWS);
    for (ptrdiff_t i = 0; compares && i < o->n_rules; i++) {
        if (evaluator_has(o->rules[i], ALLOWS_TIES)) {
            return true;
        }
    }
    return false;
}

static void add_other(judging *j, ptrdiff_t i, execution other, str how)
{
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    assert(i >= 0 && i < set->n);
    if (!j->e.other_golds) {
        j->e.other_golds = arena_new(j->e.a, execution, set->n);
        for (ptrdiff_t k = 0; k < set->n; k++) {
            j->e.other_golds[k].status = REASON_NOT_RUN;
        }
        j->unstable = how;
    }
    j->e.other_golds[i] = other;
}

// Does the variant return something else when it is run so?
static bool is_other(judging *j, ptrdiff_t i, execution other)
{
    str sql = j->e.families[FAMILY_PLAIN].variants[i].sql;
    if (other.status != REASON_NONE) {
        return false;
    }
    verdict v =
        exec_compare_variant(&j->e, COMPARE_EXEC, RULES_ASSAY, i, &other, sql);
    if (v.v != ANSWER_NO) {
        return false;
    }
    add_other(j, i, other,
              arena_printf(j->e.a, "with rows read in another order: %.*s",
                           STR_ARG(v.detail)));
    return true;
}

// Does the variant return something else in any other order of rows?
static bool finds_other(judging *j, ptrdiff_t i)
{
    enum {
        QUICK_NS = 5000000,  // slower ones are run in one order less
    };
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    if (is_other(j, i, score_run_reversed(j, set->variants[i].sql))) {
        return true;
    }
    const binding *b = evidence_gold_tree(&j->e, i)->binding;
    bool is_quick = set->runs[i].ns < QUICK_NS;
    for (int o = 0; o < (is_quick ? ROW_ORDERS : 1); o++) {
        str sql = row_order_changed(j->e.a, b, (row_order)o, j->s->scratch);
        if (sql.len > 0
            && is_other(j, i,
                        score_run_text(j, sql, ENGINE_READ_ALL, WATCH_GOLD))) {
            return true;
        }
    }
    return false;
}

static void check_variant(judging *j, ptrdiff_t i)
{
    enum {
        SLOW_SHARE = 8,  // golds that took so much of their time are let be
    };
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    int64_t limit_ns = j->s->engines->own.limits.timeout_ms * 1000000;
    if (set->runs[i].status != REASON_NONE
        || set->runs[i].ns > limit_ns / SLOW_SHARE || !is_to_be_tried(j, i)
        || finds_other(j, i)) {
        return;
    }
    gold_fact *f = fact_of(j, i);
    if (f) {
        f->is_stable[j->e.asks_order] = true;
    }
}

void score_check_gold(judging *j)
{
    const gold_set *set = &j->e.families[FAMILY_PLAIN];
    if (!j->db || !set->runs || set->results || !uses_assay_rules(j)) {
        return;
    }
    for (ptrdiff_t i = 0; i < set->n; i++) {
        check_variant(j, i);
    }
}
