/*
 * engine_mariadb.h - what the files of the MariaDB engine share.
 *
 * Connector/C is loaded when the engine is opened, so its functions are
 * pointers in a struct of the engine.
 */
#ifndef ASSAY_ENGINE_ENGINE_MARIADB_H
#define ASSAY_ENGINE_ENGINE_MARIADB_H

#include "engine/engine_driver.h"
#include "engine/query_guard.h"
#include "schema/schema_catalogue.h"

#include <mysql.h>

typedef struct mariadb_api {
#define MY(name) __typeof__(name) *(name);
#include "engine/mariadb_api.def"
#undef MY
} mariadb_api;

typedef struct mariadb_database {
    database base;
    MYSQL *conn;     // NULL: lost, or closed for others' sake
    bool is_dirty;   // a query ran since the session began
    str sql_mode;    // the server's, without what changes how text is read
    bool knows_own;  // the views
    guard_own own;   // views that lead to what a query may not name
} mariadb_database;

typedef struct mariadb_engine {
    engine base;
    mariadb_api api;
    str version;  // of the first server
} mariadb_engine;

const mariadb_api *mariadb_api_of(const mariadb_database *db);

// mariadb_connect.c

// A connection to the URL, as it comes; false with a message.
bool mariadb_reach(database *base, diag *d, arena scratch);

// A session that may only read. Closing does nothing when there is none.
bool mariadb_open(database *base, diag *d, arena scratch);
void mariadb_close(database *base);

// The driver's functions.
bool mariadb_ask(database *base,
                 str sql,
                 catalogue_rows *rows,
                 arena *a,
                 str *why);

// Forgets what a query left in the session.
bool mariadb_clean(mariadb_database *db, arena scratch);

// Makes the server end the connection and what runs on it, over another one;
// whether it has is looked at before the next connection is made.
void mariadb_kill(mariadb_database *db, arena scratch);

// The driver's functions.
execution mariadb_run(database *base, str sql, engine_stop stop, arena *a);
extern const str mariadb_catalogue[CATALOGUE_PARTS];
extern const char mariadb_names[];
// As guard_own.ask.
guard_said mariadb_ask_routine(void *context,
                               str home,
                               str name,
                               bool is_quoted,
                               arena scratch);
// mariadb_value.c
value mariadb_value(const MYSQL_FIELD *column, str text, arena *a);

#endif  // ASSAY_ENGINE_ENGINE_MARIADB_H
