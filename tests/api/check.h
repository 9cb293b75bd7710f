/*
 * check.h - cmocka for our types: fresh memory for each test, and str.
 */
#ifndef ASSAY_TESTS_CHECK_H
#define ASSAY_TESTS_CHECK_H

#include "base/arena.h"

// cmocka.h needs these before it.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <string.h>

// Memory of one test: check_setup and check_teardown of CHECK_TEST own it.
typedef struct check_memory {
    arena_store store;
    arena a;
    arena_store scratch_store;
    arena scratch;
} check_memory;

static inline int check_setup(void **state)
{
    static check_memory memory;
    memory = (check_memory){0};
    assert_true(arena_store_open(&memory.store, (ptrdiff_t)1 << 30));
    assert_true(arena_store_open(&memory.scratch_store, (ptrdiff_t)1 << 30));
    memory.a = arena_store_clear(&memory.store);
    memory.scratch = arena_store_clear(&memory.scratch_store);
    *state = &memory;
    return 0;
}

static inline int check_teardown(void **state)
{
    check_memory *memory = *state;
    arena_store_close(&memory->store);
    arena_store_close(&memory->scratch_store);
    return 0;
}

#define CHECK_TEST(f) \
    cmocka_unit_test_setup_teardown(f, check_setup, check_teardown)

static inline arena *check_arena(void **state)
{
    return &((check_memory *)*state)->a;
}

static inline arena check_scratch(void **state)
{
    return ((check_memory *)*state)->scratch;
}

static inline void check_str_at(str got, str want, const char *file, int line)
{
    if (!str_equal(got, want)) {
        print_error("got '%.*s', want '%.*s'\n", STR_ARG(got), STR_ARG(want));
        _fail(file, line);
    }
}

// Both as str; the literal form compares with a constant.
#define check_str(got, want)     check_str_at((got), (want), __FILE__, __LINE__)
#define check_text(got, literal) check_str((got), S(literal))

#endif  // ASSAY_TESTS_CHECK_H
