/*
 * score_output.h - what is said of a run: its lines are counted, compared with
 * a baseline, shown, and made into documents.
 *
 * Order of    score_output_open()    before the run
 * calls       score_output_finish()  after it
 */
#ifndef ASSAY_CLI_SCORE_OUTPUT_H
#define ASSAY_CLI_SCORE_OUTPUT_H

#include "cli/cli.h"
#include "cli/score_show.h"
#include "job/run.h"
#include "report/gate.h"
#include "report/hint.h"
#include "report/report.h"

#include <stdio.h>

typedef struct score_output {
    const cli *c;
    const run_options *run;
    arena *a;  // for the whole command
    tally tally;
    arena_store line_store;
    str_list keys;  // of the verdicts
    vec_of(gate) gates;
    baseline baseline;
    bool has_baseline;
    report_look look;  // what --by asks for
    str by_feature;    // of TALLY_BY_NUMBER
    hint hint;
    bool shows_cases;  // --verbose
    score_show show;
} score_output;

// False when a gate or a file is wrong; the user was told. `run` gets its
// reader.
bool score_output_open(score_output *out,
                       const cli *c,
                       run_options *run,
                       progress *bar,
                       arena *a,
                       arena scratch);

// Says what came in the way of a run: an interruption, workers that died.
void score_say_lost(const cli *c, const run_options *run, const run_outcome *o);

// Was there a gold and a database for what was scored? Else says so.
bool score_could_judge(const cli *c, const tally *t, arena scratch);

// Prints the summary and writes the files that were asked for. False also where
// a gate is not passed (EXIT_CODE_FAILED), or the run was interrupted.
bool score_output_finish(score_output *out,
                         const run_outcome *outcome,
                         arena scratch);

#endif  // ASSAY_CLI_SCORE_OUTPUT_H
