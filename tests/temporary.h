/*
 * temporary.h - where tests put files of their own.
 *
 * Includers ask for P_tmpdir with _DEFAULT_SOURCE or _XOPEN_SOURCE.
 */
#ifndef ASSAY_TESTS_TEMPORARY_H
#define ASSAY_TESTS_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>

enum {
    TEMPORARY_SIZE = 512
};

// Fills `path` with a pattern for mkstemps or mkdtemp below $TMPDIR.
static inline void temporary_pattern(char path[TEMPORARY_SIZE],
                                     const char *suffix)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, TEMPORARY_SIZE, "%s/assay-XXXXXX%s",
             folder ? folder : P_tmpdir, suffix);
}

#endif  // ASSAY_TESTS_TEMPORARY_H
