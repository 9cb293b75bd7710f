/*
 * spider_text.h - what test-suite-sql-eval does to a query before it runs it
 * (definitions/spider.md#texts). The rest of it is family_spider (family.h).
 */
#ifndef ASSAY_EVALUATORS_SPIDER_TEXT_H
#define ASSAY_EVALUATORS_SPIDER_TEXT_H

#include "base/arena.h"

// The text with every "value" in it replaced by "1": what the evaluator does to
// predictions before anything else.
str spider_value_to_one(arena *a, str sql);

#endif  // ASSAY_EVALUATORS_SPIDER_TEXT_H
