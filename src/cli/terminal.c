// terminal.c - see terminal.h.
#define _DEFAULT_SOURCE  // struct winsize
#include "cli/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is(int fd)
{
    return isatty(fd) == 1;
}

ptrdiff_t terminal_width(int fd, ptrdiff_t fallback)
{
    struct winsize size = {0};
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return fallback;
    }
    return size.ws_col;
}

bool terminal_has_color(int fd, str wish)
{
    if (str_equal(wish, S("always"))) {
        return true;
    }
    str no_color = str_from(getenv("NO_COLOR"));
    str term = str_from(getenv("TERM"));
    return str_equal(wish, S("auto")) && no_color.len == 0
           && !str_equal(term, S("dumb")) && terminal_is(fd);
}
