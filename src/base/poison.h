/*
 * poison.h - bytes that must not be touched, for the address sanitizer.
 *
 * The only place that asks how we are compiled. Without the sanitizer all of
 * it is nothing: the gap is 0 and the calls are empty.
 */
#ifndef ASSAY_BASE_POISON_H
#define ASSAY_BASE_POISON_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#    define POISON_IS_ON 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define POISON_IS_ON 1
#    else
#        define POISON_IS_ON 0
#    endif
#else
#    define POISON_IS_ON 0
#endif

#if POISON_IS_ON

#    include <sanitizer/asan_interface.h>

enum {
    POISON_GAP = 16,   // untouchable bytes after each object
    POISON_ALIGN = 8,  // the sanitizer's grain
    // Of a cleared store, whatever was used of it:
    POISON_LEAST = 1 << 20,
    POISON_MOST = 8 << 20
};

static inline void poison_add(const char *p, ptrdiff_t n)
{
    __asan_poison_memory_region(p, (size_t)n);
}

static inline void poison_remove(const char *p, ptrdiff_t n)
{
    __asan_unpoison_memory_region(p, (size_t)n);
}

static inline bool poison_is_at(const char *p)
{
    return __asan_address_is_poisoned(p) != 0;
}

#else

enum {
    POISON_GAP = 0,
    POISON_ALIGN = 1,
    POISON_LEAST = 0,
    POISON_MOST = 0
};

static inline void poison_add(const char *p, ptrdiff_t n)
{
    (void)p;
    (void)n;
}

static inline void poison_remove(const char *p, ptrdiff_t n)
{
    (void)p;
    (void)n;
}

static inline bool poison_is_at(const char *p)
{
    (void)p;
    return false;
}

#endif

#endif  // ASSAY_BASE_POISON_H
