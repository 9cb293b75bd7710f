/*
 * score_report.h - the documents that `assay score` writes besides its journal:
 * those of `assay report`, from the same lines.
 *
 * Order of    score_report_open()      before the run
 * calls         ..._restart, _line     each line, the head first
 *             score_report_write()     after it
 */
#ifndef ASSAY_CLI_SCORE_REPORT_H
#define ASSAY_CLI_SCORE_REPORT_H

#include "cli/cli.h"
#include "report/gate.h"
#include "sql/dialect.h"

#include <stdio.h>

typedef struct score_report {
    const cli *c;
    FILE *lines;  // the journal once more; NULL: no document is asked for
    str head;
    const baseline *before;  // NULL: none
    const str *keys;         // of the verdicts, in the order of CSV
    ptrdiff_t n_keys;
    arena *a;
} score_report;

// False with a message when a document or the lines cannot be written.
bool score_report_open(score_report *r, const cli *c, arena *a);
void score_report_restart(score_report *r);
void score_report_head(score_report *r, str line);
void score_report_line(score_report *r, str line);

// Writes the documents; false with messages.
bool score_report_write(score_report *r, dialect d);

#endif  // ASSAY_CLI_SCORE_REPORT_H
