// bytes.c - see bytes.h.
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

bool bytes_add(bytes *b, str s)
{
    size_t n = (size_t)s.len;
    // What was dealt with is half of it: a byte is moved once.
    if (b->at > 0 && b->at >= b->len / 2) {
        b->len -= b->at;
        memmove(b->ptr, b->ptr + b->at, b->len);
        b->at = 0;
    }
    if (b->cap - b->len < n) {
        size_t cap = (b->len + n) * 2;
        char *ptr = realloc(b->ptr, cap);
        if (!ptr) {
            return false;
        }
        b->ptr = ptr;
        b->cap = cap;
    }
    if (n > 0) {
        memcpy(b->ptr + b->len, s.ptr, n);
    }
    b->len += n;
    return true;
}

void bytes_free(bytes *b)
{
    free(b->ptr);
    *b = (bytes){0};
}

str bytes_left(const bytes *b)
{
    return (str){b->ptr ? b->ptr + b->at : "", (ptrdiff_t)(b->len - b->at)};
}
