// diff.h - what differs between two texts, as a unified diff.
#ifndef ASSAY_TESTS_DIFF_H
#define ASSAY_TESTS_DIFF_H

#include "base/buf.h"

// Appends the hunks that turn `want` into `got`, three lines around each.
// `line` is the number of the first line of `want` in its file.
void diff_add(buf *out, str want, str got, int64_t line, arena scratch);

#endif  // ASSAY_TESTS_DIFF_H
