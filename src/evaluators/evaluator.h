/*
 * evaluator.h - is this result the gold result, by the named sets of rules?
 *
 * assay and strict are our own; every other set reproduces a program whose
 * numbers people publish, its faults included. evaluator.def has a row for
 * each: code asks for what a row says, never which row it is.
 */
#ifndef ASSAY_EVALUATORS_EVALUATOR_H
#define ASSAY_EVALUATORS_EVALUATOR_H

#include "evaluators/family.h"
#include "table/compare.h"

typedef enum rules {
#define EVALUATOR(constant, ...) RULES_##constant,
#include "evaluators/evaluator.def"
#undef EVALUATOR
    RULES_COUNT,
} rules;

#define RULES_BIT(r) (1u << (r))

typedef enum order_policy {
    ORDER_WHERE_ASKED,  // the gold sorts, and the question asks for it
    ORDER_OF_GOLD,      // the gold sorts
    ORDER_NEVER,
} order_policy;

typedef enum evaluator_trait {
    HAS_SUBSET = 1 << 0,         // the metric subset means something
    ALLOWS_TIES = 1 << 1,        // any result that the gold's text allows is
                                 // right, not only the one it returned
    DISTINCT_IN_TEXTS = 1 << 2,  // DISTINCT is taken out of the texts, so rows
                                 // are compared as they come
    DROPS_BAD_TEXT = 1 << 3,     // bytes that are no UTF-8 are dropped first
    STOPS_AT_FAILURE = 1 << 4,   // a variant of the gold that fails ends the
                                 // search through them
    PLUGS_TREES = 1 << 5,        // --plug-values: in the trees of queries
    PLUGS_TEXTS = 1 << 6,        // --plug-values: in the texts (text_plug.h)
    HAS_SET_MATCH = 1 << 7,      // the program has an exact set match, too
    HAS_EFFICIENCY = 1 << 8,     // and an efficiency score of what is right:
                                 // one row
    REPRODUCES = 1 << 9,         // a program, in all its verdicts
    READS_FILES = 1 << 10,       // a result that stands as gold is compared as
                                 // its file spells it
} evaluator_trait;

typedef enum evaluator_option {
    HONOURS_KEEP_DISTINCT = 1 << 0,
    HONOURS_IGNORE_DISTINCT = 1 << 1,
    HONOURS_ORDERED_ALWAYS = 1 << 2,
    HONOURS_ORDERED_NEVER = 1 << 3,
    HONOURS_SAME_ORDER = 1 << 4,
    HONOURS_TOLERANCE = 1 << 5,
    HONOURS_ALL = (1 << 6) - 1,
    // What only metrics say (metric/metric.def).
    HONOURS_BY_RULES = 1 << 6,  // all that its rules honour
    HONOURS_PLUG_VALUES = 1 << 7,
    HONOURS_EXTRA_ROWS = 1 << 8,
    HONOURS_SUITE = 1 << 9,
    HONOURS_PROFILE = 1 << 10,
    HONOURS_RUNS = 1 << 11,
} evaluator_option;

typedef struct evaluator {
    str word;
    str text;
    family_id family;
    order_policy order;
    uint32_t traits;   // of evaluator_trait
    uint32_t honours;  // of evaluator_option
    compare_function *compare;
    compare_need_function *need;
} evaluator;

// clang-format off
#define EVALUATOR(constant, word, ...)   \
    compare_function compare_##word;     \
    compare_need_function compare_need_##word;
#include "evaluators/evaluator.def"
#undef EVALUATOR
// clang-format on

const evaluator *evaluator_of(rules r);
bool evaluator_has(rules r, evaluator_trait t);

// The first that has the trait; there must be one.
rules evaluator_with(evaluator_trait t);

str rules_word(rules v);
str rules_text(rules r);  // one sentence for `assay help rules`
bool rules_from_word(str word, rules *out);

// Do the programs that Defog's sql-eval began take it for a question about the
// order of rows?
bool evaluator_asks_order(str category, str question);

verdict compare_results(rules r,
                        comparison what,
                        const table *gold,
                        const table *pred,
                        const compare_options *o,
                        arena *a,
                        arena scratch);

// Is the prediction's result the gold's?
verdict compare_exec(rules r,
                     const table *gold,
                     const table *pred,
                     const compare_options *o,
                     arena *a,
                     arena scratch);

// Does it contain the gold's (more columns are allowed)?
verdict compare_subset(rules r,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch);

// No, for no predicted column is this one of the gold's: how many rows there
// are says why, or the column is named.
verdict compare_column_missing(const table *gold,
                               ptrdiff_t column,
                               const table *pred,
                               arena *a);

#endif  // ASSAY_EVALUATORS_EVALUATOR_H
