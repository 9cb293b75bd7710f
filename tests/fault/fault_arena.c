/*
 * fault_arena.c - arenas that are full on demand: the linker puts these
 * functions before those of base/arena.c (--wrap).
 */
#include "base/arena.h"
#include "fault_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *__real_arena_alloc(arena *a,
                         ptrdiff_t size,
                         ptrdiff_t align,
                         ptrdiff_t n);
char *__real_arena_cstr(arena *a, str s);
str __real_arena_str(arena *a, str s);
void __real_vec_grow(arena *a, void *vec, ptrdiff_t size, ptrdiff_t align);

void *__wrap_arena_alloc(arena *a,
                         ptrdiff_t size,
                         ptrdiff_t align,
                         ptrdiff_t n);
char *__wrap_arena_cstr(arena *a, str s);
str __wrap_arena_str(arena *a, str s);
void __wrap_vec_grow(arena *a, void *vec, ptrdiff_t size, ptrdiff_t align);

// Asks for more than there can be.
static void fill(arena *a)
{
    if (fault_hits(FAULT_ARENA)) {
        __real_arena_alloc(a, 1, 1, PTRDIFF_MAX);
    }
}

void *__wrap_arena_alloc(arena *a, ptrdiff_t size, ptrdiff_t align, ptrdiff_t n)
{
    fill(a);
    return __real_arena_alloc(a, size, align, n);
}

char *__wrap_arena_cstr(arena *a, str s)
{
    fill(a);
    return __real_arena_cstr(a, s);
}

str __wrap_arena_str(arena *a, str s)
{
    fill(a);
    return __real_arena_str(a, s);
}

void __wrap_vec_grow(arena *a, void *vec, ptrdiff_t size, ptrdiff_t align)
{
    fill(a);
    __real_vec_grow(a, vec, size, align);
}
