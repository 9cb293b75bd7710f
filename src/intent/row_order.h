/*
 * row_order.h - a query that reads its tables in another order of rows.
 *
 * Why         PRAGMA reverse_unordered_selects does not reach GROUP BY. A
 *             table that is a subquery with an order of its own is read in
 *             that order, wherever the engine is free to choose.
 */
#ifndef ASSAY_INTENT_ROW_ORDER_H
#define ASSAY_INTENT_ROW_ORDER_H

#include "schema/bind.h"

typedef enum row_order {
    ROW_ORDER_REVERSED,
    ROW_ORDER_MIXED,
    ROW_ORDERS,
} row_order;

// Empty when the query has no table that can be read so, or reads row numbers.
// Of SQLite only.
str row_order_changed(arena *a,
                      const binding *b,
                      row_order order,
                      arena scratch);

#endif  // ASSAY_INTENT_ROW_ORDER_H
