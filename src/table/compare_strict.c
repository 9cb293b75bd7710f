/*
 * compare_strict.c - no leniency: same columns in the same places, values of
 * the same kind, no tolerance. Names do not count, for SQL gives none to most
 * expressions.
 */
#include "table/compare.h"
#include "table/compare_match.h"

static match_rules rules_of(const compare_options *o)
{
    return (match_rules){
        .coding.kind = CODING_STRICT,
        .tolerance = o->has_tolerance ? o->tolerance : 0,
        .is_ordered = o->is_ordered,
        .are_sets = o->rows_are_sets,
        .by_position = true,
        .notes_order = o->order_not_asked,
    };
}

verdict compare_strict(comparison what,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch)
{
    match_rules m = rules_of(o);
    m.allows_extra_columns = what == COMPARE_SUBSET;
    m.allows_extra_rows = what == COMPARE_SUBSET && o->allows_extra_rows;
    return match_verdict(&m, gold, pred, a, scratch);
}

compare_need compare_need_strict(comparison what,
                                 const table *gold,
                                 const compare_options *o)
{
    compare_need need = compare_need_assay(what, gold, o);
    need.distinct = -1;
    return need;
}
