/*
 * relation_select.h - the parts of a query node, of any query: what is not
 * there is NULL. What each part asks is in relation_condition.h (conditions)
 * and schema/bind.h (names).
 */
#ifndef ASSAY_RELATION_RELATION_SELECT_H
#define ASSAY_RELATION_RELATION_SELECT_H

#include "base/arena.h"
#include "sql/ast.h"

// Which rows a LIMIT takes.
typedef struct row_range {
    int64_t count;   // -1: all, or it is no number
    int64_t offset;  // the rows before them
    bool is_known;   // it says no more than these numbers
} row_range;

row_range row_range_of(const ast *limit);  // of NULL all

typedef struct select_parts {
    const ast *from;  // of a SELECT, as the next four
    const ast *items;
    const ast *where;
    const ast *group;
    const ast *having;
    const ast *order;
    const ast *limit;
    const ast *count;  // of that LIMIT: how many rows
    const ast *offset;
    bool is_distinct;
} select_parts;

// Of NULL there are none.
select_parts select_parts_of(const ast *query);

// The window that an OVER means, which may name one of the SELECT; NULL: it has
// none of that name.
const ast *select_window(const ast *select, const ast *over);

// What stands below aliases, LATERAL and samples in a FROM.
const ast *select_source_below(const ast *source);

// Each JOIN of a FROM, and each table with an ON of its own, what lies inside
// first.
typedef vec_of(const ast *) join_list;

join_list select_joins_of(arena *a, const ast *from);
const ast *join_condition(const ast *join);  // NULL: it has no ON
bool join_is_outer(const ast *join);         // LEFT, RIGHT, FULL

#endif  // ASSAY_RELATION_RELATION_SELECT_H
