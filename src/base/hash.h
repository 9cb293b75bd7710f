// hash.h - XXH3 behind our own names; fast, well mixed, not for secrets.
#ifndef ASSAY_BASE_HASH_H
#define ASSAY_BASE_HASH_H

#include "base/str.h"

#include <stdint.h>

typedef struct hash128 {
    uint64_t low;
    uint64_t high;
} hash128;

uint64_t hash64(str s);
hash128 hash_bytes(str s);

// A hash for a pair, order counts.
uint64_t hash_mix(uint64_t a, uint64_t b);

// Sixteen lower-case hexadecimal digits and a NUL.
void hash64_hex(uint64_t h, char out[17]);

#endif  // ASSAY_BASE_HASH_H
