/*
 * step.h - commands of assay that are steps of another: processes of their own,
 * for they ask for much address space and fork workers.
 *
 * Their messages and progress are seen; what they print goes where the caller
 * says.
 */
#ifndef ASSAY_CLI_STEP_H
#define ASSAY_CLI_STEP_H

#include "cli/cli.h"

typedef vec_of(char *) step_words;

void step_add(step_words *w, arena *a, str text);

// Words with a blank between them.
void step_add_words(step_words *w, arena *a, str text);

// The options that were given, to hand on.
void step_hand_on(step_words *w, const cli *c, const opt_id *ids, ptrdiff_t n);

// Runs the step; it prints to descriptor `out`, or nowhere where that is -1.
// What it ended with.
exit_code step_run(const cli *c, step_words *w, int out);

#endif  // ASSAY_CLI_STEP_H
