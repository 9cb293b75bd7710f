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
typedef struct script_outcome script_outcome;

// A table, view, index or trigger of the copy.
typedef struct script_object {
    str kind;  // "table", "view", "index", "trigger"
    str name;
    str table;  // that it belongs to
    str sql;    // as the engine keeps it; empty: it made it itself
} script_object;

// A table that the script may have written to.
typedef struct script_table {
    str name;
    execution rows;  // all of them
} script_table;

struct script_outcome {
    execution run;     // of the statement that failed; else the rows of the
                       // last one that returned any
    bool has_rows;     // one did
    ptrdiff_t n_done;  // statements that went well, those of `first` not
                       // counted
    bool is_first;     // one of those failed
    const script_object *objects;
    ptrdiff_t n_objects;
    const script_table *tables;
    ptrdiff_t n_tables;
};

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
