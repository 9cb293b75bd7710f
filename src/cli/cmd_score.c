/*
 * cmd_score.c - `assay score`: run, count, report, and the exit code.
 */
#include "cli/run_bar.h"
#include "cli/score_judge.h"
#include "cli/score_output.h"
#include "cli/score_setup.h"
#include "cli/score_switches.h"

// Reserved, not used: the index of a million cases takes some 60 MB.
static const ptrdiff_t RUN_BYTES = (ptrdiff_t)64 << 30;
static const ptrdiff_t SCRATCH_BYTES = (ptrdiff_t)16 << 30;

static exit_code score(cli *c, arena *a, arena scratch)
{
    run_options run;
    exit_code code = EXIT_CODE_DONE;
    if (!score_setup(&run, c, a, &code)) {
        return code;
    }
    run_bar bar = {.c = c};
    score_output out;
    if (!score_output_open(&out, c, &run, &bar, a, &code, scratch)) {
        return code;
    }
    run.reader =
        (journal_reader){&out, score_output_restart, score_output_line};
    run.context = &bar;
    run.progress = run_bar_show;
    diag d = diag_new(a);
    diag notes = diag_new(a);
    run_outcome outcome;
    bool ok = run_score(&run, &outcome, a, &d, &notes, scratch);
    run_bar_end(&bar);
    cli_say_all(c, &notes, scratch);
    cli_say_all(c, &d, scratch);
    if (!ok) {
        return EXIT_CODE_INPUT;
    }
    if (outcome.end == SUPERVISOR_INTERRUPTED) {
        cli_say(c, "interrupted: %td of %td cases were judged%s",
                outcome.n_done, outcome.n_cases,
                run.out.len > 0 ? "; continue with --resume" : "");
    }
    if (outcome.n_lost > 0) {
        cli_say(c, "%td cases could not be judged: they killed every worker",
                outcome.n_lost);
    }
    bool is_judged = outcome.end == SUPERVISOR_INTERRUPTED
                     || !score_wants_judge(c)
                     || score_judge(c, &out, a, scratch);
    code = score_output_finish(&out, &outcome, scratch);
    return outcome.n_changed > 0 || !is_judged ? EXIT_CODE_INPUT : code;
}

exit_code cmd_score(cli *c)
{
    return cli_with_room(c, RUN_BYTES, SCRATCH_BYTES, score);
}
