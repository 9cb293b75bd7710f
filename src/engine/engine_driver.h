/*
 * engine_driver.h - what a database system must do to be an engine.
 *
 * A driver is a constant table of functions. Engines and databases of a driver
 * begin with the structs below; engine.c makes them, keeps the list of open
 * databases and calls the driver, so that a driver only knows how to reach one
 * database and how to run one query.
 *
 * Libraries of servers are loaded when the engine is opened: assay itself
 * needs none. Where a driver was left out of the build its table is there all
 * the same, without functions, so that people can be told.
 */
#ifndef ASSAY_ENGINE_ENGINE_DRIVER_H
#define ASSAY_ENGINE_ENGINE_DRIVER_H

#include "base/hash.h"
#include "base/library.h"
#include "engine/engine.h"
#include "schema/schema_catalogue.h"

enum {
    DRIVER_MAX_SCHEMES = 2
};

typedef struct scratch_driver scratch_driver;  // see scratch_driver.h
typedef struct script_driver script_driver;    // see script.h

struct engine_driver {
    str word;                         // "sqlite": of options and tests
    str title;                        // "SQLite": for people
    str schemes[DRIVER_MAX_SCHEMES];  // "postgresql://"; empty: none
    dialect dialect;
    bool is_server;
    const char *own_databases;  // the server's own, no people's: no {db} may
                                // be one, whatever names it. NULL: none
    bool has_own_clock;         // that nobody can set: --now does nothing
    const char *const *files;   // what its library reads of the machine when a
                                // database is opened, NULL at the end; or NULL
    ptrdiff_t engine_size;      // of a struct that begins with an engine
    ptrdiff_t database_size;    // of a struct that begins with a database

    // All below are NULL when the driver is not in this build.
    const library_spec *library;  // NULL: it is part of this program
    ptrdiff_t api;                // where in the engine its functions are put
    // After it was loaded, and before it is closed; NULL: nothing is done.
    bool (*start)(engine *e, diag *d);
    void (*stop)(engine *e);
    str (*version)(const engine *e, arena *a);
    // To db->path. False with a message when there is no such database;
    // `disconnect` is called in either case, once.
    bool (*connect)(database *db, diag *d, arena scratch);
    void (*disconnect)(database *db);
    bool may_be_lost;  // and is then connected again
    // See engine_dump_bytes(); NULL: never.
    int64_t (*dump_bytes)(str path, arena scratch);
    // Databases made for a run, by engine_make.c. To db->path, but as it comes,
    // for statements of our own that may write; NULL: it makes none.
    bool (*reach)(database *db, diag *d, arena scratch);
    // Runs a COPY with the rows that follow it, as `ask`; NULL: it has none.
    bool (*copy_in)(database *db, str sql, str rows, arena *a, str *why);
    str home;                 // a database that every server has
    str model;                // what a new one is made of
    const char *create;       // $0, of $1
    const char *before_load;  // settings; #0 is the time
    const char *ends_copies;  // that are being made of #0, and returns a row
                              // when there were any; NULL: it makes no copies
    const char *made;         // for #0: which
    const char *drop;         // $0
    const char *asks_stuck;   // which of the sessions #0 are there
    // What the user should know of the login; empty: nothing. NULL: likewise.
    str (*remark)(const database *db, arena *a);
    // Runs a statement of our own, which ends with a NUL byte, and appends its
    // rows, as texts, if `rows` is not NULL. False with the system's words in
    // *why when it fails.
    bool (
        *ask)(database *db, str sql, catalogue_rows *rows, arena *a, str *why);
    const str *catalogue;     // what asks for each part of a schema; empty: it
                              // has no such list
    dialect catalogue_types;  // in whose words the types are
    const char *names;        // asks for the tables, as a query writes them,
    const char *sums;         // and this what one holds, called #0
    // All rows of all tables, in any order; NULL: cannot.
    bool (*fingerprint)(database *db, uint64_t *out, diag *d, arena scratch);
    // False with a message when the catalogue cannot be read.
    bool (*read_schema)(database *db, schema *s, arena *a, diag *d);
    execution (*run)(database *db, str sql, engine_stop stop, arena *a);
    const scratch_driver *scratch;  // NULL: it cannot hold any
    // See engine_run_reversed(). NULL where the engine has no such switch.
    execution (*run_reversed)(database *db, str sql, arena *a);
    const script_driver *script;  // NULL: it runs none
};

struct database {
    engine *owner;
    str path;              // a copy that ends with a NUL byte where it may be
                           // lost; else the caller's, while it is connected to
    const schema *schema;  // NULL: not yet asked for
    str schema_error;      // why that is empty
    int64_t mapped_bytes;  // address space that `connect` took, and of that
    int64_t held_bytes;    // what is memory of this process alone
    int64_t data_bytes;    // see engine_data_bytes()
    int64_t last_use_ns;   // of the connection to a server; 0: there is none
};

struct engine {
    const engine_driver *driver;
    void *library;  // NULL: none was loaded
    engine_options options;
    void (*tick)(void *context);  // or NULL
    void *tick_context;
    arena_store store;  // holds the engine itself and its tables
    arena a;
    arena_store schema_store;  // the schemas of databases; of a small engine
    arena schemas;             // none
    int32_t n_schemas;         // in it
    struct {
        struct open_database {
            hash128 path;
            database *db;
            int64_t asked_for;  // when it was last, by n_asked
        } * ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } databases;
    // memory of databases that were closed
    vec_of(database *) spare;
    int64_t n_asked;
    int64_t mapped_bytes;  // of all open databases
    int64_t held_bytes;
    bool is_server_away;  // it was waited for in vain
    // Sessions that were told to end, and may go on all the same; looked at
    // before the next connection is used (engine_is_free).
    vec_of(int64_t) stuck;
    int n_stuck;  // of them, that do
    int n_borne;  // nothing is asked when there are more than that
};

// Messages of which few will be read, in a corner of `scratch`; what is left of
// that may be passed on.
diag *engine_side_diag(arena *scratch);

// A copy of what a system says, the beginning if it is long: errors quote
// values, which a query makes as long as it likes.
str engine_said(arena *a, str message);

// engine_ask.c, by what a driver asks.
// The first cell of what a query says; empty when it fails.
str engine_ask_text(database *db, const char *sql, arena *a);
// The statement is run; false when it fails.
bool engine_tell(database *db, str sql, arena scratch);
// Who asks this must hear that, or says why the session is not used.
bool engine_must_be(database *db, str sql, str wanted, diag *d, arena scratch);
// Do no more sessions go on than are borne? A moment is theirs; then false with
// a message.
bool engine_is_free(database *db, diag *d, arena scratch);
// Says it of the database; false.
bool engine_says(const database *db, str why, diag *d);
bool engine_read_catalogue(database *db, schema *s, arena *a, diag *d);
bool engine_sum_tables(database *db, uint64_t *out, diag *d, arena scratch);

// For servers: an engine keeps few connections; the one unused longest makes
// room for a new one, and is opened again when it is wanted.
void engine_make_room(engine *e);

// One look at a socket, which ticks; false at the end of the time.
bool engine_look(const engine *e,
                 int socket,
                 short events,
                 int64_t until_ns,
                 bool *is_ready);
// Until it is ready; false at the end of the time.
bool engine_wait(const engine *e, int socket, short events, int64_t until_ns);

extern const engine_driver driver_sqlite;
extern const engine_driver driver_postgres;
extern const engine_driver driver_mariadb;
extern const engine_driver driver_duckdb;
extern const engine_driver driver_odbc;

#endif  // ASSAY_ENGINE_ENGINE_DRIVER_H
