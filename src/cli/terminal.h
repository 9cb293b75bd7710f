// terminal.h - what a standard stream is connected to.
#ifndef ASSAY_CLI_TERMINAL_H
#define ASSAY_CLI_TERMINAL_H

#include "base/str.h"

bool terminal_is(int fd);

// Columns of the terminal behind fd; `fallback` when there is none.
ptrdiff_t terminal_width(int fd, ptrdiff_t fallback);

// Whether to write colour to fd: `wish` is auto, always or never (--color);
// auto means on a terminal that can, unless NO_COLOR is set.
bool terminal_has_color(int fd, str wish);

#endif  // ASSAY_CLI_TERMINAL_H
