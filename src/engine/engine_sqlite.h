// engine_sqlite.h - what the files of the SQLite engine share.
#ifndef ASSAY_ENGINE_ENGINE_SQLITE_H
#define ASSAY_ENGINE_ENGINE_SQLITE_H

#include "base/map.h"
#include "engine/engine_driver.h"
#include "engine/script.h"

#include <sqlite3.h>

typedef struct sqlite_database {
    database base;
    sqlite3 *db;
    void *image;     // the bytes of the file, mapped or allocated
    ptrdiff_t size;  // of the image
    bool is_mapped;
    bool is_borrowed;     // the image is one of engine_options.images
    int64_t deadline_ns;  // of the running query
    bool timed_out;       // the progress handler stopped it
    int64_t looks;        // of the progress handler, since the query began
    bool reads_clock;     // what the authorizer saw in the running query
    bool reads_random;
    bool reads_state;  // of the connection, or SQLite's own tables
    bool was_refused;  // the authorizer refused something in it
    // What runs; statements prepared meanwhile are those of virtual tables.
    // Left in the middle when memory was full: finalized by the next.
    sqlite3_stmt *running;
    str text;      // of what runs, while its steps may be foretold; else empty
    bool is_own;   // the statement is ours: the authorizer lets it pass
    map *touched;  // tables that were written to, of a script that may write;
    arena *notes;  // where it grows; else NULL
    bool lacked_memory;  // while its schema was read
    char *broken;  // why virtual tables of it cannot be read, a line each; of
                   // sqlite3_malloc(), or NULL
} sqlite_database;

typedef struct sqlite_engine {
    engine base;
    sqlite3_vfs vfs;  // our clock; see sqlite_vfs.c
    char vfs_name[32];
    bool is_clock_read;  // since somebody set it to false
    str shown;           // what a file is that is opened; empty: none can be
    uint32_t n_shown;    // how often it became another one
} sqlite_engine;

// Registers a file system that opens no file, but for `shown`, and whose clock
// stands still at options.clock_ms. False when SQLite has none to build on.
bool sqlite_vfs_register(sqlite_engine *e);
void sqlite_vfs_unregister(sqlite_engine *e);

// The file whose bytes are what `e` shows; see sqlite_shown.c.
int sqlite_shown_open(const sqlite_engine *e, sqlite3_file *file);

// Reads the file at `path` (a database or a .sql dump) into the database's
// image. False with a message.
int64_t sqlite_dump_bytes(str path, arena scratch);
bool sqlite_image_open(sqlite_database *db, str path, diag *d, arena scratch);
void sqlite_image_close(sqlite_database *db);
void sqlite_image_end_log(unsigned char *header);

// Opens a guarded connection on the image and reads the schema, so that a
// corrupt file is found now and not blamed on a query. SQLite's own code.
int sqlite_connect_image(sqlite_database *db);

// The steps that a query takes at least before it shows a row, fails or ends.
// The connection of `db` may be in the middle of it.
int64_t sqlite_least_work(const sqlite_database *db, str sql);

// Does the function reach outside the database, or into the engine?
bool sqlite_refuses_function(const char *name);

// Connects the virtual tables that a query may read; before sqlite_guard().
void sqlite_connect_virtual(sqlite_database *db);

// Puts limits, authorizer and progress handler on a connection.
void sqlite_guard(sqlite_database *db);

// The steps that the running statement took so far.
int64_t sqlite_work(const sqlite_database *db);

// The driver's functions.
bool sqlite_read_schema(database *base, schema *s, arena *a, diag *d);
execution sqlite_run(database *base, str sql, engine_stop stop, arena *a);
execution sqlite_run_reversed(database *base, str sql, arena *a);

extern const script_driver script_sqlite;

// From now on rows are taken in the opposite order wherever a query leaves it
// open, or no longer; an error of SQLite's.
int sqlite_reverse(sqlite_database *db, bool is_reversed);

// Finalizes what runs, if anything does.
void sqlite_finish(sqlite_database *db);

// The prepared statement when `sql` is one plain query, else NULL and why in
// *x. `flags` as of sqlite3_prepare_v3().
sqlite3_stmt *sqlite_query(sqlite_database *db,
                           str sql,
                           unsigned flags,
                           execution *x,
                           arena *a);

// The first statement of `sql`, whatever it is; NULL where there is none, or
// why not in *x.
sqlite3_stmt *sqlite_statement(sqlite_database *db,
                               str sql,
                               execution *x,
                               arena *a);

// Column labels of the statement, and its rows up to the stop, into x->result.
void sqlite_read_names(sqlite3_stmt *statement, execution *x, arena *a);
void sqlite_read_rows(sqlite_database *db,
                      sqlite3_stmt *statement,
                      execution *x,
                      arena *a);

#endif  // ASSAY_ENGINE_ENGINE_SQLITE_H
