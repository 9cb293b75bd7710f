/*
 * engine.h - run one query on one database under limits: the one interface to
 * every database system.
 *
 * An engine knows no metric. What a query does wrong is data in the execution
 * (status, message, offset), never a failure of the call. Nothing that an
 * engine is asked to run can change a database.
 *
 * Order of    engine_open()         once per process that runs queries
 * calls         engine_database()   by path, any number of times; kept open
 *               engine_run()        any number of times
 *               engine_trim()       between two pieces of work
 *             engine_close()
 */
#ifndef ASSAY_ENGINE_ENGINE_H
#define ASSAY_ENGINE_ENGINE_H

#include "schema/schema.h"
#include "sql/dialect.h"
#include "table/execution.h"

typedef struct engine engine;
typedef struct database database;  // one open database of an engine

// A kind of database system: what engine_driver.h says of it.
typedef struct engine_driver engine_driver;

// The driver that a path or URL asks for: by its scheme, else SQLite. NULL when
// the scheme is none that assay knows.
const engine_driver *engine_driver_of(str path);
const engine_driver *engine_driver_named(str word);  // "sqlite", "postgres"
// NULL stands for SQLite, as everywhere.
dialect engine_driver_dialect(const engine_driver *driver);
// Its queries read a clock that cannot be fixed.
bool engine_driver_has_own_clock(const engine_driver *driver);
// It talks to a server, so it needs sockets and no files of databases.
bool engine_driver_is_server(const engine_driver *driver);
// Files that it reads besides those of databases, NULL at the end; or NULL.
// A driver that is NULL is SQLite's.
const char *const *engine_driver_files(const engine_driver *driver);

typedef struct engine_limits {
    int64_t timeout_ms;  // wall clock of one query
    int64_t max_rows;    // rows of one result
    int64_t max_bytes;   // bytes of one result, and of what computes it
    int64_t work;        // of one query, as in execution.work; 0: no limit
} engine_limits;

// Databases that are in memory already: of those `path` is not opened.
typedef struct engine_image {
    str path;
    str bytes;
} engine_image;

typedef vec_of(engine_image) engine_images;

// Empty when it is none of them; `images` may be NULL.
str engine_image_of(const engine_images *images, str path);

typedef struct engine_options {
    engine_limits limits;
    int64_t clock_ms;  // what the queries take for now: ms since 1970 UTC
    int32_t seed;      // of random functions; 0 counts as 1
    const engine_driver *driver;  // NULL: SQLite
    int64_t patience_ms;          // with a server that is away
    str scratch_url;  // where scratch databases are; empty: in memory
    bool is_small;    // it reads no schema: it needs little address space
    const engine_images *images;  // NULL: none; of SQLite
} engine_options;

// Is the stop reached, with so many rows and so many different ones read?
bool engine_stop_reached(engine_stop stop,
                         ptrdiff_t n_rows,
                         ptrdiff_t n_distinct);
bool engine_stop_equal(engine_stop a, engine_stop b);

// The execution as it would have been with this stop, when it was read further
// than that: what is seen of a result must not depend on who read it before.
execution engine_cut(const execution *x, engine_stop stop, arena scratch);

// The execution as it would have been with this limit of work: TOO_MUCH_WORK
// when it took more.
execution engine_within(const execution *x, int64_t work);

// NULL with a message when the library of the engine cannot be set up.
engine *engine_open(const engine_options *options, diag *d);
void engine_close(engine *e);

// `tick` is called now and then while a query runs: time for what must not
// wait for its end. It must not touch the engine.
void engine_set_tick(engine *e, void (*tick)(void *context), void *context);

// The limit of work for the queries to come, in place of that of the options.
void engine_set_work(engine *e, int64_t work);

// The time limit of queries from now on. A server that was told another one
// when a connection was opened goes on with that: the engine stops its query.
void engine_set_timeout(engine *e, int64_t timeout_ms);

// The engine's name and version: "SQLite 3.40.1"; of a server, that of the
// first database that was opened. NULL stands for SQLite.
str engine_version(const engine *e, arena *a);

// The database in the file or at the URL `path`, opened now or kept from
// before; it belongs to the engine. NULL with a message when there is none to
// be read.
database *engine_database(engine *e, str path, diag *d, arena scratch);

// Its tables, columns and foreign keys, read when first asked for. They live
// until engine_trim() says otherwise. Where the catalogue cannot be read there
// are none, and the error says why.
const schema *engine_schema(database *db);
str engine_schema_error(database *db);

// The same for who cannot go on without: NULL with a message.
const schema *engine_schema_or_say(database *db, diag *d);

// After an execution that ended with CONNECTION_LOST: a new connection. False
// with a message when there is none to be had, after some seconds of trying.
bool engine_reconnect(database *db, diag *d, arena scratch);

// Nothing more can be asked of the server until queries end that it was told to
// stop and does not.
bool engine_is_stuck(const engine *e);

// A number made of all that the database holds: two looks at one that did not
// change give the same. False with a message when the engine cannot tell.
bool engine_fingerprint(database *db, uint64_t *out, diag *d, arena scratch);

// What the user should know of the login to a database; empty: nothing.
str engine_remark(const database *db, arena *a);

// Is it open already?
bool engine_has_database(const engine *e, str path);

// However many databases there are, memory stays bounded: of files, those that
// were asked for least recently are closed when too many are open, and all
// schemas are forgotten when there are too many. True: they were. Whoever calls
// it holds no database, and no schema when it says true.
bool engine_trim(engine *e);

// The execution ends so, without a result. Always false.
bool engine_fails(execution *x, reason why, str message);

// Results lie in `a`.
execution engine_run(database *db, str sql, engine_stop stop, arena *a);

bool engine_is_server(const engine *e);
dialect engine_dialect(const engine *e);
const engine_driver *engine_driver_at(const database *db);

// What a database is made of.
typedef struct engine_dump {
    str name;   // of the database
    str path;   // for messages
    str text;   // SQL statements
    str model;  // instead: another one that was made, to which nobody is
                // connected; its name and a point begin this one's
} engine_dump;

/*
 * A new database on a server, loaded from a dump; *made becomes its URL.
 * `source` is the URL of any database there, or one with {db}. False with a
 * message when it cannot be made; what was made of it is dropped.
 */
bool engine_make_database(engine *e,
                          str source,
                          const engine_dump *dump,
                          str *made,
                          arena *a,
                          diag *d,
                          arena scratch);
// With those that were made after its model.
void engine_drop_database(engine *e, str source, str name, arena scratch);

// The same, read to its end, with rows taken in the opposite order wherever the
// query leaves the order open. Status NOT_RUN where the engine cannot do that.
execution engine_run_reversed(database *db, str sql, arena *a);

// What `path` may take of address space to be opened, when it is a dump that is
// to be run; 0: it is none, and takes what it needs.
int64_t engine_dump_bytes(const engine *e, str path, arena scratch);

// What a query that reads all of it once has to read, the same on every
// machine.
// 0: not known, as of servers.
int64_t engine_data_bytes(const database *db);

// The bytes of address space that open databases take.
int64_t engine_mapped_bytes(const engine *e);

#endif  // ASSAY_ENGINE_ENGINE_H
