/*
 * cli.c - messages and results, made harmless for terminals.
 *
 * Method      What a file may have given a part of is escaped before a terminal
 *             sees it: messages line by line, results in pieces of whole lines.
 *             Files and pipes get the bytes as they are.
 *
 * Cost        Linear; a piece of 32 KB at a time.
 */
#include "cli/cli.h"

#include "base/clock.h"
#include "base/cores.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MESSAGE_BYTES = 4096,  // more of a message is not shown
};

static void say_name(const cli *c)
{
    fputs(c->err_has_color ? "\033[1massay:\033[0m " : "assay: ", stderr);
}

// One line of the user's, of which files may have given a part.
static void say_line(str line)
{
    arena a = arena_on_stack(16 * MESSAGE_BYTES);
    str shown = utf8_visible(&a, str_sub(line, 0, MESSAGE_BYTES - 1));
    fprintf(stderr, "%.*s\n", STR_ARG(shown));
}

bool cli_say(const cli *c, const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list args;
    cli_say_wrong(c);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say_name(c);
    say_line(str_from(text));
    return false;
}

bool cli_ends(const cli *c, exit_code code)
{
    *c->code = code;
    return false;
}

bool cli_see_help(const cli *c)
{
    cli_say(c, "see 'assay help %.*s'", STR_ARG(command_word(c->o->command)));
    return cli_ends(c, EXIT_CODE_USAGE);
}

ptrdiff_t cli_jobs(const cli *c)
{
    return opt_has(c->o, OPT_JOBS) ? (ptrdiff_t)opt_int(c->o, OPT_JOBS)
                                   : cores_usable();
}

int64_t cli_clock_ms(const cli *c)
{
    int64_t ms = (int64_t)time(NULL) * 1000;
    (void)clock_parse(opt_text(c->o, OPT_NOW), &ms);
    return ms;
}

bool cli_no_space(const cli *c)
{
    return cli_say(c,
                   "no address space: assay needs 100 MB and a little for each "
                   "worker, and works best without a limit; see `ulimit -v`");
}

// A message with a place begins with it, so that editors find the line.
static void say_message(const cli *c, diag_message m, arena scratch)
{
    bool has_place = m.place.file.len > 0;
    if (!has_place) {
        say_name(c);
    }
    say_line(has_place ? diag_format(&scratch, m) : m.text);
}

bool cli_say_wrong(const cli *c)
{
    diag fresh = *c->d;
    fresh.count -= *c->n_said;
    *c->n_said = c->d->count;
    c->d->messages.len = 0;
    return cli_say_all(c, &fresh, c->scratch);
}

bool cli_say_all(const cli *c, const diag *d, arena scratch)
{
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        if (!d->messages.ptr[i].is_remark || !opt_flag(c->o, OPT_QUIET)) {
            say_message(c, d->messages.ptr[i], scratch);
        }
    }
    if (d->count > d->messages.len) {
        say_name(c);
        fprintf(stderr, "... and %td more\n", d->count - d->messages.len);
    }
    return false;
}

void cli_say_lines(const cli *c, str lines)
{
    (void)c;
    while (lines.len > 0) {
        say_line(str_cut(&lines, '\n'));
    }
}

static bool put(FILE *to, str text)
{
    size_t len = (size_t)text.len;
    return len == 0 || fwrite(text.ptr, 1, len, to) == len;
}

// As much of the text as goes at once: whole lines where they are not long.
static ptrdiff_t piece_size(str text)
{
    enum {
        PIECE = 32 << 10
    };
    ptrdiff_t n = text.len < PIECE ? text.len : PIECE;
    for (ptrdiff_t i = n; n < text.len && i > 0; i--) {
        if (text.ptr[i - 1] == '\n') {
            return i;
        }
    }
    return n;
}

static bool write_by(const cli *c,
                     FILE *to,
                     str text,
                     str (*harmless)(arena *, str))
{
    cli_say_wrong(c);
    bool is_terminal = (to == stdout && c->out_is_terminal)
                       || (to == stderr && c->err_is_terminal);
    if (!is_terminal) {
        return put(to, text);
    }
    bool ok = true;
    while (ok && text.len > 0) {
        arena local = c->scratch;
        str piece = str_sub(text, 0, piece_size(text));
        ok = put(to, harmless(&local, piece));
        text = str_skip(text, piece.len);
    }
    return ok;
}

bool cli_write(const cli *c, FILE *to, str text)
{
    return write_by(c, to, text, utf8_harmless);
}

bool cli_write_colored(const cli *c, FILE *to, str text)
{
    return write_by(c, to, text, utf8_harmless_colored);
}

static bool is_printed(const cli *c, bool is_written)
{
    if (!is_written || fflush(stdout) != 0) {
        return cli_say(c, "cannot write to standard output: %s",
                       strerror(errno));
    }
    return true;
}

bool cli_print(const cli *c, str text)
{
    return c->is_silent || is_printed(c, cli_write(c, stdout, text));
}

bool cli_print_colored(const cli *c, str text)
{
    return is_printed(c, cli_write_colored(c, stdout, text));
}
