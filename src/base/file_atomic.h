/*
 * file_atomic.h - a file that gets its name when it is complete.
 *
 * A file that has this name already is kept until then, and for good if
 * something goes wrong. Devices and pipes are written to directly.
 */
#ifndef ASSAY_BASE_FILE_ATOMIC_H
#define ASSAY_BASE_FILE_ATOMIC_H

#include "base/arena.h"

#include <stdio.h>

typedef struct file_atomic {
    FILE *file;
    const char *name;
    const char *part;  // its name until it is whole; NULL: a device or a pipe
} file_atomic;

// False with errno. The names lie in `a`.
bool file_atomic_open(file_atomic *p, arena *a, str path);

// Ends the file and gives it its name; false with errno when it was not written
// as a whole.
bool file_atomic_close(file_atomic *p);

// Does nothing when it was closed, or never opened.
void file_atomic_discard(file_atomic *p);

// Removes what of all files that are open has no name yet: for a process that
// must end at once.
void file_atomic_abandon(void);

#endif  // ASSAY_BASE_FILE_ATOMIC_H
