// embedded.h - a file that the program carries in itself (tools/embed.sh).
#ifndef ASSAY_BASE_EMBEDDED_H
#define ASSAY_BASE_EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
    const char *name;
    const char *bytes;
    ptrdiff_t size;
} embedded_file;

#endif  // ASSAY_BASE_EMBEDDED_H
