/*
 * exec_made_up.c - see exec_made_up.h.
 *
 * Method      What is constant by its form is known from the text
 *             (relation/made_up.h). `12 + 0 * count(*)` and `min(id) * 12` are
 *             not: whether a column depends on the rows is found by taking
 *             rows away. Gold and prediction run over the first few rows of
 *             their tables; where a column of the gold then has other values,
 *             and the prediction's still has the very same over any few rows,
 *             it is made up.
 *
 * Invariants  (1) What rows are left is a legal database: rows that others
 *                 refer to stay. A prediction that is right on every legal
 *                 database changes wherever the gold does.
 *             (2) A prediction that computes none of its columns, and one of
 *                 which a run fails, makes up nothing.
 *
 * Cost        Nearly always one query over a few rows, for predictions that
 *             compute a column; one that took an eighth of its limit is let be,
 *             in steps where they are limited: the same on every machine.
 */
#include "metric/exec_made_up.h"

#include "metric/evidence.h"
#include "metric/exec_rows.h"
#include "relation/made_up.h"
#include "relation/row_order.h"
#include "table/compare.h"

#include <assert.h>

typedef struct rows_taken {
    const evidence *e;
    const binding *gold_tree;
    const bool *whole;  // tables of which no row is taken, by place
    const table *gold;  // over all rows
    const table *pred;
    const int32_t *columns;  // of the prediction, for each of the gold; NULL:
                             // the same
    bool *is_kept;           // by column of the prediction: it has its values
} rows_taken;

// Are the values of the column the same, however often each is there?
static bool has_same_values(const evidence *e,
                            const table *one,
                            const table *other,
                            ptrdiff_t column)
{
    arena a = e->scratch;
    arena scratch = arena_half(&a);
    if (one->n_columns != other->n_columns) {
        return false;
    }
    table x = table_project(&a, one, &(int32_t){(int32_t)column}, 1);
    table y = table_project(&a, other, &(int32_t){(int32_t)column}, 1);
    const compare_options sets = {.rows_are_sets = true};
    return compare_is_same_assay(&x, &y, &sets, scratch);
}

// The query over the first n rows of its tables; false when it does not run.
static bool run_first(rows_taken *t,
                      const binding *query,
                      int n,
                      int32_t who,
                      table *out)
{
    const evidence *e = t->e;
    str sql = row_order_first(e->a, query, t->whole, n, e->scratch);
    if (sql.len == 0) {
        return false;
    }
    execution x = evidence_run(e, sql, ENGINE_READ_ALL, who);
    *out = x.result;
    return x.status == REASON_NONE;
}

// Is a column of the prediction the same over the first n rows?
static bool keeps_column(rows_taken *t, int n)
{
    table few;
    bool any = false;
    if (!run_first(t, evidence_pred_tree(t->e)->binding, n, t->e->pred_no,
                   &few)) {
        return false;
    }
    for (ptrdiff_t c = 0; c < t->pred->n_columns; c++) {
        t->is_kept[c] &= has_same_values(t->e, t->pred, &few, c);
        any |= t->is_kept[c];
    }
    return any;
}

// Is one of these another in the gold?
static bool gold_changes(rows_taken *t, int n)
{
    table few;
    if (!run_first(t, t->gold_tree, n, EVIDENCE_GOLD, &few)) {
        return false;
    }
    for (ptrdiff_t c = 0; c < t->gold->n_columns; c++) {
        ptrdiff_t of_pred = t->columns ? t->columns[c] : c;
        if (of_pred < t->pred->n_columns && t->is_kept[of_pred]
            && !has_same_values(t->e, t->gold, &few, c)) {
            return true;
        }
    }
    return false;
}

static bool depends_on_no_row(rows_taken *t)
{
    static const int few[] = {1, 3, 10};
    const int n = (int)(sizeof few / sizeof *few);
    t->is_kept = arena_new(t->e->a, bool, t->pred->n_columns);
    for (ptrdiff_t c = 0; c < t->pred->n_columns; c++) {
        t->is_kept[c] = true;
    }
    for (int i = 0; i < n; i++) {
        if (!keeps_column(t, few[i])) {
            return false;
        }
    }
    for (int i = 0; i < n; i++) {
        if (gold_changes(t, few[i])) {
            return true;
        }
    }
    // Where no row is left, a column that says nothing at all is none.
    return keeps_column(t, 0) && gold_changes(t, 0);
}

static bool ran_quickly(const evidence *e, const execution *x)
{
    enum {
        SLOW_SHARE = 8
    };
    int64_t limit_ns = e->timeout_ms * 1000000;
    bool is_quick = x->work > 0 && e->most_work > 0
                        ? x->work <= e->most_work / SLOW_SHARE
                        : x->ns <= limit_ns / SLOW_SHARE;
    return x->status == REASON_NONE && is_quick;
}

// By what it depends on. Trees with problems are not rewritten.
static bool is_made_up_by_rows(const evidence *e,
                               family_id f,
                               const verdict *yes,
                               const binding *gold)
{
    const execution *run = &e->runs[f];
    const execution *gold_run = &e->families[f].runs[yes->variant];
    const binding *pred = evidence_pred_tree(e)->binding;
    if (e->is_proved || !ran_quickly(e, run) || !ran_quickly(e, gold_run)
        || !computes_column(pred)) {
        return false;
    }
    rows_taken t = {
        .e = e,
        .gold_tree = gold,
        .whole = row_order_parents(e->a, gold, pred),
        .gold = &gold_run->result,
        .pred = &run->result,
        .columns = yes->columns,
    };
    return depends_on_no_row(&t);
}

bool exec_is_made_up(const evidence *e, rules r, const verdict *yes)
{
    const gold_set *set = &e->families[evaluator_of(r)->family];
    const binding *pred = evidence_pred_tree(e)->binding;
    if (!pred || yes->variant < 0 || yes->variant >= set->n
        || !(makes_up_column(pred) || computes_column(pred))) {
        return false;
    }
    const bound_text gold = evidence_bind(e, set->variants[yes->variant].sql);
    if (!gold.binding) {
        return false;
    }
    return makes_up_column(pred)
               ? !makes_up_column(gold.binding)
               : is_made_up_by_rows(e, evaluator_of(r)->family, yes,
                                    gold.binding);
}
