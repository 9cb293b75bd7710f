/*
 * rerun.h - the command that scores one case of a journal again.
 */
#ifndef ASSAY_REPORT_RERUN_H
#define ASSAY_REPORT_RERUN_H

#include "base/json.h"

// "assay score --gold … --only ID", to be pasted into a shell in the folder of
// the run; DB stands for the databases where an old journal does not name them.
// Empty when `head`, the first line of the journal, is NULL or names no gold.
str rerun_command(arena *a, const json *head, const json *line);

// `word` as one word of a shell, in quotes where it needs them. Characters that
// a terminal would obey become escapes.
str rerun_word(arena *a, str word);

#endif  // ASSAY_REPORT_RERUN_H
