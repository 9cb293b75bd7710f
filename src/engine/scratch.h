/*
 * scratch.h - a database in memory that is filled, queried and emptied
 * thousands of times a second.
 *
 * One SQLite connection with the tables of a schema. Queries are prepared once
 * and run on every filling. Limits and clock are those of the engine.
 *
 * Order of    scratch_open()
 * calls         scratch_prepare()   any number of queries
 *               scratch_fill()      empties all tables, inserts an instance
 *                 scratch_run()     any query, any number of times
 *             scratch_close()
 */
#ifndef ASSAY_ENGINE_SCRATCH_H
#define ASSAY_ENGINE_SCRATCH_H

#include "engine/engine.h"
#include "engine/instance.h"

typedef struct scratch_db scratch_db;

// A query made ready, and what the engine saw when it compiled it.
typedef struct scratch_query {
    scratch_db *owner;
    const str *names;  // of the columns of its result
    ptrdiff_t n_columns;
    bool reads_clock;
    bool reads_random;
    bool reads_state;  // changes(), sqlite_master
} scratch_query;

// What one query may cost, in steps of the engine: the same on every machine,
// unlike time.
typedef struct scratch_limits {
    int64_t steps;  // of SQLite's virtual machine
    ptrdiff_t max_rows;
    ptrdiff_t max_bytes;
} scratch_limits;

// `ddl` are CREATE statements (schema_to_ddl). NULL with a message when SQLite
// does not take them.
scratch_db *scratch_open(arena *a,
                         const schema *s,
                         str ddl,
                         const engine_options *options,
                         scratch_limits limits,
                         diag *d);
void scratch_close(scratch_db *s);

// Another one in `a` with the engine, and so the address space, of `like`: to
// be closed before that. For those that can load.
scratch_db *scratch_open_beside(arena *a, scratch_db *like, str ddl, diag *d);

// One that is never filled in: it shows images of another one with the same
// tables, `image` first. NULL with a message when the engine cannot.
scratch_db *scratch_open_images(arena *a,
                                const schema *s,
                                str image,
                                const engine_options *options,
                                scratch_limits limits,
                                diag *d);

// Shows another image: what queries return that were prepared before or after.
// It must stay where it is as long as it is shown.
void scratch_show(scratch_db *s, str image);

// The query in `a`, to be forgotten before `a` is; NULL when it does not
// compile: `failed` then says why.
scratch_query *scratch_prepare(scratch_db *s,
                               str sql,
                               execution *failed,
                               arena *a);
void scratch_forget(scratch_query *q);

const schema *scratch_schema(const scratch_db *s);

// Does the engine make one program of both? Then they return the same of
// whatever is filled in. False where nobody can tell.
bool scratch_is_one_program(scratch_query *q, scratch_query *other);

typedef struct scratch_order {
    uint64_t shuffle;  // seed of the order in which rows are inserted; 0: as
                       // they stand
    ptrdiff_t lead;    // of a shuffled table: the row, modulo their number,
                       // that a scan meets first
    bool reversed;     // scans go the other way, and joins do without indexes
                       // made for them alone, as far as the engine lets them
} scratch_order;

// False when a row breaks a constraint, with SQLite's words: a fault of who
// made the instance.
bool scratch_fill(scratch_db *s,
                  const instance *rows,
                  scratch_order order,
                  diag *d);

// Empties all tables and runs INSERT statements instead. False with a message
// when one breaks a constraint.
bool scratch_load(scratch_db *s, str sql, diag *d);
bool scratch_can_load(const scratch_db *s);

// Is what was filled in gone, with the connection to a server? The next filling
// makes it anew.
bool scratch_is_lost(const scratch_db *s);

// A query that takes more than its steps has the status REASON_TIMEOUT. What it
// says of time (execution.ns) means nothing.
execution scratch_run(scratch_query *q, engine_stop stop, arena *a);

// The filling as the bytes of a database file.
str scratch_image(scratch_db *s, arena *a);

#endif  // ASSAY_ENGINE_SCRATCH_H
