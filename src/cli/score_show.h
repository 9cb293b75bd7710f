/*
 * score_show.h - failing cases as they come: `assay score --verbose`.
 *
 * They go to standard error, in the form of `assay show`: their order may
 * depend on which worker was faster, and what is on standard output may not.
 */
#ifndef ASSAY_CLI_SCORE_SHOW_H
#define ASSAY_CLI_SCORE_SHOW_H

#include "base/json.h"
#include "base/map.h"
#include "cli/progress.h"
#include "job/run.h"

typedef struct score_show {
    const cli *c;
    progress *bar;  // taken away before a case is printed
    const run_options *run;
    const json *head;  // the first line of the journal, once it came
    map shown;         // by run and id: of a resumed run lines come later
    arena_store *lines;
    arena *a;
} score_show;

// A line of the journal (journal_reader): prints the case if its verdict
// (case_line_main) is no and it was not printed before.
void score_show_line(void *context, str line);

#endif  // ASSAY_CLI_SCORE_SHOW_H
