/*
 * possible_results.h - all results that a query may have on one database, and
 * whether two queries may have the same.
 *
 * SQL leaves choices to the engine: rows with equal sort keys may come in any
 * order, and LIMIT takes any of them. So a result is a sequence of blocks:
 * "so many of these rows, in any order". A query that leaves no choice has one
 * block (a bag), or one a row (a list).
 *
 * Cells are numbers, given out by one coder to both sides: equal numbers mean
 * equal values.
 *
 * Source      definitions/equivalence.md#results, #possible-results, #ties
 */
#ifndef ASSAY_CHECK_POSSIBLE_RESULTS_H
#define ASSAY_CHECK_POSSIBLE_RESULTS_H

#include "table/table.h"
#include "table/value_key.h"

typedef struct coder {
    key_set keys;     // of all values
    int32_t *codes;   // by id of the key: values near each other share one
    double *numbers;  // of the distinct numbers, with their codes
    int32_t *number_codes;
    bool *is_real;
    ptrdiff_t n_numbers;
    bool has_reals;
    double tolerance;
    double slack;       // not relative
    bool reads_times;   // a text that is a time is that time, as is that of a
                        // value of any other type: where values have one, that
                        // says nothing about what a query means
    bool spells_alike;  // texts are equal without letter case and blanks at
                        // their end
} coder;

// Room for so many cells.
coder coder_new(arena *a, ptrdiff_t max, double tolerance);

int32_t coder_code(coder *c, value v, arena scratch);

typedef struct result_block {
    ptrdiff_t start;   // its first row
    ptrdiff_t supply;  // rows that it holds
    ptrdiff_t taken;   // rows of them that are in the result
} result_block;

typedef struct possible_results {
    ptrdiff_t n_columns;
    ptrdiff_t n_rows;            // of all blocks
    const int32_t *cells;        // row by row
    const result_block *blocks;  // only the last may be taken in part
    ptrdiff_t n_blocks;
    bool is_loose;  // where the blocks lie in the result is not known: they
                    // are a bag even where order counts
} possible_results;

// The result as it is: one block, or as a list one block a row.
possible_results possible_results_plain(arena *a,
                                        coder *c,
                                        const table *t,
                                        bool is_list,
                                        arena scratch);

/*
 * Can both sides give the same result: the same rows, in the same order when
 * `as_lists`? Columns of the right side may be in another order unless
 * `by_position`; on true columns[i] is the right side's column for column i of
 * the left. When there are too many orders of columns to try, the answer is
 * true: nothing is refuted.
 */
bool possible_results_may_coincide(const possible_results *l,
                                   const possible_results *r,
                                   bool as_lists,
                                   bool by_position,
                                   int32_t *columns,
                                   arena scratch);

// Is there only one bag of rows that the query can return?
bool possible_results_are_one(const possible_results *o, arena scratch);

// Calls `visit` with one order of n columns after the other, the given one
// first, until it returns true; at most `most` orders. may: n * n, whether
// place i may take column j; NULL: all may.
bool possible_results_try_orders(ptrdiff_t n,
                                 const bool *may,
                                 ptrdiff_t most,
                                 int32_t *columns,
                                 bool (*visit)(void *context,
                                               const int32_t *columns),
                                 void *context,
                                 bool *gave_up);

// Numbers of the rows: equal numbers mean equal rows, with the columns of the
// right side in the order `columns` (NULL: as they stand). Returns how many
// numbers there are.
ptrdiff_t possible_results_number_rows(const possible_results *l,
                                       const possible_results *r,
                                       const int32_t *columns,
                                       int32_t *left,
                                       int32_t *right,
                                       arena scratch);

#endif  // ASSAY_CHECK_POSSIBLE_RESULTS_H
