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

#include "base/hash.h"
#include "table/table.h"

hash128 value_key(value v);

// True when the keys would be equal; faster.
bool value_equal(value a, value b);

// SQLite's order: numbers, then texts, then blobs; texts by bytes, or without
// the case of ASCII letters. Not for NULL, nor for kinds that SQLite lacks.
int value_order(value a, value b, bool folds);

// The number as the nearest double; NaN for what is no number.
double value_to_double(value v);

bool key_equal(hash128 a, hash128 b);

// The key of a sequence grows cell by cell from the zero key; order counts.
hash128 key_append(hash128 sequence, hash128 key);

// The key of a bag grows the same way; order does not count, repetition does.
hash128 key_bag_add(hash128 bag, hash128 key);

// The key of each row as a sequence of cells, n_rows of them.
hash128 *table_row_keys(arena *a, const table *t);

/*
 * A set of keys: each new key gets the next id, 0, 1, 2, ...
 */
typedef struct key_set {
    hash128 *keys;  // by id
    ptrdiff_t n;
    int32_t *slots;  // id + 1, 0 means free; open addressing
    ptrdiff_t mask;  // number of slots - 1
} key_set;

// An empty set with room for `max` keys.
key_set key_set_new(arena *a, ptrdiff_t max);

// The id of `key`, given to it now when it is new.
ptrdiff_t key_set_add(key_set *s, hash128 key);

// The id of `key`, or -1.
ptrdiff_t key_set_find(const key_set *s, hash128 key);

#endif  // ASSAY_TABLE_VALUE_KEY_H
