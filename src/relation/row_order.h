/*
 * row_order.h - a query that reads its tables in another order of rows, or a
 * few rows of them.
 *
 * Why         PRAGMA reverse_unordered_selects does not reach GROUP BY. A
 *             table that is a subquery with an order of its own is read in
 *             that order, wherever the engine is free to choose. And what a
 *             result does not depend on is known by leaving it out.
 */
#ifndef ASSAY_RELATION_ROW_ORDER_H
#define ASSAY_RELATION_ROW_ORDER_H

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

// The query over the first n rows of each table, by its primary key where it
// has one; of those that are `whole`, by their place in the schema, over all.
// Empty also when it reads a view or a table by a function, and for T-SQL.
str row_order_first(arena *a,
                    const binding *b,
                    const bool *whole,
                    int n,
                    arena scratch);

// By table: do two queries that are bound with the same schema also read
// tables that refer to it? Without its rows foreign keys would not hold.
bool *row_order_parents(arena *a, const binding *one, const binding *other);

#endif  // ASSAY_RELATION_ROW_ORDER_H
