/*
 * compare.h - is this result the gold result? The named sets of rules.
 *
 * assay     the default: what a careful person would say (architecture.md)
 * strict    same columns in the same order, same types, no tolerance
 * spider    test-suite-sql-eval's evaluator, faults included
 * bird      BIRD's EX: sets of rows
 * spider2   Spider 2.0's column-wise comparison
 * defog     Defog sql-eval's pandas comparison, faults included
 * sql_eval  what the README of sql_eval promises [001]
 *
 * exec asks whether the prediction's result is the gold's; subset whether the
 * gold's is contained in it (more columns allowed). Each is a pure function of
 * two tables and the options: it opens nothing, never fails, and is linear in
 * the number of rows.
 */
#ifndef ASSAY_TABLE_COMPARE_H
#define ASSAY_TABLE_COMPARE_H

#include "table/table.h"
#include "table/verdict.h"

typedef enum rules {
    RULES_ASSAY,
    RULES_STRICT,
    RULES_SPIDER,
    RULES_BIRD,
    RULES_SPIDER2,
    RULES_DEFOG,
    RULES_SQL_EVAL,
    RULES_COUNT,
} rules;

str rules_word(rules r);
str rules_text(rules r);  // one sentence for `assay help rules`
bool rules_from_word(str word, rules *out);

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
    str gold_sql;            // as written, templates not expanded (defog)
    str pred_sql;
    const int32_t *gold_columns;  // spider2: the columns that count
    ptrdiff_t n_gold_columns;     // 0: all
} compare_options;

verdict compare_exec(rules r,
                     const table *gold,
                     const table *pred,
                     const compare_options *o,
                     arena *a,
                     arena scratch);
verdict compare_subset(rules r,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch);

/*
 * How much of a prediction's result a comparison needs. Reading may stop once
 * the prediction has more than `rows` rows, or more than `distinct` different
 * rows: the answer is no whatever follows. -1: no such bound.
 */
typedef struct compare_need {
    ptrdiff_t rows;
    ptrdiff_t distinct;
} compare_need;

compare_need compare_exec_need(rules r,
                               const table *gold,
                               const compare_options *o);
compare_need compare_subset_need(rules r,
                                 const table *gold,
                                 const compare_options *o);

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
