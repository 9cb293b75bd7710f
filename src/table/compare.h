/*
 * compare.h - is this result the gold result? What every set of rules is asked,
 * and assay's own two.
 *
 * assay     the default: what a careful person would say
 *           (definitions/comparison.md#default-rules)
 * strict    same columns in the same order, same types, no tolerance
 *
 * exec asks whether the prediction's result is the gold's; subset whether the
 * gold's is contained in it (more columns allowed). Each is a pure function of
 * two tables and the options: it opens nothing, never fails, and is linear in
 * the number of rows. The rules of other programs, and all sets by name:
 * evaluators/evaluator.h.
 */
#ifndef ASSAY_TABLE_COMPARE_H
#define ASSAY_TABLE_COMPARE_H

#include "table/table.h"
#include "table/verdict.h"

// All zero is the default of every rule set, but for what the caller found out
// about the case.
typedef struct compare_options {
    bool is_ordered;         // rows are lists: the gold asks for an order
    bool order_not_asked;    // the gold has an ORDER BY nobody asked for: not
                             // ordered, but a difference is noted
    bool same_column_order;  // columns match by position only
    bool rows_are_sets;      // repeated rows count once
    bool allows_extra_rows;  // subset: rows of the gold are enough
    bool has_tolerance;      // use `tolerance` instead of the rules' own
    double tolerance;        // relative, for floating-point numbers; <= 0.5
    str question;            // empty: none
    str category;            // empty: none
    str gold_sql;            // as written, templates not expanded
    str pred_sql;
    const int32_t *gold_columns;  // those that count, for rules that can tell
    ptrdiff_t n_gold_columns;     // 0: all
} compare_options;

/*
 * How much of a prediction's result a comparison needs. Reading may stop once
 * the prediction has more than `rows` rows, or more than `distinct` different
 * rows: the answer is no whatever follows. -1: no such bound.
 */
typedef struct compare_need {
    ptrdiff_t rows;
    ptrdiff_t distinct;
} compare_need;

// Is it the result, or is the result in it?
typedef enum comparison {
    COMPARE_EXEC,
    COMPARE_SUBSET,
} comparison;

typedef verdict compare_function(comparison what,
                                 const table *gold,
                                 const table *pred,
                                 const compare_options *o,
                                 arena *a,
                                 arena scratch);
typedef compare_need compare_need_function(comparison what,
                                           const table *gold,
                                           const compare_options *o);

// With the note both_empty where it is a yes about two results that have no
// row, or one that holds nothing but NULL, as an aggregate over no rows does.
verdict compare_note_empty(verdict v, const table *gold, const table *pred);

compare_function compare_assay;
compare_need_function compare_need_assay;

// Does compare_assay say yes to COMPARE_EXEC? Looks for no reason where it does
// not.
bool compare_is_same_assay(const table *gold,
                           const table *pred,
                           const compare_options *o,
                           arena scratch);

compare_function compare_strict;
compare_need_function compare_need_strict;

// soft_f1 as BIRD's program computes it, and cell_f1, which pairs equal rows
// first and counts cells. Both set score and say yes only for 1.0.
verdict compare_soft_f1(const table *gold,
                        const table *pred,
                        arena *a,
                        arena scratch);
verdict compare_cell_f1(const table *gold,
                        const table *pred,
                        arena *a,
                        arena scratch);

#endif  // ASSAY_TABLE_COMPARE_H
