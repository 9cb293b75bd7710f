// hash.h - XXH3 under our own names; fast, well mixed, not for secrets.
#ifndef ASSAY_BASE_HASH_H
#define ASSAY_BASE_HASH_H

#include "base/str.h"

#include <stdint.h>

typedef struct hash128 {
    uint64_t low;
    uint64_t high;
} hash128;

uint64_t hash64(str s);
uint64_t hash64_fold(str s);  // equal where str_equal_fold() is
hash128 hash_bytes(str s);

// A hash as the key of a map.
static inline str hash128_key(const hash128 *h)
{
    return (str){(const char *)h, sizeof *h};
}

static inline bool hash128_equal(hash128 a, hash128 b)
{
    return a.low == b.low && a.high == b.high;
}

// A hash for a pair, order counts. Here, because comparing two tables calls it
// several times for each cell.
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    // The finaliser of splitmix64 over a sum that tells (a, b) from (b, a).
    uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Sixteen lower-case hexadecimal digits and a NUL.
void hash64_hex(uint64_t h, char out[17]);

#endif  // ASSAY_BASE_HASH_H
