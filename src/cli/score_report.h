/*
 * score_report.h - the documents that `assay score` writes besides its journal:
 * those of `assay report`.
 */
#ifndef ASSAY_CLI_SCORE_REPORT_H
#define ASSAY_CLI_SCORE_REPORT_H

#include "cli/score_output.h"

// False with a message when a document cannot be written: found out before the
// cases run, not after.
bool score_report_can_write(const cli *c);

// Writes the documents; false with messages.
bool score_report_write(const score_output *out, file_map lines);

#endif  // ASSAY_CLI_SCORE_REPORT_H
