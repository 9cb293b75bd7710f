/*
 * keys.h - what tells the records of a file apart: an id, a place, a word in a
 * column, a question; private to src/read.
 *
 * Any of these is a key, a hash for each record. Two files are paired by one,
 * and the records of one file that share it are told from the others.
 */
#ifndef ASSAY_READ_KEYS_H
#define ASSAY_READ_KEYS_H

#include "base/arena.h"
#include "base/hash.h"

typedef struct keys {
    const hash128 *of;  // by record; zero: it has none
    int32_t *first;     // by record: the first one with its key; -1: none
    ptrdiff_t n;
    ptrdiff_t n_without;   // records without a key
    ptrdiff_t n_repeated;  // whose key stood before
    int32_t *slots;        // of a table of the keys: record + 1; 0: free
    ptrdiff_t mask;
} keys;

// `of` must stay, and has a key for each of n records.
keys keys_index(arena *a, const hash128 *of, ptrdiff_t n);

// The first record with this key; -1: none has it.
int32_t keys_find(const keys *k, hash128 key);

// How many records each key has, where all have one and as many; else 0.
ptrdiff_t keys_records_each(const keys *k, arena scratch);

#endif  // ASSAY_READ_KEYS_H
