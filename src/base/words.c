// words.c - see words.h.
#include "base/words.h"

ptrdiff_t words_find(const str *first, ptrdiff_t n, size_t stride, str word)
{
    const char *at = (const char *)first;
    for (ptrdiff_t i = 0; i < n && word.len > 0; i++, at += stride) {
        if (str_equal(*(const str *)(const void *)at, word)) {
            return i;
        }
    }
    return -1;
}
