/*
 * engine_postgres.h - what the files of the PostgreSQL engine share.
 *
 * libpq is loaded when the engine is opened, so its functions are pointers in
 * a struct of the engine.
 */
#ifndef ASSAY_ENGINE_ENGINE_POSTGRES_H
#define ASSAY_ENGINE_ENGINE_POSTGRES_H

#include "engine/engine_driver.h"
#include "engine/query_guard.h"
#include "engine/script.h"

#include <libpq-fe.h>

typedef struct postgres_api {
#define PQ(name) __typeof__(name) *(name);
#include "engine/postgres_api.def"
#undef PQ
} postgres_api;

// What the text of a value of some type becomes.
typedef enum postgres_class {
    POSTGRES_TEXT,
    POSTGRES_PADDED,  // char(n): blanks at the end do not count
    POSTGRES_INT,
    POSTGRES_REAL,
    POSTGRES_SINGLE,
    POSTGRES_DECIMAL,
    POSTGRES_BOOL,
    POSTGRES_BYTES,
    POSTGRES_TIME,  // date, timestamp, timestamptz
    POSTGRES_INTERVAL,
    POSTGRES_JSON,
    POSTGRES_PLAIN,    // its text is its value: arrays, times, networks
    POSTGRES_UNKNOWN,  // likewise, for want of anything better
} postgres_class;

enum {
    POSTGRES_MOST_OWN = 512,     // numbers in a tree
    POSTGRES_FIRST_OWN = 16384,  // of objects that users made
};

// Types that users made, as they are met.
typedef struct postgres_type {
    Oid oid;
    postgres_class class;
} postgres_type;

typedef struct postgres_database {
    database base;
    PGconn *conn;       // NULL: lost, or closed for others' sake
    bool is_superuser;  // what the session is, at its beginning
    bool is_owner;      // of tables that are there
    bool was_left;      // a ROLLBACK found no transaction
    str user;
    bool knows_own;
    guard_own own;
    vec_of(postgres_type) types;
} postgres_database;

typedef struct postgres_engine {
    engine base;
    postgres_api api;
    int version;  // of the first server, as libpq counts: 150018
} postgres_engine;

const postgres_api *postgres_api_of(const postgres_database *db);

#define POSTGRES_BEGIN "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

// The only locks that outlive their transaction. Functions of the owner's take
// them, which the checks of domains call, policies of rows, views.
#define POSTGRES_UNLOCK "SELECT pg_catalog.pg_advisory_unlock_all()"
bool postgres_may_lock(const postgres_database *db);

// postgres_connect.c: a connection whose transactions may only read, and which
// is in none between two calls; false with a message, also for a superuser
// without leave. Closing does nothing when there is none.
bool postgres_open(database *base, diag *d, arena scratch);
void postgres_close(database *base);
// A connection to the URL, as it comes; false with a message.
bool postgres_reach(database *base, diag *d, arena scratch);

// What the server says against a statement of our own.
typedef struct postgres_fault {
    str state;  // empty: the connection was lost, or the time over
    str words;
} postgres_fault;

// Runs statements of our own until then, and appends their rows, if `rows` is
// not NULL. False with what is said in `a`.
bool postgres_do(postgres_database *db,
                 str sql,
                 int64_t until_ns,
                 catalogue_rows *rows,
                 arena *a,
                 postgres_fault *fault);
// Is the session as it was when it began, or, between BEGIN and ROLLBACK, but
// for that transaction?
bool postgres_is_sound(const postgres_database *db, bool is_inside);
// Ends the transaction, and with it its locks; closes what is not sound then.
void postgres_leave(postgres_database *db);

// Waits until a result can be had without waiting, or the
// clock is past `until_ns`, which gives false. Also false, with the connection
// marked bad by libpq, when it is lost.
bool postgres_wait(postgres_database *db, int64_t until_ns);

// postgres_own.c: what was made in the database and not by the system.
// Learns by which names a query might reach it; asked once for a database.
// False when there was not time enough.
bool postgres_learn_own(postgres_database *db, arena scratch);

// Functions and operators with numbers of users' in the tree that the server
// made of a text. It shows the tree in a transaction, between this and
// postgres_leave().
typedef struct postgres_tree {
    const postgres_api *pq;
    buf functions;  // "16388,16392,"
    buf operators;
    int n_numbers;
    int n_trees;
} postgres_tree;
void postgres_show_tree(postgres_database *db, postgres_tree *tree, arena *a);
void postgres_drop_notices(postgres_database *db);
// Does the tree hold nothing of the owner's but what the user allowed? Else
// refuses the query.
bool postgres_tree_is_safe(postgres_database *db,
                           const postgres_tree *tree,
                           execution *x,
                           arena *a);

// postgres_run.c, postgres_schema.c: the driver's functions.
execution postgres_run(database *base, str sql, engine_stop stop, arena *a);

// The same for a statement that was prepared under a name; `sql` is its text.
bool postgres_prepare(postgres_database *db,
                      str name,
                      str sql,
                      execution *x,
                      arena *a);
execution postgres_run_prepared(postgres_database *db,
                                str name,
                                str sql,
                                engine_stop stop,
                                arena *a);

// One statement of a script, stopped at deadline_ns of clock_ns(). A result
// without columns: it returns no rows.
execution postgres_run_statement(database *base,
                                 str sql,
                                 int64_t deadline_ns,
                                 arena *a);

extern const script_driver script_postgres;

bool postgres_rows(database *base,
                   str sql,
                   catalogue_rows *rows,
                   arena *a,
                   str *why);

// What it asks (engine_driver.h).
extern const str postgres_catalogue[CATALOGUE_PARTS];
extern const char postgres_names[];
extern const char postgres_sums[];

// postgres_schema.c: the driver's function.
bool postgres_copy_in(database *base, str sql, str rows, arena *a, str *why);

// postgres_value.c: the class of a built-in type; POSTGRES_UNKNOWN of others.
postgres_class postgres_class_of(Oid type);
value postgres_value(postgres_class class, str text, arena *a);

#endif  // ASSAY_ENGINE_ENGINE_POSTGRES_H
