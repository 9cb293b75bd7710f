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
#include "cli/run_bar.h"
#include "report/case_line.h"
#include "sql/dialect.h"

typedef struct score_show {
    const cli *c;
    run_bar *bar;      // taken away before a case is printed
    const json *head;  // the first line of the journal, once it came
    map shown;         // by run and id: lines may come again, sorted
    arena *a;
} score_show;

// The first line of the journal; kept in s->a.
void score_show_head(score_show *s, str line);

// Prints the case if its verdict (case_line_main) is no and it was not printed
// before.
void score_show_case(score_show *s,
                     str line,
                     const case_line *read,
                     dialect d,
                     arena scratch);

#endif  // ASSAY_CLI_SCORE_SHOW_H
