// order_asked.h - does the question ask for the rows in an order?
#ifndef ASSAY_INTENT_ORDER_ASKED_H
#define ASSAY_INTENT_ORDER_ASKED_H

#include "base/str.h"

// definitions/comparison.md#order: the category is order_by or the question
// says so. True when there is neither a question nor a category: then the gold
// decides.
bool order_asked(str question, str category);

#endif  // ASSAY_INTENT_ORDER_ASKED_H
