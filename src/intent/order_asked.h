// order_asked.h - does the question ask for the rows in an order?
#ifndef ASSAY_INTENT_ORDER_ASKED_H
#define ASSAY_INTENT_ORDER_ASKED_H

#include "base/arena.h"

typedef enum order_said {
    ORDER_NOT_KNOWN,  // there is neither question nor category, or the question
                      // is in a language that is not known: the gold decides
    ORDER_NOT_SAID,
    ORDER_SAID,
} order_said;

// definitions/comparison.md#order: the category is order_by or the question
// says so.
order_said order_asked(str question, str category, arena scratch);

#endif  // ASSAY_INTENT_ORDER_ASKED_H
