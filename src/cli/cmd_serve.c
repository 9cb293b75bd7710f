// cmd_serve.c - `assay serve`: requests over HTTP, judged by a child process
// that does what `assay worker` does.
#define _GNU_SOURCE  // pipe2, explicit_bzero
#include "cli/score_setup.h"
#include "job/request_run.h"
#include "serve/front.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FLIGHT_PER_WORKER = 2,  // lines; the others can still be forgotten
};

enum {
    END_MS = 5000,  // beside two limits of a query: the one that runs, a last
};

typedef struct serving {
    cli *c;
    run_options run;
    front_options front;
    int to_judge[2];
    int from_judge[2];
    const char *token_name;  // the variable it came from; NULL: there is none
} serving;

static bool read_place(serving *s)
{
    diag d = diag_new(s->c->a);
    if (!listen_parse(opt_text(s->c->o, OPT_LISTEN), &s->front.place, s->c->a,
                      &d)) {
        return cli_refuse(s->c, "--listen: %.*s",
                          STR_ARG(d.messages.ptr[0].text));
    }
    s->front.most = (ptrdiff_t)opt_int(s->c->o, OPT_MAX_QUEUE);
    if (opt_has(s->c->o, OPT_TOKEN_ENV)) {
        const char *name =
            arena_cstr(s->c->a, opt_text(s->c->o, OPT_TOKEN_ENV));
        s->token_name = name;
        s->front.token = str_from(getenv(name));
        if (s->front.token.len == 0) {
            return cli_refuse(
                s->c, "--token-env: the variable %s is empty or not set", name);
        }
    } else if (!s->front.place.is_local) {
        return cli_refuse(
            s->c,
            "--listen: other machines can reach '%.*s'; clients then need "
            "a token, in a variable that --token-env "
            "names",
            STR_ARG(opt_text(s->c->o, OPT_LISTEN)));
    }
    return true;
}

// What no worker needs to know.
static void forget_token(const serving *s)
{
    char *token = s->token_name ? getenv(s->token_name) : NULL;
    if (token) {
        explicit_bzero(token, strlen(token));
        unsetenv(s->token_name);
    }
}

// The child; a terminal's Ctrl-C is for its parent.
static exit_code judge(serving *s, arena *a, arena scratch)
{
    request_outcome outcome;
    request_queue_options way = {
        .in = s->to_judge[0], .out = s->from_judge[1], .is_tagged = true};
    setpgid(0, 0);
    forget_token(s);
    close(s->to_judge[1]);
    close(s->from_judge[0]);
    bool ok = request_run(&s->run, way, &outcome, a, s->c->d, scratch);
    cli_say_wrong(s->c);
    return ok ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}

static void say_ready(const listen_place *place, void *context)
{
    serving *s = context;
    if (!opt_flag(s->c->o, OPT_QUIET)) {
        str text = listen_text(place, s->c->a);
        cli_say(s->c, "listening on %.*s", STR_ARG(text));
    }
}

// How the child ended; one that still judges what nobody waits for is ended.
static exit_code end_of(pid_t child, bool is_idle)
{
    int status = 0;
    if (!is_idle) {
        kill(child, SIGKILL);  // its workers end with it
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) != 0
               ? (exit_code)WEXITSTATUS(status)
               : EXIT_CODE_INPUT;
}

static bool serve(serving *s, pid_t child, arena *a)
{
    close(s->to_judge[0]);
    close(s->from_judge[1]);
    const exchange_options lines = {
        .to = s->to_judge[1],
        .from = s->from_judge[0],
        .most = s->front.most,
        .most_flight = s->run.jobs * FLIGHT_PER_WORKER,
    };
    s->front = (front_options){
        .place = s->front.place,
        .token = s->front.token,
        .most = lines.most,
        .lines = exchange_open(lines),
        .to = lines.to,
        .from = lines.from,
        .end_ms = 2 * s->run.engines.own.limits.timeout_ms + END_MS,
        .ready = say_ready,
        .context = s,
    };
    signal(SIGPIPE, SIG_IGN);
    if (!s->front.lines) {
        end_of(child, false);
        return cli_no_space(s->c);
    }
    front_end end = front_run(&s->front, a, s->c->d);
    bool is_idle =
        exchange_n_flight(s->front.lines) == 0 && end != FRONT_FAILED;
    exchange_close(s->front.lines);
    exit_code code = end_of(child, is_idle || end == FRONT_LOST);
    switch (end) {
    case FRONT_DONE: return true;
    case FRONT_INTERRUPTED: return cli_ends(s->c, EXIT_CODE_INTERRUPTED);
    case FRONT_LATE:
        cli_say(s->c,
                "some queries hang: requests that were not scored %d s after "
                "the signal got 503",
                (int)(s->front.end_ms / 1000));
        return true;
    case FRONT_LOST:
        cli_say(s->c, "the scoring process has ended");
        return cli_ends(s->c, code);
    case FRONT_STILL:
        return cli_say(s->c, "the scoring process no longer responds");
    case FRONT_FAILED: break;
    }
    return false;
}

bool cmd_serve(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    serving s = {.c = c};
    if (!read_place(&s) || !score_setup_requests(&s.run, c)) {
        return false;
    }
    bool ok = pipe2(s.to_judge, O_CLOEXEC) == 0
              && pipe2(s.from_judge, O_CLOEXEC) == 0;
    // Before anything big is in memory, and any library's threads are there.
    pid_t child = ok ? fork() : -1;
    if (child == 0) {
        _exit((int)judge(&s, c->room, scratch));
    }
    if (child < 0) {
        return cli_say(c, "cannot start a process: %s", strerror(errno));
    }
    return serve(&s, child, c->room);
}
