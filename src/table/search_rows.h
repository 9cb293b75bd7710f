/*
 * search_rows.h - hashes of rows, and when two tables' worth of them agree.
 */
#ifndef ASSAY_TABLE_SEARCH_ROWS_H
#define ASSAY_TABLE_SEARCH_ROWS_H

#include "base/hash.h"
#include "table/match_rules.h"

/*
 * A signature: two tables have the same one exactly when their rows agree
 * under the rules, as long as extra rows are not allowed. Lists that are no
 * sets must begin from rows_start, so that each row carries its place.
 */
hash128 rows_signature(const match_rules *m,
                       const uint64_t *rows,
                       ptrdiff_t n,
                       arena scratch);

// The signature of the rows that code_append would make of `rows` and `codes`.
hash128 rows_signature_with(const match_rules *m,
                            const uint64_t *rows,
                            const uint64_t *codes,
                            ptrdiff_t n,
                            arena scratch);

// The hashes of n rows before any column was appended.
uint64_t *rows_start(const match_rules *m, ptrdiff_t n, arena *a);

// Which rows find no equal one on the other side: as bags none of their own, as
// sets none at all.
void rows_leave(bool are_sets,
                const uint64_t *gold,
                ptrdiff_t n_gold,
                const uint64_t *pred,
                ptrdiff_t n_pred,
                bool *gold_left,
                bool *pred_left,
                arena scratch);

// With extra rows allowed: are the gold rows all in pred?
bool rows_included(const match_rules *m,
                   const uint64_t *gold,
                   ptrdiff_t n_gold,
                   const uint64_t *pred,
                   ptrdiff_t n_pred,
                   arena scratch);

#endif  // ASSAY_TABLE_SEARCH_ROWS_H
