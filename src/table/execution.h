/*
 * execution.h - what a query or a script did: values that an engine makes, and
 * that everybody else looks at.
 */
#ifndef ASSAY_TABLE_EXECUTION_H
#define ASSAY_TABLE_EXECUTION_H

#include "table/table.h"
#include "table/verdict.h"

// When reading a result may stop because every comparison that wants it has
// its answer: it has more than `rows` rows (-1: nobody stops at that), and
// more than `distinct` different rows (-1: likewise). Both -1: read it all.
typedef struct engine_stop {
    ptrdiff_t rows;
    ptrdiff_t distinct;
} engine_stop;

static const engine_stop ENGINE_READ_ALL = {-1, -1};

typedef struct execution {
    reason status;           // REASON_NONE: it ran to its end, or to the stop
    str message;             // the engine's words when it failed
    int code;                // the engine's own error code, 0: none
    ptrdiff_t offset;        // byte of the query at fault; -1: unknown
    table result;            // of a query that ran
    ptrdiff_t n_distinct;    // at least so many different rows were read
    engine_stop stop;        // what it was run with
    int64_t ns;              // wall clock from prepare to the last row
    int64_t work;            // steps that the engine took, the same on every
                             // machine: of SQLite's virtual machine; 0: it
                             // does not count them
    bool reads_clock;        // the query asks for the current date or time
    bool reads_random;       // the query calls a random function
    bool has_unknown_types;  // values of a type that assay does not know
} execution;

/* Statements that write (engine/script.h). */

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

typedef struct script_outcome {
    execution run;     // of the statement that failed; else the rows of the
                       // last one that returned any
    bool has_rows;     // one did
    ptrdiff_t n_done;  // statements that went well, those of `first` not
                       // counted
    bool is_first;     // one of those failed
    bool tells_time;   // what it left may depend on when it ran
    const script_object *objects;
    ptrdiff_t n_objects;
    const script_table *tables;
    ptrdiff_t n_tables;
} script_outcome;

#endif  // ASSAY_TABLE_EXECUTION_H
