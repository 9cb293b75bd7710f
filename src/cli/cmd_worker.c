// cmd_worker.c - `assay worker`: requests in, verdicts out, until the end.
#include "cli/score_setup.h"
#include "job/request_run.h"

#include <unistd.h>

bool cmd_worker(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    run_options run;
    if (!score_setup_requests(&run, c)) {
        return false;
    }
    request_outcome outcome;
    request_queue_options way = {.in = STDIN_FILENO,
                                 .out = STDOUT_FILENO,
                                 .is_ordered = opt_flag(c->o, OPT_IN_ORDER)};
    bool ok = request_run(&run, way, &outcome, c->room, c->d, scratch);
    if (ok && outcome.is_broken) {
        cli_say(c, "nothing reads the answers any more");
    }
    return ok && !outcome.is_broken
           && (!outcome.was_stopped || cli_ends(c, EXIT_CODE_INTERRUPTED));
}
