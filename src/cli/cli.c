// cli.c - see cli.h.
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say_name(const cli *c)
{
    fputs(c->err_has_color ? "\033[1massay:\033[0m " : "assay: ", stderr);
}

void cli_say(const cli *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_name(c);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

exit_code cli_wrong_use(const cli *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_name(c);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    cli_say(c, "see 'assay help %.*s'", STR_ARG(command_word(c->o->command)));
    return EXIT_CODE_USAGE;
}

// A message with a place begins with it, so that editors find the line.
static void say_message(const cli *c, diag_message m, arena scratch)
{
    if (m.place.file.len == 0) {
        cli_say(c, "%.*s", STR_ARG(m.text));
        return;
    }
    fprintf(stderr, "%.*s\n", STR_ARG(diag_format(&scratch, m)));
}

void cli_say_all(const cli *c, const diag *d, arena scratch)
{
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        say_message(c, d->messages.ptr[i], scratch);
    }
    if (d->count > d->messages.len) {
        cli_say(c, "... and %td more", d->count - d->messages.len);
    }
}

void cli_say_lines(const cli *c, str lines)
{
    (void)c;
    fprintf(stderr, "%.*s", STR_ARG(lines));
}

bool cli_print(const cli *c, str text)
{
    size_t len = (size_t)text.len;
    if (len > 0 && fwrite(text.ptr, 1, len, stdout) != len) {
        cli_say(c, "cannot write to standard output: %s", strerror(errno));
        return false;
    }
    if (fflush(stdout) != 0) {
        cli_say(c, "cannot write to standard output: %s", strerror(errno));
        return false;
    }
    return true;
}
