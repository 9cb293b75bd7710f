/*
 * arena.c - a bump pointer with a wall at the end. The rules are in arena.h.
 *
 * Method      A store is an anonymous mapping without reserved swap, so a
 *             64 GiB arena costs nothing until it is used. Where the address
 *             space is limited (`ulimit -v`) a store takes a tenth of what is
 *             left: twenty of them leave something for the rest of the program.
 *             Clearing keeps the first pages of each window resident (the next
 *             case will want them) and gives the rest back. A window remembers
 *             how far any arena in it has reached, for asking the system to
 *             give back what was never taken costs more than most cases.
 *
 *             A cut begins gigabytes up the store. It has a window of its own,
 *             so that nothing between need be cleared, and begins at a round
 *             address, so that the same cut of the next case finds the same
 *             window. A cut for which there is no window left grows in that of
 *             what it was cut off: right all the same, only dearer to clear.
 *
 *             What the system has just given is zero. A window remembers how
 *             far memory may hold something of before, so that large tables
 *             of short runs cost no page until they are written to. Where an
 *             arena grows into the window of another, nobody knows any more.
 *
 *             Under the address sanitizer each object has a poisoned gap after
 *             it and a cleared store is poisoned as far as it was used.
 *             Allocation takes the poison off, so a scratch copy that is gone
 *             leaves nothing that could alarm the arena it was copied from.
 */
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS, MAP_NORESERVE, madvise
#include "base/arena.h"

#include "base/poison.h"

#include <assert.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    KEEP_BYTES = 4 << 20,        // of a store
    KEEP_CUT_BYTES = 256 << 10,  // of a cut
    GRAIN_BYTES = 1 << 20,       // cuts begin at multiples of it
    WINDOWS_MAX = 31,
    LEAST_BYTES = 256 << 10,
    LOCKED_IN_BYTES = 64 << 20,
    SHARES = 10,  // of the address space that is left
};

// A stretch of a store in which arenas grow.
typedef struct arena_window {
    char *start;
    char *top;   // the highest `next` that any copy of an arena in it ever had
                 // since the store was cleared
    char *used;  // before it may lie what was there before that
    char *end;   // where the next window begins
    struct store_head *head;
} arena_window;

// The first bytes of a store. Its first window is the store itself.
typedef struct store_head {
    ptrdiff_t n_windows;
    bool is_mixed;  // arenas grew beyond the end of their window
    arena_window windows[WINDOWS_MAX];
} store_head;

// Of the process, set once.
static void (*_Atomic when_full)(void);

void arena_when_full(void (*hook)(void))
{
    when_full = hook;
}

bool arena_has_hook(const arena *a)
{
    return a->on_full || when_full;
}

_Noreturn void arena_is_full(const arena *a)
{
    void (*hook)(void) = a->on_full ? a->on_full : when_full;
    if (hook) {
        hook();
    }
    abort();
}

// The poisoned bytes after each object of this arena. Memory that is not of a
// store (an array of the caller) gets none: nobody would take them off again.
static ptrdiff_t arena_gap(const arena *a)
{
    return a->window ? POISON_GAP : 0;
}

ptrdiff_t arena_room(const arena *a)
{
    assert(a->next <= a->end);
    return a->end - a->next;
}

// Bytes that hold anything.
static inline char *arena_take(arena *a,
                               ptrdiff_t size,
                               ptrdiff_t align,
                               ptrdiff_t count)
{
    assert(size > 0 && count >= 0);
    assert(align > 0 && (align & (align - 1)) == 0);
    ptrdiff_t pad = -(ptrdiff_t)(uintptr_t)a->next & (align - 1);
    ptrdiff_t gap = arena_gap(a);
    ptrdiff_t bytes = 0;  // no division: this is called most of all
    if (__builtin_mul_overflow(size, count, &bytes)
        || bytes > a->end - a->next - pad - gap) {
        arena_is_full(a);
    }
    char *p = a->next + pad;
    a->next = p + bytes + gap;
    if (a->window && a->next > a->window->top) {
        a->window->top = a->next;
        if (a->next > a->window->end) {
            a->window->head->is_mixed = true;
        }
    }
    poison_remove(p, bytes);
    poison_add(a->next - gap, gap);
    return p;
}

// Likewise, zeroed.
static inline char *take_zeroed(arena *a,
                                ptrdiff_t size,
                                ptrdiff_t align,
                                ptrdiff_t count)
{
    const arena_window *w = a->window;
    const char *top = w ? w->top : NULL;
    char *p = arena_take(a, size, align, count);
    if (!w || p < top || p < w->used || w->head->is_mixed) {
        memset(p, 0, (size_t)(size * count));
    }
    return p;
}

void *arena_alloc(arena *a, ptrdiff_t size, ptrdiff_t align, ptrdiff_t count)
{
    align = align < POISON_ALIGN ? POISON_ALIGN : align;
    return take_zeroed(a, size, align, count);
}

// The window that begins at `start`, in the store of window `w`; `w` itself
// when there is none left.
static arena_window *window_at(arena_window *w, char *start)
{
    store_head *head = w->head;
    for (ptrdiff_t i = 0; i < head->n_windows; i++) {
        if (head->windows[i].start == start) {
            return &head->windows[i];
        }
    }
    if (head->n_windows == WINDOWS_MAX) {
        return w;
    }
    arena_window *fresh = &head->windows[head->n_windows];
    for (ptrdiff_t i = 0; i < head->n_windows; i++) {
        arena_window *around = &head->windows[i];
        if (around->start < start && start < around->end) {
            head->is_mixed |= around->top > start || around->used > start;
            *fresh = (arena_window){start, start, start, around->end, head};
            around->end = start;
        }
    }
    assert(fresh->start == start);
    head->n_windows++;
    return fresh;
}

arena arena_cut(arena *a, ptrdiff_t size)
{
    assert(size >= 0 && size <= arena_room(a));
    arena cut = *a;
    cut.next = a->end - size;
    if (a->window && size >= 2 * (ptrdiff_t)GRAIN_BYTES) {
        cut.next += -(ptrdiff_t)(uintptr_t)cut.next & (GRAIN_BYTES - 1);
        cut.window = window_at(a->window, cut.next);
    }
    a->end = cut.next;
    return cut;
}

arena arena_half(arena *a)
{
    return arena_cut(a, arena_room(a) - arena_room(a) / 2);
}

void *arena_copy_of(arena *a,
                    const void *list,
                    ptrdiff_t size,
                    ptrdiff_t n,
                    ptrdiff_t more)
{
    void *copy = arena_alloc(a, size, _Alignof(max_align_t), n + more);
    return n > 0 ? memcpy(copy, list, (size_t)(n * size)) : copy;
}

str arena_str(arena *a, str s)
{
    return (str){arena_cstr(a, s), s.len};
}

char *arena_cstr(arena *a, str s)
{
    assert(s.len >= 0);
    char *copy = arena_take(a, 1, POISON_ALIGN, s.len + 1);
    if (s.len > 0) {
        memcpy(copy, s.ptr, (size_t)s.len);
    }
    copy[s.len] = '\0';
    return copy;
}

str arena_lower(arena *a, str s)
{
    char *copy = arena_cstr(a, s);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        copy[i] = to_lower(copy[i]);
    }
    return (str){copy, s.len};
}

str arena_upper(arena *a, str s)
{
    char *copy = arena_cstr(a, s);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        copy[i] = to_upper(copy[i]);
    }
    return (str){copy, s.len};
}

str arena_printf(arena *a, const char *format, ...)
{
    enum {
        SHORT_TEXT = 256  // such a text is formatted once
    };
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    char few[SHORT_TEXT];
    int len = vsnprintf(few, sizeof few, format, args);
    va_end(args);
    assert(len >= 0);
    char *text = arena_take(a, 1, POISON_ALIGN, (ptrdiff_t)len + 1);
    if (len < SHORT_TEXT) {
        memcpy(text, few, (size_t)len + 1);
    } else {
        vsnprintf(text, (size_t)len + 1, format, again);
    }
    va_end(again);
    return (str){text, len};
}

// The address space of this process; 0: it cannot be said.
static int64_t used_bytes(void)
{
    char line[64] = {0};
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
    if (fd >= 0) {
        close(fd);
    }
    str rest = {line, n > 0 ? n : 0};
    int64_t pages = 0;
    return str_to_int(str_cut(&rest, ' '), &pages)
               ? pages * sysconf(_SC_PAGESIZE)
               : 0;
}

// What a store may take of what it would like to have.
static ptrdiff_t share_of(ptrdiff_t size)
{
    struct rlimit limit = {0};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
        || limit.rlim_cur > (rlim_t)INT64_MAX) {
        return size;
    }
    int64_t used = used_bytes();
    // A worker that is locked in cannot tell, and has little left.
    int64_t share = used > 0 ? ((int64_t)limit.rlim_cur - used) / SHARES
                             : (int64_t)LOCKED_IN_BYTES;
    share -= share % sysconf(_SC_PAGESIZE);
    share = share < LEAST_BYTES ? LEAST_BYTES : share;
    return share < size ? (ptrdiff_t)share : size;
}

bool arena_store_open(arena_store *store, ptrdiff_t size)
{
    void *base = MAP_FAILED;
    size = share_of(size);
    do {
        base = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    } while (base == MAP_FAILED && (size /= 2) >= LEAST_BYTES);
    if (base == MAP_FAILED) {
        *store = (arena_store){0};
        return false;
    }
    assert(size > (ptrdiff_t)sizeof(store_head));
    *store = (arena_store){base, size};
    store_head *head = base;
    char *start = store->base + sizeof *head;
    head->n_windows = 1;
    char *end = store->base + size;
    head->windows[0] = (arena_window){start, start, start, end, head};
    return true;
}

void arena_store_close(arena_store *store)
{
    if (store->base && POISON_IS_ON) {
        // Whoever got these addresses next would stumble over the poison.
        madvise(store->base, (size_t)store->size, MADV_DONTNEED);
        mprotect(store->base, (size_t)store->size, PROT_NONE);
    } else if (store->base) {
        munmap(store->base, (size_t)store->size);
    }
    *store = (arena_store){0};
}

bool arena_stores_open(arena_store *stores, ptrdiff_t n, ptrdiff_t size)
{
    bool ok = true;
    for (ptrdiff_t i = 0; i < n; i++) {
        ok = arena_store_open(&stores[i], size) && ok;
    }
    if (!ok) {
        arena_stores_close(stores, n);
    }
    return ok;
}

void arena_stores_close(arena_store *stores, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        arena_store_close(&stores[i]);
    }
}

// Poisons what was used of a window, within bounds, and gives its pages back
// but for the first `keep` bytes.
static void window_clear(arena_window *w, ptrdiff_t keep, const char *end)
{
    ptrdiff_t used = w->top - w->start;
    ptrdiff_t room = end - w->start;
    assert(used >= 0 && used <= room);
    ptrdiff_t poisoned = used > POISON_MOST ? POISON_MOST : used;
    poisoned = poisoned < POISON_LEAST ? POISON_LEAST : poisoned;
    poison_add(w->start, poisoned < room ? poisoned : room);
    if (used > keep
        && madvise(w->start + keep, (size_t)(used - keep), MADV_DONTNEED)
               == 0) {
        used = keep;
    }
    w->used = w->start + used > w->used ? w->start + used : w->used;
    w->top = w->start;
}

arena arena_store_clear(arena_store *store)
{
    assert(store->base);
    store_head *head = (store_head *)(void *)store->base;
    assert(head->n_windows > 0 && head->n_windows <= WINDOWS_MAX);
    char *end = store->base + store->size;
    window_clear(&head->windows[0], KEEP_BYTES - (ptrdiff_t)sizeof *head, end);
    for (ptrdiff_t i = 1; i < head->n_windows; i++) {
        window_clear(&head->windows[i], KEEP_CUT_BYTES, end);
    }
    arena_window *whole = &head->windows[0];
    return (arena){.next = whole->start, .end = end, .window = whole};
}

void vec_grow(arena *a, void *vec, ptrdiff_t size, ptrdiff_t align)
{
    vec_of(void) v;
    memcpy(&v, vec, sizeof v);
    assert(v.len >= 0 && v.len <= v.cap && (v.cap == 0 || v.ptr));
    ptrdiff_t cap = v.cap ? v.cap * 2 : 8;
    char *old_end = v.ptr ? (char *)v.ptr + v.cap * size : NULL;
    if (old_end && old_end == a->next - arena_gap(a)) {
        // The array is the last thing in the arena: stretch it where it is.
        a->next = old_end;
        take_zeroed(a, size, 1, cap - v.cap);
    } else {
        void *moved = arena_alloc(a, size, align, cap);
        if (v.len > 0) {
            assert(v.ptr);
            memcpy(moved, v.ptr, (size_t)(v.len * size));
        }
        v.ptr = moved;
    }
    v.cap = cap;
    memcpy(vec, &v, sizeof v);
}

void vec_fill(arena *a, void *vec, ptrdiff_t len, ptrdiff_t size)
{
    vec_of(void) v;
    memcpy(&v, vec, sizeof v);
    for (; v.cap < len; memcpy(&v, vec, sizeof v)) {
        vec_grow(a, vec, size, _Alignof(max_align_t));
    }
    if (v.len < len) {
        memset((char *)v.ptr + v.len * size, 0, (size_t)((len - v.len) * size));
        v.len = len;
    }
    memcpy(vec, &v, sizeof v);
}
