/*
 * relation_ranking.h - rows in an order, each partition of them by itself: that
 * of a window, or of ORDER BY.
 */
#ifndef ASSAY_RELATION_RELATION_RANKING_H
#define ASSAY_RELATION_RELATION_RANKING_H

#include "relation/relation_block.h"

typedef struct ranking {
    const block *rows;  // what it selects, before groups and LIMIT
    term_list by;       // a partition is equal in these
    sort_list keys;
} ranking;

ranking ranking_of_window(prover *p, const block *b, const term *window);
ranking ranking_of_order(const block *b);

// Whether no two rows of a partition tie.
bool ranking_is_total(prover *p, const ranking *r);

// Its only key, if that is never NULL: comparing two says which row is before
// the other; NULL: there is none.
const term *ranking_key(prover *p, const ranking *r);

// MIN or MAX, of which the key is in the first row of a partition.
str ranking_extreme(const ranking *r);

// A copy of the rows of the block, which shows something of them.
block *rows_showing(prover *p, const block *b, const term_list *shown);

// The same of those that have these keys, NULL the same as NULL.
// `is_linked`: none of the keys is NULL.
block *rows_with_keys(prover *p,
                      const block *b,
                      const term_list *keys,
                      const term_list *values,
                      bool is_linked,
                      const term_list *shown);

// The rows of its partition beside a row: those before it (LESS), also itself
// (LESS_EQUAL), after it (GREATER), or all (NULL).
block *ranking_rows(prover *p,
                    const ranking *r,
                    term_kind which,
                    const term_list *shown);

#endif  // ASSAY_RELATION_RELATION_RANKING_H
