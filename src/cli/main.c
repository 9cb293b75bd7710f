/*
 * main.c - from the words of the command line to a command.
 *
 * Adding a command: a row in command.def and a function cmd_<word>. Its options
 * are rows of opt.def, and what their values must be rows of opt_value.def:
 * parsing, messages, help and completion read these tables, so a command asks
 * for values and need not check them.
 */
#include "base/buf.h"
#include "base/file_atomic.h"
#include "base/trust.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/complete.h"
#include "cli/opt_rule.h"
#include "cli/other_word.h"
#include "cli/output_files.h"
#include "cli/terminal.h"
#include "job/run.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

// Options and messages only.
enum {
    CLI_BYTES = 64 << 20,
};

// Of each of the two stores of a command; reserved, not used: the index of a
// million cases takes some 60 MB.
static const ptrdiff_t ROOM_BYTES = (ptrdiff_t)64 << 30;

typedef bool command_body(cli *c);

static command_body *const bodies[] = {
#define COMMAND(constant, word, usage, operands, line) \
    [COMMAND_##constant] = cmd_##word,
#include "cli/command.def"
#undef COMMAND
};

static bool run_command(cli *c)
{
    arena_store stores[2];
    if (!arena_stores_open(stores, countof(stores), ROOM_BYTES)) {
        return cli_no_space(c);
    }
    arena a = arena_store_clear(&stores[0]);
    c->room = &a;
    c->lines = &stores[1];
    return bodies[c->o->command](c);
}

static bool show_version(const cli *c)
{
    str text = arena_printf(c->a, "assay %.*s (SQLite %s)\n",
                            STR_ARG(version_text()), sqlite3_libversion());
    return cli_print(c, text);
}

static void find_streams(cli *c, str color)
{
    c->out_is_terminal = terminal_is(STDOUT_FILENO);
    c->err_is_terminal = terminal_is(STDERR_FILENO);
    c->out_has_color = terminal_has_color(STDOUT_FILENO, color);
    c->err_has_color = terminal_has_color(STDERR_FILENO, color);
}

// Words that begin with an option instead of a command.
static bool without_command(cli *c, str word)
{
    if (str_among(word, "--help -h")) {
        return cli_help_on(c, (str){0});
    }
    if (str_among(word, "--version -V")) {
        return show_version(c);
    }
    if (word.len > 0) {
        cli_say(c, "expected a command, found option '%.*s'", STR_ARG(word));
    } else {
        cli_say(c, "no command given");
    }
    cli_say(c, "see 'assay help'");
    return cli_ends(c, EXIT_CODE_USAGE);
}

// What the user lets queries on servers do.
static void set_trust(const cli *c)
{
    const str_list *functions = opt_texts(c->o, OPT_ALLOW_FUNCTIONS);
    trust_set((trust_given){
        .functions = functions->ptr,
        .n_functions = functions->len,
        .superusers = opt_flag(c->o, OPT_ALLOW_SUPERUSER),
    });
}

// Says once what the processes that run queries will lack; false when that is
// not to be.
static bool has_sandbox(const cli *c)
{
    bool is_required = opt_flag(c->o, OPT_REQUIRE_SANDBOX);
    const char *missing = opt_is_for(OPT_REQUIRE_SANDBOX, c->o->command)
                              ? run_lacks_sandbox(is_required)
                              : NULL;
    if (missing && (is_required || !opt_flag(c->o, OPT_QUIET))) {
        cli_say(c, "no sandbox of %s here%s", missing,
                is_required ? "" : "; --require-sandbox makes this an error");
    }
    return !missing || !is_required;
}

static bool with_command(cli *c, opt *o, opt_args args)
{
    if (!opt_parse(o, c->a, args, c->d, c->scratch)) {
        return cli_ends(c, EXIT_CODE_USAGE);
    }
    find_streams(c, opt_text(o, OPT_COLOR));
    set_trust(c);
    if (opt_flag(o, OPT_HELP)) {
        return cli_help(c, args.command);
    }
    if (opt_flag(o, OPT_VERSION)) {
        return show_version(c);
    }
    str wrong = opt_rule_broken(c->a, o);
    if (wrong.len > 0) {
        return cli_refuse(c, "%.*s", STR_ARG(wrong));
    }
    // What convert writes over it has read.
    return (o->command == COMMAND_CONVERT || output_files_are_apart(c))
           && has_sandbox(c) && run_command(c);
}

bool cli_step(const cli *c, opt_args args)
{
    opt o = {.command = args.command};
    cli step = *c;
    step.o = &o;
    step.is_silent = true;
    bool ok = with_command(&step, &o, args);
    cli_say_wrong(&step);
    return ok;
}

// What the parent does when its memory is full; a worker has its own way.
static void end_without_memory(void)
{
    static const char words[] =
        "assay: out of memory: a part of the input or its results does not fit "
        "into the memory or address space of this process (see `ulimit -v`)\n";
    file_atomic_abandon();
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) {
        // There is nobody to tell.
    }
    _exit(EXIT_CODE_INPUT);
}

// What the words of the command line ask for: is it done?
static bool follow(cli *c, opt *o, const char *const *words, int n)
{
    str word = n > 1 ? str_from(words[1]) : (str){0};
    command about = COMMAND_HELP;
    if (word.len == 0 || word.ptr[0] == '-') {
        return without_command(c, word);
    }
    if (str_equal(word, S("__complete"))) {
        buf out = buf_new(c->a);
        complete_words(&out, words + 2, n - 2, c->scratch);
        return cli_print(c, buf_str(&out));
    }
    if (!command_from_word(word, &about)) {
        str other = other_word(OTHER_COMMAND, word, COMMAND_COUNT);
        return cli_unknown(c, "unknown command", word, other, 0);
    }
    opt_args args = {.command = about, .words = words + 2, .n = n - 2};
    return with_command(c, o, args);
}

int main(int argc, char **argv)
{
    arena_when_full(end_without_memory);
    signal(SIGXFSZ, SIG_IGN);  // a limit of files is an error like others
    arena_store store;
    if (!arena_store_open(&store, CLI_BYTES)) {
        fputs("assay: out of memory\n", stderr);
        return EXIT_CODE_INPUT;
    }
    arena a = arena_store_clear(&store);
    arena scratch = arena_half(&a);
    opt o = {.command = COMMAND_HELP};
    diag d = diag_new(&a);
    ptrdiff_t n_said = 0;
    exit_code code = EXIT_CODE_INPUT;
    cli c = {.o = &o,
             .d = &d,
             .n_said = &n_said,
             .a = &a,
             .scratch = scratch,
             .code = &code};
    find_streams(&c, S("auto"));
    bool ok = follow(&c, &o, (const char *const *)argv, argc);
    cli_say_wrong(&c);
    return ok ? EXIT_CODE_DONE : (int)code;
}
