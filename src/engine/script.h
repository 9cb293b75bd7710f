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

// For drivers. Runs the statements of a script in order, each by `run`, until
// one fails.
typedef execution script_step(database *db,
                              str sql,
                              int64_t deadline_ns,
                              arena *a);
void script_run(script_outcome *out,
                const script *s,
                script_step *run,
                database *db,
                int64_t deadline_ns,
                arena *a);

// Notes the names in the script, without their quotes; is a table's own among
// them, without that of its schema? Any part behind a point may be its own.
void script_names(map *named, const script *s, dialect d, arena *a);
bool script_has_name(const map *named, str name);

// What there is, by rows of what script_object says.
void script_objects(script_outcome *out, const catalogue_rows *rows, arena *a);

// Adds all rows of the table to `tables`; one that names no schema is in
// `home`.
void script_read(script_outcome *out,
                 script_table *tables,
                 str name,
                 str home,
                 script_step *run,
                 database *db,
                 int64_t deadline_ns,
                 arena *a);

#endif  // ASSAY_ENGINE_SCRIPT_H
