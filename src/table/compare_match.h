/*
 * compare_match.h - is there a mapping of columns under which two tables have
 * the same rows?
 *
 * The engine under the rules assay, strict and sql_eval [000 subset match]:
 * find for each gold column a pred column of its own such that the rows agree.
 * What "agree" means is data, match_rules. Internal to src/table.
 */
#ifndef ASSAY_TABLE_COMPARE_MATCH_H
#define ASSAY_TABLE_COMPARE_MATCH_H

#include "table/match_rules.h"
#include "table/verdict.h"

typedef struct match {
    match_answer answer;
    bool needed_tolerance;
    bool needed_single;  // and that of single precision
} match;

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

// The verdict whether `pred` contains the gold: the same result does, whatever
// else is allowed; else one with more columns, and with more rows where they
// are allowed.
verdict match_subset_verdict(match_rules m,
                             bool allows_extra_rows,
                             const table *gold,
                             const table *pred,
                             arena *a,
                             arena scratch);

#endif  // ASSAY_TABLE_COMPARE_MATCH_H
