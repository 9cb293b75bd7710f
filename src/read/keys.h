/*
 * keys.h - what tells the records of a file apart: an id, a place, a word in a
 * column, a question; private to src/read.
 *
 * Any of these is a key, a hash for each record. Two files are paired by one,
 * and the records of one file that share it are told from the others.
 */
#ifndef ASSAY_READ_KEYS_H
#define ASSAY_READ_KEYS_H

#include "base/key_set.h"

typedef struct keys {
    const hash128 *of;  // by record; zero: it has none
    int32_t *first;     // by record: the first one with its key; -1: none
    ptrdiff_t n;
    ptrdiff_t n_without;   // records without a key
    ptrdiff_t n_repeated;  // whose key stood before
    key_set different;     // keys
    int32_t *record;       // by their ids: the first one with it
} keys;

// `of` must stay, and has a key for each of n records.
keys keys_index(arena *a, const hash128 *of, ptrdiff_t n);

// The first record with this key; -1: none has it.
int32_t keys_find(const keys *k, hash128 key);

// How many records each key has, where all have one and as many; else 0.
ptrdiff_t keys_records_each(const keys *k, arena scratch);

// How the records of two files find each other by their keys.
typedef struct match {
    keys golds;
    keys preds;
    int32_t *pred_of;  // by gold; -1: none has its key
    ptrdiff_t n_found;
    ptrdiff_t n_moved;  // of these, at another place
} match;

match keys_match(arena *a, keys golds, keys preds);

#endif  // ASSAY_READ_KEYS_H
