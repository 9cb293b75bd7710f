/*
 * complete.h - what may come next on a command line, for the shells.
 *
 * The scripts that `assay help completion` prints know no option: at each TAB
 * they ask `assay __complete WORDS...`, and so never say anything else than
 * the program that they complete for.
 */
#ifndef ASSAY_CLI_COMPLETE_H
#define ASSAY_CLI_COMPLETE_H

#include "cli/help.h"

// The words after "assay", the last one as far as it was typed; `=` may stand
// alone, as bash cuts words. Appends a line a candidate, with a tab and what it
// is behind it, and how the shell goes on: ":files" with names of files,
// ":list" without a blank, ":none" with nothing of its own.
void complete_words(buf *out,
                    const char *const *words,
                    ptrdiff_t n,
                    arena scratch);

// Pages of `assay help`: the scripts.
void complete_script_bash(doc *d);
void complete_script_zsh(doc *d);
void complete_script_fish(doc *d);

#endif  // ASSAY_CLI_COMPLETE_H
