// bytes.c - see bytes.h.
#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    READ_BYTES = 64 << 10,
};

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

void bytes_drop(bytes *b)
{
    b->at = b->len;
    b->seen = 0;
}

ssize_t bytes_read(bytes *b, int fd)
{
    char block[READ_BYTES];
    ssize_t n = read(fd, block, sizeof block);
    if (n > 0 && !bytes_add(b, (str){block, n})) {
        errno = ENOMEM;
        return -1;
    }
    return n;
}

bool bytes_line(bytes *b, str *line)
{
    str left = bytes_left(b);
    ptrdiff_t end = str_find(left, S("\n"), b->seen);
    b->seen = end < 0 ? left.len : 0;
    if (end >= 0) {
        *line = str_sub(left, 0, end);
        b->at += (size_t)end + 1;
    }
    return end >= 0;
}
