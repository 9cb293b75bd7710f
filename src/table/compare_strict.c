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

verdict compare_exec_strict(const table *gold,
                            const table *pred,
                            const compare_options *o,
                            arena *a,
                            arena scratch)
{
    const match_rules m = rules_of(o);
    return match_verdict(&m, gold, pred, a, scratch);
}

verdict compare_subset_strict(const table *gold,
                              const table *pred,
                              const compare_options *o,
                              arena *a,
                              arena scratch)
{
    match_rules m = rules_of(o);
    m.allows_extra_columns = true;
    m.allows_extra_rows = o->allows_extra_rows;
    return match_verdict(&m, gold, pred, a, scratch);
}

compare_need compare_exec_need_strict(const table *gold,
                                      const compare_options *o)
{
    return (compare_need){.rows = o->rows_are_sets ? -1 : gold->n_rows,
                          .distinct = -1};
}

compare_need compare_subset_need_strict(const table *gold,
                                        const compare_options *o)
{
    return compare_subset_need_assay(gold, o);
}
