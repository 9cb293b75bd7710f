/*
 * bytes.h - a queue of bytes: added at the end, consumed from the front.
 *
 * Why         What comes and goes for as long as a program runs, in any order,
 *             has no arena to live in; and it may fail without ending anything.
 */
#ifndef ASSAY_BASE_BYTES_H
#define ASSAY_BASE_BYTES_H

#include "base/str.h"

#include <sys/types.h>

// Empty when zeroed; malloc made `ptr`.
typedef struct bytes {
    char *ptr;
    size_t at;  // what stands before it was dealt with
    size_t len;
    size_t cap;
    ptrdiff_t seen;  // so many bytes from `at` on hold no end of a line
} bytes;

// False when memory was full; nothing has changed then.
bool bytes_add(bytes *b, str s);
void bytes_free(bytes *b);  // leaves it empty

str bytes_left(const bytes *b);  // what was not dealt with yet
void bytes_drop(bytes *b);       // all of that counts as dealt with

// Adds what one read() gives, and returns what it did; -1 with ENOMEM also
// when memory was full.
ssize_t bytes_read(bytes *b, int fd);

// Takes the next line off, without its end; false when no line has ended yet.
// It is valid until something is added.
bool bytes_line(bytes *b, str *line);

#endif  // ASSAY_BASE_BYTES_H
