/*
 * script.h - statements that write, each time on a copy of a database that is
 * thrown away, and what they leave behind.
 *
 * The copy lies in memory, or is a database of a server. Statements may change
 * its rows and its schema; what reaches beyond it (other databases, files,
 * settings, extensions) is refused as it is of queries. Limits of time and
 * steps hold for the script, those of rows and memory for each statement. What
 * is not committed is lost.
 */
#ifndef ASSAY_ENGINE_SCRIPT_H
#define ASSAY_ENGINE_SCRIPT_H

#include "base/map.h"
#include "engine/engine.h"
#include "schema/schema_catalogue.h"

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

// Of a database `name` that was made on a server: the one that copies are made
// of, before anybody connects to it. False with a message; true where copies
// need none.
bool script_make_model(engine *e, str url, str name, diag *d, arena scratch);

// What a system must do to run scripts.
typedef struct script_driver {
    // A copy of a database that may be written to; NULL with the reason in *x.
    database *(*open)(database *of, execution *x, arena *a);
    void (*close)(database *copy, arena scratch);
    int64_t (*now)(void);  // the clock of deadlines
    // One statement, stopped at deadline_ns. A result without columns: it
    // returns no rows.
    execution (*run)(database *copy, str sql, int64_t deadline_ns, arena *a);
    // Where the first statement of a text ends; NULL: with the first `;`.
    ptrdiff_t (*end)(str text, arena scratch);
    // What there is, by rows of what script_object says; of a table the next
    // cell is "1" when the script may have written to it. False: it cannot be
    // read.
    bool (*look)(database *copy,
                 const script *s,
                 script_outcome *out,
                 catalogue_rows *rows,
                 arena *a);
    str home;  // before the name of a table that names no schema
} script_driver;

enum {
    SCRIPT_IS_WRITTEN = 4  // the cell
};

// Notes the names in the script, without their quotes; is a table's own among
// them, without that of its schema? Any part behind a point may be its own.
void script_names(map *named, const script *s, dialect d, arena *a);
bool script_has_name(const map *named, str name);

#endif  // ASSAY_ENGINE_SCRIPT_H
