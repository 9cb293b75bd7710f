/*
 * bytes.h - bytes on their way: added at the end, dealt with from the front.
 *
 * Why         What comes and goes for as long as a program runs, in any order,
 *             has no arena to live in; and it may fail without ending anything.
 */
#ifndef ASSAY_BASE_BYTES_H
#define ASSAY_BASE_BYTES_H

#include "base/str.h"

// Zeroed it is empty; `ptr` is of malloc.
typedef struct bytes {
    char *ptr;
    size_t at;  // what is before was dealt with
    size_t len;
    size_t cap;
} bytes;

// False when memory was full; nothing has changed then.
bool bytes_add(bytes *b, str s);
void bytes_free(bytes *b);  // leaves it empty

str bytes_left(const bytes *b);  // what was not dealt with

#endif  // ASSAY_BASE_BYTES_H
