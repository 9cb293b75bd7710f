/*
 * bytes.h - bytes on their way: added at the end, dealt with from the front.
 *
 * Why         What comes and goes for as long as a program runs, in any order,
 *             has no arena to live in; and it may fail without ending anything.
 */
#ifndef ASSAY_BASE_BYTES_H
#define ASSAY_BASE_BYTES_H

#include "base/str.h"

#include <sys/types.h>

// Zeroed it is empty; `ptr` is of malloc.
typedef struct bytes {
    char *ptr;
    size_t at;  // what is before was dealt with
    size_t len;
    size_t cap;
    ptrdiff_t seen;  // from `at` on: no line ends there
} bytes;

// False when memory was full; nothing has changed then.
bool bytes_add(bytes *b, str s);
void bytes_free(bytes *b);  // leaves it empty

str bytes_left(const bytes *b);  // what was not dealt with

// Once what read() gives, at the end; as it returns, -1 with ENOMEM as well.
ssize_t bytes_read(bytes *b, int fd);

// The next line, without its end, which then counts as dealt with; false where
// none has ended. It stays until something is added.
bool bytes_line(bytes *b, str *line);

#endif  // ASSAY_BASE_BYTES_H
