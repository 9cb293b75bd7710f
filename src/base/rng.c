/*
 * rng.c - splitmix64 (Steele, Lea and Flood 2014): a counter and a mixer.
 *
 * Why         The same numbers on every machine and in every version: suites
 *             and samples are made from seeds and must come out the same again.
 */
#include "base/rng.h"

#include <assert.h>

uint64_t rng_next(rng *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    uint64_t z = r->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

ptrdiff_t rng_below(rng *r, ptrdiff_t n)
{
    assert(n > 0);
    return (ptrdiff_t)(rng_next(r) % (uint64_t)n);
}
