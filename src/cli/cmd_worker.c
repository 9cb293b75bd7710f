// cmd_worker.c - `assay worker`: requests in, verdicts out, until the end.
#include "cli/score_setup.h"
#include "job/request_run.h"

#include <unistd.h>

exit_code cmd_worker(cli *c, arena *a, arena_store *lines)
{
    arena scratch = arena_store_clear(lines);
    run_options run;
    exit_code code = EXIT_CODE_DONE;
    if (!score_setup_requests(&run, c, &code)) {
        return code;
    }
    request_outcome outcome;
    request_way way = {.in = STDIN_FILENO,
                       .out = STDOUT_FILENO,
                       .is_ordered = opt_flag(c->o, OPT_IN_ORDER)};
    bool ok = request_run(&run, way, &outcome, a, c->d, scratch);
    if (ok && outcome.is_broken) {
        cli_say(c, "nothing reads the answers any more");
    }
    return !ok || outcome.is_broken ? EXIT_CODE_INPUT
           : outcome.was_stopped    ? EXIT_CODE_INTERRUPTED
                                    : EXIT_CODE_DONE;
}
