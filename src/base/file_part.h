/*
 * file_part.h - a file that gets its name when it is whole.
 *
 * What stood under the name before stays until then, and stays for good when
 * something goes wrong. A device or a pipe is written to as it is.
 */
#ifndef ASSAY_BASE_FILE_PART_H
#define ASSAY_BASE_FILE_PART_H

#include "base/arena.h"

#include <stdio.h>

typedef struct file_part {
    FILE *file;
    const char *name;
    const char *part;  // its name until it is whole; NULL: a device or a pipe
} file_part;

// False with errno. The names lie in `a`.
bool file_part_open(file_part *p, arena *a, str path);

// Ends the file and gives it its name; false with errno when it was not written
// as a whole.
bool file_part_close(file_part *p);

// Does nothing when it was closed, or never opened.
void file_part_discard(file_part *p);

#endif  // ASSAY_BASE_FILE_PART_H
