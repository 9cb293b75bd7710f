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

uint64_t hash64_fold(str s)
{
    uint64_t h = 0;
    while (s.len > 0) {
        char part[64];
        ptrdiff_t n = s.len < countof(part) ? s.len : countof(part);
        for (ptrdiff_t i = 0; i < n; i++) {
            part[i] = to_lower(s.ptr[i]);
        }
        h = hash_mix(h, hash64((str){part, n}));
        s = str_skip(s, n);
    }
    return h;
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
