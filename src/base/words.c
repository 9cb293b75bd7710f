// words.c - see words.h.
#include "base/words.h"

static ptrdiff_t find(const str *first,
                      ptrdiff_t n,
                      size_t stride,
                      str word,
                      bool (*is_same)(str a, str b))
{
    const char *at = (const char *)first;
    for (ptrdiff_t i = 0; i < n && word.len > 0; i++, at += stride) {
        if (is_same(*(const str *)(const void *)at, word)) {
            return i;
        }
    }
    return -1;
}

ptrdiff_t words_find(const str *first, ptrdiff_t n, size_t stride, str word)
{
    return find(first, n, stride, word, str_equal);
}

ptrdiff_t words_find_fold(const str *first,
                          ptrdiff_t n,
                          size_t stride,
                          str word)
{
    return find(first, n, stride, word, str_equal_fold);
}
