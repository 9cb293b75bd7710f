/*
 * hash.c - XXH3, compiled in.
 *
 * Method      XXH_INLINE_ALL makes this file the only user of the header; the
 *             hash function can be exchanged here. Its values are stored in
 *             files (journals, the state of distill), so they must not change.
 */
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

void hash64_hex(uint64_t h, char out[17])
{
    snprintf(out, 17, "%016llx", (unsigned long long)h);
}
