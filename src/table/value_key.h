/*
 * value_key.h - values as 128-bit keys: equal keys mean equal values.
 *
 * For the rules that compare exactly (spider, bird, soft_f1, cell_f1, and
 * defog where it has no tolerance). Numbers are equal by their exact value
 * whatever their kind: 1 = 1.0 = true = decimal 1.00, -0.0 = 0, but not
 * 2^53 + 1 and its nearest double. NULL equals NULL, text and blobs are equal
 * by bytes, and nothing equals a value of another family. A NaN equals a NaN.
 *
 * Two unequal values share a key with a chance of 2^-128, which we call never.
 */
#ifndef ASSAY_TABLE_VALUE_KEY_H
#define ASSAY_TABLE_VALUE_KEY_H

#include "base/key_set.h"
#include "table/table.h"

hash128 value_key(value v);

// True when the keys would be equal; faster.
bool value_equal(value a, value b);

// SQLite's order: numbers, then texts, then blobs; texts by bytes, or without
// the case of ASCII letters. Not for NULL, nor for kinds that SQLite lacks.
int value_order(value a, value b, bool folds);

// The number as the nearest double; NaN for what is no number.
double value_to_double(value v);

// Equal, or finite and within one of the two of each other; the relative one
// is a share of the larger.
bool near_equal(double a, double b, double relative, double absolute);

// The key of a sequence grows cell by cell from the zero key; order counts.
hash128 key_append(hash128 sequence, hash128 key);

// The key of a bag grows the same way; order does not count, repetition does.
hash128 key_bag_add(hash128 bag, hash128 key);

// The key of each row as a sequence of cells, n_rows of them.
hash128 *table_row_keys(arena *a, const table *t);

// The codes of a row's cells, sorted: t->n_columns of them.
void row_codes(uint64_t *codes, const table *t, ptrdiff_t row);

#endif  // ASSAY_TABLE_VALUE_KEY_H
