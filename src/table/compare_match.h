/*
 * compare_match.h - is there a way to lay one table over the other?
 *
 * The engine under the rules assay, strict and sql_eval [000 subset match]:
 * find for each gold column a pred column of its own such that the rows agree.
 * What "agree" means is data, match_rules. Internal to src/table.
 */
#ifndef ASSAY_TABLE_COMPARE_MATCH_H
#define ASSAY_TABLE_COMPARE_MATCH_H

#include "table/table_code.h"
#include "table/verdict.h"

typedef struct match_rules {
    coding coding;              // which values are equal exactly
    double tolerance;           // relative, where a REAL takes part; 0: none
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

typedef struct match {
    match_answer answer;
    bool needed_tolerance;
} match;

// The relative tolerance of the rules that are ours.
#define COMPARE_TOLERANCE 1e-9

// On MATCH_YES columns[g] is the pred column of gold column g.
match match_tables(const match_rules *m,
                   const table *gold,
                   const table *pred,
                   int32_t *columns,
                   arena scratch);

// The whole verdict of these rules, with reason and notes.
verdict match_verdict(const match_rules *m,
                      const table *gold,
                      const table *pred,
                      arena *a,
                      arena scratch);

/*
 * How well pred's column p suits gold's column g by name and place: 0 the same
 * name, 1 the same but for case, 2 the same place, 3 neither.
 */
enum {
    MATCH_RANKS = 4
};
int match_rank(const table *gold, ptrdiff_t g, const table *pred, ptrdiff_t p);

#endif  // ASSAY_TABLE_COMPARE_MATCH_H
