/*
 * spider_text.h - what test-suite-sql-eval does to a query before it runs it
 * (definitions/spider.md#texts). Only --rules spider uses it.
 */
#ifndef ASSAY_EVALUATORS_SPIDER_TEXT_H
#define ASSAY_EVALUATORS_SPIDER_TEXT_H

#include "base/arena.h"

typedef enum spider_distinct {
    SPIDER_DROP_DISTINCT,
    SPIDER_KEEP_DISTINCT,
} spider_distinct;

typedef struct spider_text {
    str sql;               // what to run
    str prepared;          // before YEAR(CURDATE()) was replaced
    bool orders_matter;    // for a gold: it contains "order by"
    bool returns_nothing;  // not a query, or empty: its result has no rows and
                           // nothing is to be run
} spider_text;

typedef enum spider_side {
    SPIDER_GOLD,
    SPIDER_PRED,  // every "value" in it becomes "1" first
} spider_side;

// The text with every "value" in it replaced by "1": what the evaluator does to
// predictions before anything else.
str spider_value_to_one(arena *a, str sql);

spider_text spider_text_of(arena *a,
                           str sql,
                           spider_distinct distinct,
                           spider_side side);

// A text that is prepared already: a variant of one, by text_plug.h.
spider_text spider_text_prepared(arena *a, str prepared);

#endif  // ASSAY_EVALUATORS_SPIDER_TEXT_H
