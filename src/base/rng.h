// rng.h - splitmix64: small, seeded, the same on every machine.
#ifndef ASSAY_BASE_RNG_H
#define ASSAY_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;  // any value is a seed
} rng;

uint64_t rng_next(rng *r);

// A number in [0, n); n > 0. The bias of the modulo is below 2^-32 for all n
// that we use.
ptrdiff_t rng_below(rng *r, ptrdiff_t n);

#endif  // ASSAY_BASE_RNG_H
