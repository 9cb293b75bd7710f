// step.c - see step.h.
#define _GNU_SOURCE  // environ
#include "cli/step.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void step_add(step_words *w, arena *a, str text)
{
    *vec_push(a, w) = arena_cstr(a, text);
}

void step_add_words(step_words *w, arena *a, str text)
{
    while (text.len > 0) {
        step_add(w, a, str_cut(&text, ' '));
    }
}

// One that takes a value at a time is named before each.
void step_hand_on(step_words *w, const cli *c, const opt_id *ids, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!opt_has(c->o, ids[i])) {
            continue;
        }
        const opt_spec *spec = opt_spec_at(ids[i]);
        if (spec->kind == OPT_KIND_FLAG) {
            step_add(w, c->a,
                     arena_printf(c->a, "--%.*s", STR_ARG(spec->name)));
            continue;
        }
        const str_list *values = opt_texts(c->o, ids[i]);
        for (ptrdiff_t k = 0; k < values->len; k++) {
            if (k == 0 || !(spec->flags & OPT_MANY)) {
                step_add(w, c->a,
                         arena_printf(c->a, "--%.*s", STR_ARG(spec->name)));
            }
            step_add(w, c->a, values->ptr[k]);
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

exit_code step_run(const cli *c, step_words *w, int out)
{
    vec_push(c->a, w);  // NULL at the end
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (out < 0) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                         O_WRONLY, 0);
    } else {
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    }
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
