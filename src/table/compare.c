// compare.c - the sets of rules by name; each lives in compare_<name>.c.
#include "table/compare.h"

#include "table/compare_rules.h"

#include <assert.h>

typedef struct rule_set {
    str word;
    str text;
    compare_function *exec;
    compare_function *subset;
    compare_need_function *exec_need;
    compare_need_function *subset_need;
} rule_set;

#define LITERAL(text)            \
    {                            \
        (text), sizeof(text) - 1 \
    }
#define RULE_SET(name, text)                                 \
    {                                                        \
        LITERAL(#name), LITERAL(text), compare_exec_##name,  \
            compare_subset_##name, compare_exec_need_##name, \
            compare_subset_need_##name,                      \
    }

// clang-format off
static const rule_set rule_sets[] = {
    [RULES_ASSAY] = RULE_SET(assay,
        "the default: rows by value, columns in any order and under any name, order where it was asked for"),
    [RULES_STRICT] = RULE_SET(strict,
        "same columns in the same order, same types, no tolerance for rounding"),
    [RULES_SPIDER] = RULE_SET(spider,
        "as the evaluator of Spider's test suites compares, faults included"),
    [RULES_BIRD] = RULE_SET(bird,
        "as BIRD's EX compares: sets of rows, columns by position"),
    [RULES_SPIDER2] = RULE_SET(spider2,
        "as Spider 2.0 compares: each gold column is found in the prediction, rows not aligned"),
    [RULES_DEFOG] = RULE_SET(defog,
        "as Defog's sql-eval compares data frames, faults included"),
    [RULES_SQL_EVAL] = RULE_SET(sql_eval,
        "as the README of sql_eval promises: sets of rows, extra columns and rows allowed"),
};
// clang-format on

_Static_assert(sizeof rule_sets / sizeof *rule_sets == RULES_COUNT,
               "each set of rules has its row");

str rules_word(rules r)
{
    assert(r < RULES_COUNT);
    return rule_sets[r].word;
}

str rules_text(rules r)
{
    assert(r < RULES_COUNT);
    return rule_sets[r].text;
}

bool rules_from_word(str word, rules *out)
{
    for (int r = 0; r < RULES_COUNT; r++) {
        if (str_equal(word, rule_sets[r].word)) {
            *out = (rules)r;
            return true;
        }
    }
    return false;
}

verdict compare_exec(rules r,
                     const table *gold,
                     const table *pred,
                     const compare_options *o,
                     arena *a,
                     arena scratch)
{
    assert(r < RULES_COUNT);
    return rule_sets[r].exec(gold, pred, o, a, scratch);
}

verdict compare_subset(rules r,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch)
{
    assert(r < RULES_COUNT);
    return rule_sets[r].subset(gold, pred, o, a, scratch);
}

compare_need compare_exec_need(rules r,
                               const table *gold,
                               const compare_options *o)
{
    assert(r < RULES_COUNT);
    return rule_sets[r].exec_need(gold, o);
}

compare_need compare_subset_need(rules r,
                                 const table *gold,
                                 const compare_options *o)
{
    assert(r < RULES_COUNT);
    return rule_sets[r].subset_need(gold, o);
}
