// hash.c - see hash.h.
#include "base/hash.h"

#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash64(str s)
{
    return XXH3_64bits(s.ptr ? s.ptr : "", (size_t)s.len);
}

hash128 hash_bytes(str s)
{
    XXH128_hash_t h = XXH3_128bits(s.ptr ? s.ptr : "", (size_t)s.len);
    return (hash128){h.low64, h.high64};
}

uint64_t hash_mix(uint64_t a, uint64_t b)
{
    // The finaliser of splitmix64 over a sum that tells (a, b) from (b, a).
    uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void hash64_hex(uint64_t h, char out[17])
{
    snprintf(out, 17, "%016llx", (unsigned long long)h);
}
