/*
 * fuzz.h - what every fuzz target has in common.
 *
 * A target asserts laws with fuzz_must: a broken law stops the process, which
 * is what libFuzzer and replay.c look for.
 */
#ifndef ASSAY_FUZZ_FUZZ_H
#define ASSAY_FUZZ_FUZZ_H

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void fuzz_must_at(bool holds,
                                const char *law,
                                const char *file,
                                int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: broken: %s\n", file, line, law);
        abort();
    }
}

#define fuzz_must(law) fuzz_must_at((law), #law, __FILE__, __LINE__)

// Fresh memory for each input; opened once, never closed.
typedef struct fuzz_memory {
    arena_store store;
    arena_store scratch;
} fuzz_memory;

static inline arena fuzz_clear(arena_store *store)
{
    if (!store->base) {
        fuzz_must(arena_store_open(store, (ptrdiff_t)1 << 30));
    }
    return arena_store_clear(store);
}

#endif  // ASSAY_FUZZ_FUZZ_H
