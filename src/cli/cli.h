/*
 * cli.h - what every command is given, and how it prints messages.
 *
 * Results of a command go to stdout, all else to stderr through the functions
 * below.
 */
#ifndef ASSAY_CLI_CLI_H
#define ASSAY_CLI_CLI_H

#include "cli/opt.h"

#include <stdio.h>

typedef struct cli {
    const opt *o;
    arena *a;              // lives until the program ends
    arena scratch;         // small: for messages and help
    arena *room;           // of the command: much address space, of which it
    arena_store *lines;    // uses little; the second is its own to clear, for
                           // each line that it reads
    diag *d;               // what is wrong: said before anything else is
    ptrdiff_t *n_said;     // of it
    bool out_is_terminal;  // stdout: Unicode frames and fitting to the width
    bool err_is_terminal;  // stderr: a progress bar makes sense
    bool out_has_color;
    bool err_has_color;
    bool is_silent;   // nothing goes to stdout: a step of another command
    exit_code *code;  // how it ends that is not done: EXIT_CODE_INPUT, unless
                      // cli_ends() says otherwise
} cli;

// cmd_score(), ...: is all done that was asked for?
#define COMMAND(constant, word, usage, operands, line) bool cmd_##word(cli *c);
#include "cli/command.def"
#undef COMMAND

// Runs a command as a step of this one: its messages and progress are seen,
// what it prints is not.
bool cli_step(const cli *c, opt_args args);

bool cli_help(const cli *c, command about);  // prints its help page
bool cli_help_on(const cli *c, str word);    // empty: the overview

// The command, which is not done, ends with this code. Always false.
bool cli_ends(const cli *c, exit_code code);

// A word that is no command, nor one of the first topics; `other` is what it
// means elsewhere, or empty. Ends with EXIT_CODE_USAGE; always false.
bool cli_unknown(const cli *c,
                 const char *what,
                 str word,
                 str other,
                 int n_topics);

// "assay: message" on stderr, then the hint to the help page of the command,
// which ends with EXIT_CODE_USAGE. Always false.
#define cli_refuse(c, ...) (cli_say((c), __VA_ARGS__), cli_see_help(c))
bool cli_see_help(const cli *c);

// What --jobs gives, else a worker for each core.
ptrdiff_t cli_jobs(const cli *c);

// What --now gives, else the time of the day, in milliseconds.
int64_t cli_clock_ms(const cli *c);

// Says that the address space does not suffice, and what would. Always false.
bool cli_no_space(const cli *c);

// "assay: message", one line on stderr. Always false.
bool cli_say(const cli *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Says what is in `d` of the program and was not said; so does who says or
// prints anything. Always false.
bool cli_say_wrong(const cli *c);

// All messages of `d`, each "assay: file:line:column: text", and how many more
// there were; clears nothing. Always false.
bool cli_say_all(const cli *c, const diag *d, arena scratch);

// Lines that say themselves where they come from, to standard error.
void cli_say_lines(const cli *c, str lines);

// Writes `text`, of which files may have given a part, to a file or a standard
// stream. On a terminal it commands nothing (utf8_harmless()); where it is
// piped or stored its bytes are kept, for others read them. False with errno.
bool cli_write(const cli *c, FILE *to, str text);

// The same for a text with colours, whose parts from files utf8_visible() has
// made.
bool cli_write_colored(const cli *c, FILE *to, str text);

// Writes `text` to standard output; false with a message when that fails
// (a full disk, a closed pipe).
bool cli_print(const cli *c, str text);
bool cli_print_colored(const cli *c, str text);

#endif  // ASSAY_CLI_CLI_H
