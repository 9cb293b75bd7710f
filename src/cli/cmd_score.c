/*
 * cmd_score.c - `assay score`: run, count, report, and the exit code.
 */
#include "cli/progress.h"
#include "cli/score_judge.h"
#include "cli/score_output.h"
#include "cli/score_setup.h"
#include "cli/score_switches.h"

static bool dry_run(cli *c, run_options *run, arena *a, arena scratch)
{
    diag notes = diag_new(a);
    arena page = arena_half(&scratch);
    buf out = buf_new(&page);
    bool ok = run_dry(run, &out, a, c->d, &notes, scratch);
    cli_say_all(c, &notes, scratch);
    return cli_print(c, buf_str(&out)) && ok;
}

// One line a file, beside the figures that come from it.
static void say_read(cli *c, const run_options *run, const run_outcome *o)
{
    const plan_options *p = &run->plan;
    for (ptrdiff_t i = 0; i < o->read.len && !opt_flag(c->o, OPT_QUIET); i++) {
        if (i == 0 || p->preds.len > 0) {
            cli_say(c, "%s from %.*s (%.*s)", i == 0 ? "gold" : "predictions",
                    STR_ARG(i == 0 ? p->gold : p->preds.ptr[i - 1].path),
                    STR_ARG(o->read.ptr[i]));
        }
    }
}

bool cmd_score(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    run_options run;
    if (!score_setup(&run, c, c->room)) {
        return false;
    }
    if (opt_flag(c->o, OPT_DRY_RUN)) {
        return dry_run(c, &run, c->room, scratch);
    }
    progress bar = {.c = c};
    score_output out;
    if (!score_output_open(&out, c, &run, &bar, c->room, scratch)) {
        return false;
    }
    diag notes = diag_new(c->room);
    run_outcome outcome;
    bool ok =
        progress_run(&bar, &run, &outcome, c->room, c->d, &notes, scratch);
    cli_say_all(c, &notes, scratch);
    if (!ok) {
        return false;
    }
    score_say_lost(c, &run, &outcome);
    bool is_judged = outcome.end == SUPERVISOR_INTERRUPTED
                     || !score_wants_judge(c)
                     || score_judge(c, &outcome, c->room, scratch);
    ok = score_output_finish(&out, &outcome, scratch);
    say_read(c, &run, &outcome);
    run_close(&outcome);
    return outcome.n_changed > 0 || !is_judged ? cli_ends(c, EXIT_CODE_INPUT)
                                               : ok;
}
