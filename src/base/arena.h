/*
 * arena.h - memory that is given back all at once.
 *
 * Every object of one evaluation case (tokens, rows, messages) lives in one
 * arena and dies with it, so no module frees anything and no error path can
 * leak. Four rules:
 *   (1) The arena that will own a result is a parameter named after its
 *       purpose, or plain `a`.
 *   (2) Scratch memory is an arena passed by value and named `scratch`: the
 *       callee may use all of it, and leaving the function gives it back.
 *       A result arena and a scratch arena are never two copies of one arena.
 *   (3) Memory comes zeroed; all types are made so that zero is a good start.
 *   (4) Running out calls on_full, which must not return; no caller ever sees
 *       NULL. The owner of the arena chooses the hook: no hidden state here.
 */
#ifndef ASSAY_BASE_ARENA_H
#define ASSAY_BASE_ARENA_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct arena {
    char *next;                   // first free byte
    char *end;                    // one past the last byte
    void (*on_full)(void);        // out of memory; NULL: see arena_when_full
    struct arena_window *window;  // NULL: not of a store
} arena;

// Room for `count` objects of `size` bytes, zeroed, at alignment `align`.
void *arena_alloc(arena *a, ptrdiff_t size, ptrdiff_t align, ptrdiff_t count)
    __attribute__((returns_nonnull));

#define arena_new(a, type, count) \
    ((type *)arena_alloc((a), sizeof(type), _Alignof(type), (count)))

// A copy of a list of `n`, with room for `more`, which are zero.
#define arena_copy(a, list, n, more) \
    arena_copy_of((a), (list), sizeof *(list), (n), (more))
void *arena_copy_of(arena *a,
                    const void *list,
                    ptrdiff_t size,
                    ptrdiff_t n,
                    ptrdiff_t more) __attribute__((returns_nonnull));

// Cuts the last `size` bytes off *a, to the nearest round address where there
// is room for that: for whoever needs a result and scratch, and has one arena.
// 0 <= size <= what is left. Who copied `a` before the cut still has it whole.
arena arena_cut(arena *a, ptrdiff_t size);
arena arena_half(arena *a);  // the second half of what is left

ptrdiff_t arena_room(const arena *a);  // bytes that are left

str arena_str(arena *a, str s);     // a copy of s
char *arena_cstr(arena *a, str s);  // a NUL-terminated copy of s
str arena_lower(arena *a, str s);   // a copy whose ASCII letters are lower case
str arena_upper(arena *a, str s);
str arena_printf(arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// A small arena on the stack, for as long as its block lasts.
#define arena_on_stack(bytes) arena_over((char[bytes]){0}, bytes)
static inline arena arena_over(char *memory, ptrdiff_t size)
{
    return (arena){.next = memory, .end = memory + size};
}

// Ends the use of an arena as when it is full: for memory that others of the
// same work did not get.
_Noreturn void arena_is_full(const arena *a);

// Is there a hook, so that arena_is_full() does not abort?
bool arena_has_hook(const arena *a);

// What arenas call that have no hook of their own; set once, when a program
// begins. NULL means abort().
void arena_when_full(void (*hook)(void));

/*
 * Where an arena's bytes come from: one reservation of address space, of which
 * the system backs only the pages that were touched. Reserve generously.
 */
typedef struct arena_store {
    char *base;
    ptrdiff_t size;
} arena_store;

// Reserves `size` bytes, or less where the system gives less (`ulimit -v`);
// false when it gives next to nothing. Pair with _close.
bool arena_store_open(arena_store *store, ptrdiff_t size);
void arena_store_close(arena_store *store);

// `n` of one size; none of them when it is false. Pair with _close, which may
// come in either case.
bool arena_stores_open(arena_store *stores, ptrdiff_t n, ptrdiff_t size);
void arena_stores_close(arena_store *stores, ptrdiff_t n);

// The whole store as an empty arena. What an earlier arena over it handed out
// is gone; pages beyond a small working set go back to the system.
arena arena_store_clear(arena_store *store);

/*
 * A growing array: vec_of(T) declares its type, zeroed it is empty, vec_push
 * gives the address of a new zeroed last element. Elements move when the array
 * grows: keep indexes, not addresses.
 */
#define vec_of(T)      \
    struct {           \
        T *ptr;        \
        ptrdiff_t len; \
        ptrdiff_t cap; \
    }

typedef vec_of(str) str_list;

void vec_grow(arena *a, void *vec, ptrdiff_t size, ptrdiff_t align);

#define vec_push(a, v)                                                 \
    ((v)->len == (v)->cap                                              \
         ? vec_grow((a), (v), sizeof *(v)->ptr, _Alignof(max_align_t)) \
         : (void)0,                                                    \
     memset((v)->ptr + (v)->len, 0, sizeof *(v)->ptr), (v)->ptr + (v)->len++)

// The address of element i; up to it zeroed ones are added where it has none.
void vec_fill(arena *a, void *vec, ptrdiff_t len, ptrdiff_t size);

#define vec_at(a, v, i) \
    (vec_fill((a), (v), (i) + 1, sizeof *(v)->ptr), (v)->ptr + (i))

#endif  // ASSAY_BASE_ARENA_H
