/*
 * group_told.h - which columns have one value in each group.
 *
 * Why         A column that GROUP BY does not name comes from any row of its
 *             group, and the engine chooses. There is no choice where the group
 *             tells the row: GROUP BY T1.id, where id is a key, or GROUP BY
 *             T2.t1_id, where the join equates both.
 *
 * Of SQLite only: elsewhere what is equal is another matter.
 */
#ifndef ASSAY_INTENT_GROUP_TOLD_H
#define ASSAY_INTENT_GROUP_TOLD_H

#include "schema/bind.h"

typedef struct group_told {
    const binding *b;
    const bound_block *block;
    const struct told_column *columns;  // that have one value in a group
    ptrdiff_t n_columns;
    const bool *sources;  // by number: one row, or none, in a group
} group_told;

// Of a block with a SELECT that has GROUP BY.
group_told group_told_of(const binding *b, const bound_block *block, arena *a);

// False does not say that there are two values.
bool group_tells(const group_told *g, const bound_ref *ref);

#endif  // ASSAY_INTENT_GROUP_TOLD_H
