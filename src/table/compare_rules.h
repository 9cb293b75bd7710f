/*
 * compare_rules.h - what each set of rules offers to the dispatch in
 * compare.c. Internal to src/table; everybody else calls compare.h.
 *
 * Four functions a rule set, each with the arguments of its namesake in
 * compare.h but for the rules. Adding a rule set: an enum constant there, a
 * line here, a row in compare.c, and compare_<name>.c.
 */
#ifndef ASSAY_TABLE_COMPARE_RULES_H
#define ASSAY_TABLE_COMPARE_RULES_H

#include "table/compare.h"

typedef verdict compare_function(const table *gold,
                                 const table *pred,
                                 const compare_options *o,
                                 arena *a,
                                 arena scratch);
typedef compare_need compare_need_function(const table *gold,
                                           const compare_options *o);

compare_function compare_exec_assay;
compare_function compare_subset_assay;
compare_need_function compare_exec_need_assay;
compare_need_function compare_subset_need_assay;

compare_function compare_exec_strict;
compare_function compare_subset_strict;
compare_need_function compare_exec_need_strict;
compare_need_function compare_subset_need_strict;

compare_function compare_exec_spider;
compare_function compare_subset_spider;
compare_need_function compare_exec_need_spider;
compare_need_function compare_subset_need_spider;

compare_function compare_exec_bird;
compare_function compare_subset_bird;
compare_need_function compare_exec_need_bird;
compare_need_function compare_subset_need_bird;

compare_function compare_exec_spider2;
compare_function compare_subset_spider2;
compare_need_function compare_exec_need_spider2;
compare_need_function compare_subset_need_spider2;

compare_function compare_exec_defog;
compare_function compare_subset_defog;
compare_need_function compare_exec_need_defog;
compare_need_function compare_subset_need_defog;

compare_function compare_exec_sql_eval;
compare_function compare_subset_sql_eval;
compare_need_function compare_exec_need_sql_eval;
compare_need_function compare_subset_need_sql_eval;

#endif  // ASSAY_TABLE_COMPARE_RULES_H
