/*
 * score_report.h - the documents that `assay score` writes besides its journal:
 * those of `assay report`.
 */
#ifndef ASSAY_CLI_SCORE_REPORT_H
#define ASSAY_CLI_SCORE_REPORT_H

#include "cli/cli.h"
#include "report/gate.h"
#include "sql/dialect.h"

typedef struct score_report {
    const cli *c;
    file_map journal;
    dialect dialect;
    const baseline *before;  // NULL: none
    const str *keys;         // of the verdicts, in the order of CSV
    ptrdiff_t n_keys;
    arena *a;
} score_report;

// False with a message when a document cannot be written: found out before the
// cases run, not after.
bool score_report_can_write(const cli *c);

// Writes the documents; false with messages.
bool score_report_write(const score_report *r);

#endif  // ASSAY_CLI_SCORE_REPORT_H
