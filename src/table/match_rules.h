// match_rules.h - when the rows and columns of two tables agree, as data.
#ifndef ASSAY_TABLE_MATCH_RULES_H
#define ASSAY_TABLE_MATCH_RULES_H

#include "table/table_code.h"

typedef struct match_rules {
    coding coding;              // which values are equal exactly
    double tolerance;           // relative, where a REAL takes part; 0: none
    double single_tolerance;    // the same, where one of them is_single; less
                                // than `tolerance`: that one
    bool is_ordered;            // rows are lists, else bags
    bool are_sets;              // repeated rows count once
    bool by_position;           // column i is column i
    bool allows_extra_columns;  // of the prediction
    bool allows_extra_rows;     // of the prediction
    bool notes_order;           // a yes says whether the order differs
    int64_t max_steps;          // cells to look at before giving up; 0: enough
} match_rules;

typedef enum match_answer {
    MATCH_NO,
    MATCH_YES,
    MATCH_UNDECIDED,  // given up after max_steps
} match_answer;

// The relative tolerance of the rules that are ours.
#define COMPARE_TOLERANCE 1e-9

// And where a number has single precision: six digits of it hold.
#define COMPARE_SINGLE_TOLERANCE 1e-6

/*
 * How well pred's column p suits gold's column g by name and place: 0 the same
 * name, 1 the same but for case, 2 the same place, 3 neither.
 */
enum {
    MATCH_RANKS = 4
};
int match_rank(const table *gold, ptrdiff_t g, const table *pred, ptrdiff_t p);

#endif  // ASSAY_TABLE_MATCH_RULES_H
