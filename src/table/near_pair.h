/*
 * near_pair.h - pair the rows of two bags by a relation that is symmetric but
 * not transitive.
 */
#ifndef ASSAY_TABLE_NEAR_PAIR_H
#define ASSAY_TABLE_NEAR_PAIR_H

#include "table/match_rules.h"

typedef struct near_pairing {
    const void *context;
    // May these two be a pair?
    bool (*fit)(const void *context, ptrdiff_t gold_row, ptrdiff_t pred_row);
    // Orders for each side in which equal places usually fit.
    int (*compare_gold)(const void *context, ptrdiff_t r, ptrdiff_t s);
    int (*compare_pred)(const void *context, ptrdiff_t r, ptrdiff_t s);
    bool are_sets;      // each row needs a partner, not one of its own
    bool allows_extra;  // pred rows need none
} near_pairing;

/*
 * Rows with different hashes never fit. MATCH_YES when every row that needs a
 * partner can have one, MATCH_UNDECIDED when that takes too long to find out.
 */
match_answer near_pair_bags(const near_pairing *p,
                            const uint64_t *gold,
                            ptrdiff_t n_gold,
                            const uint64_t *pred,
                            ptrdiff_t n_pred,
                            arena scratch);

#endif  // ASSAY_TABLE_NEAR_PAIR_H
