/*
 * agree_score.c - see agree_score.h.
 *
 * Method      Both steps are commands of assay, run as processes of their own:
 *             they ask for much address space and fork workers. What they would
 *             print is left out; their messages and progress are seen.
 */
#define _GNU_SOURCE  // environ
#include "cli/agree_score.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef vec_of(char *) words;

static void add_word(words *w, arena *a, str text)
{
    *vec_push(a, w) = arena_cstr(a, text);
}

// Words with a blank between them.
static void add_words(words *w, arena *a, str text)
{
    while (text.len > 0) {
        add_word(w, a, str_cut(&text, ' '));
    }
}

// The options that were given, to hand on. One that takes a value at a time is
// named before each.
static void hand_on(words *w, const cli *c, const opt_id *ids, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!opt_has(c->o, ids[i])) {
            continue;
        }
        const opt_spec *spec = opt_spec_at(ids[i]);
        const str_list *values = opt_texts(c->o, ids[i]);
        for (ptrdiff_t k = 0; k < values->len; k++) {
            if (k == 0 || !(spec->flags & OPT_MANY)) {
                add_word(w, c->a,
                         arena_printf(c->a, "--%.*s", STR_ARG(spec->name)));
            }
            add_word(w, c->a, values->ptr[k]);
        }
    }
}

static exit_code ended_with(const cli *c, int status)
{
    if (!WIFEXITED(status)) {
        cli_say(c, "a step was killed");
        return EXIT_CODE_INPUT;
    }
    return (exit_code)WEXITSTATUS(status);
}

static exit_code run(const cli *c, words *w)
{
    vec_push(c->a, w);  // NULL at the end
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    pid_t child = 0;
    int error =
        posix_spawn(&child, "/proc/self/exe", &actions, NULL, w->ptr, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        cli_say(c, "cannot start a step: %s", strerror(error));
        return EXIT_CODE_INPUT;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return ended_with(c, status);
}

static exit_code distil(const cli *c)
{
    static const opt_id ids[] = {OPT_GOLD,  OPT_DB,       OPT_FORMAT,
                                 OPT_FIELD, OPT_ENCODING, OPT_JOBS};
    words w = {0};
    add_words(&w, c->a, S("assay distill --nulls data --seed 1 --out"));
    add_word(&w, c->a, opt_text(c->o, OPT_SUITE));
    hand_on(&w, c, ids, countof(ids));
    cli_say(c, "distilling '%.*s'", STR_ARG(opt_text(c->o, OPT_SUITE)));
    return run(c, &w);
}

static exit_code score(const cli *c)
{
    static const opt_id ids[] = {
        OPT_GOLD, OPT_PRED, OPT_DB,      OPT_FORMAT, OPT_FIELD,   OPT_TABLES,
        OPT_JOBS, OPT_OUT,  OPT_TIMEOUT, OPT_SUITE,  OPT_ENCODING};
    words w = {0};
    add_words(&w, c->a,
              S("assay score --rules spider --metrics set,exec,suite "
                "--plug-values --ignore-distinct"));
    if (file_exists(arena_cstr(c->a, opt_text(c->o, OPT_OUT)))) {
        add_word(&w, c->a, S("--resume"));
    }
    hand_on(&w, c, ids, countof(ids));
    ptrdiff_t n = opt_texts(c->o, OPT_PRED)->len;
    cli_say(c, "scoring %td file%s", n, n == 1 ? "" : "s");
    return run(c, &w);
}

exit_code agree_score(const cli *c)
{
    exit_code code = EXIT_CODE_DONE;
    if (!file_exists(arena_cstr(c->a, opt_text(c->o, OPT_SUITE)))) {
        code = distil(c);
    }
    return code == EXIT_CODE_DONE ? score(c) : code;
}
