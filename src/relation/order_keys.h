/*
 * order_keys.h - do two golds sort by the same keys?
 *
 * Why         In a conversation the order that one turn asked for stays, though
 *             later turns do not say so again: their golds go on sorting by the
 *             same keys.
 */
#ifndef ASSAY_RELATION_ORDER_KEYS_H
#define ASSAY_RELATION_ORDER_KEYS_H

#include "base/arena.h"
#include "sql/dialect.h"

// Of any variant of the one gold and any of the other: are the keys of the
// outermost ORDER BY the same, in the same directions? Without a schema: a
// column without its table is any of its name.
bool order_keys_same(const str *golds,
                     ptrdiff_t n_golds,
                     const str *others,
                     ptrdiff_t n_others,
                     dialect d,
                     arena scratch);

#endif  // ASSAY_RELATION_ORDER_KEYS_H
