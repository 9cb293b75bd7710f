/*
 * compare_sql_eval.c - what the README of sql_eval promises [001 execution].
 *
 * Rows are sets, names do not count; order counts when the category is
 * order_by or the question has the word order, sort or arrange, and the SQL
 * has an ORDER BY; exact: the same values; subset: the gold is contained, more
 * columns and rows allowed. [001 differs] Its program compares the generated
 * result with itself; that is not reproduced.
 */
#include "evaluators/evaluator.h"
#include "table/compare_match.h"

static bool asks_for_order(const compare_options *o)
{
    if (o->gold_sql.len == 0
        || (o->question.len == 0 && o->category.len == 0)) {
        return o->is_ordered;  // nothing to judge by; the caller knows best
    }
    return evaluator_asks_order(o->category, o->question)
           && str_find_fold(o->gold_sql, S("order by"), 0) >= 0;
}

static match_rules rules_of(const compare_options *o)
{
    return (match_rules){
        .coding.kind = CODING_VALUE,
        .tolerance = o->has_tolerance ? o->tolerance : COMPARE_TOLERANCE,
        .is_ordered = asks_for_order(o),
        .are_sets = true,
        .by_position = o->same_column_order,
    };
}

verdict compare_sql_eval(comparison what,
                         const table *gold,
                         const table *pred,
                         const compare_options *o,
                         arena *a,
                         arena scratch)
{
    const match_rules m = rules_of(o);
    return what == COMPARE_SUBSET
               ? match_subset_verdict(m, true, gold, pred, a, scratch)
               : match_verdict(&m, gold, pred, a, scratch);
}

compare_need compare_need_sql_eval(comparison what,
                                   const table *gold,
                                   const compare_options *o)
{
    compare_options sets = *o;
    sets.rows_are_sets = true;
    return compare_need_assay(what, gold, &sets);
}
