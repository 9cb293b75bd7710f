/*
 * script.h - statements that write, each time on a copy of a database that is
 * thrown away, and what they leave behind.
 *
 * The copy lies in memory. Statements may change its rows and its schema; what
 * reaches beyond it (other databases, files, settings, extensions) is refused
 * as it is of queries. Limits of time and steps hold for the script, those of
 * rows and memory for each statement. What is not committed is lost.
 */
#ifndef ASSAY_ENGINE_SCRIPT_H
#define ASSAY_ENGINE_SCRIPT_H

#include "engine/engine.h"

typedef struct script script;

// Texts, each of one or several statements: `first` prepares the copy.
struct script {
    const str *first;
    ptrdiff_t n_first;
    const str *texts;
    ptrdiff_t n;
};

// Runs all of it, in order; results lie in `a`. Status NO_REFERENCE where the
// engine cannot do that.
script_outcome engine_run_script(database *db, const script *s, arena *a);

#endif  // ASSAY_ENGINE_SCRIPT_H
