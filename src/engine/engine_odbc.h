/*
 * engine_odbc.h - what the files of the ODBC engine share.
 *
 * The driver manager (unixODBC) is loaded when the engine is opened; it loads
 * the driver that the connection string names.
 */
#ifndef ASSAY_ENGINE_ENGINE_ODBC_H
#define ASSAY_ENGINE_ENGINE_ODBC_H

#include "engine/engine_driver.h"
#include "engine/query_guard.h"
#include "engine/query_timer.h"

#include <sql.h>
#include <sqlext.h>

typedef struct odbc_api {
#define ODBC(name) __typeof__(name) *(name);
#include "engine/odbc_api.def"
#undef ODBC
} odbc_api;

enum {
    ODBC_SETTINGS = 5
};

// A system that assay knows, or all others.
typedef struct odbc_system {
    str name;  // what it calls itself begins so
    const query_guard *guard;
    bool has_mysql_codes;  // its error numbers are MariaDB's
    str limit;             // sets the time limit: a number follows it
    int limit_unit_ms;
    str rows;  // likewise, that on rows; empty: it has none
    const char *settings[ODBC_SETTINGS];  // the first of a session
    str asks;  // what the session is, and what it must be; or empty
    str must_be;
    const char *asks_user;  // says "0" of who is no superuser
    // server_memory.h; NULL: nothing bounds it
    const char *bounds_memory;
    const char *asks_memory;
    int64_t (*memory)(const engine_limits *limits);
} odbc_system;

typedef struct odbc_database {
    database base;
    SQLHDBC conn;  // NULL: not made
    bool is_open;  // connected
    bool has_transactions;
    bool is_dirty;  // a query may have set variables of the session
    const odbc_system *system;
    dialect dialect;  // in which its queries are read
} odbc_database;

typedef struct odbc_engine {
    engine base;
    odbc_api api;
    SQLHENV env;
    query_timer timer;
    char system[64];  // what the first database said it is: "PostgreSQL 15.0"
} odbc_engine;

const odbc_api *odbc_api_of(const odbc_database *db);

// engine_odbc.c
bool odbc_connect(database *base, diag *d, arena scratch);
void odbc_disconnect(database *base);

// odbc_session.c: finds out which system it is, and asks it for a session that
// may only read; false with a message when it does not give one.
bool odbc_begin_session(odbc_database *db, str system, diag *d, arena scratch);

// odbc_run.c: the first record of what went wrong with a handle. The state is
// five letters and digits, the code the system's own.
str odbc_message(const odbc_api *api,
                 SQLSMALLINT kind,
                 SQLHANDLE handle,
                 char state[6],
                 SQLINTEGER *code,
                 arena *a);
// Names and types of the x->result.n_columns columns.
bool odbc_describe(const odbc_api *api,
                   SQLHSTMT statement,
                   SQLSMALLINT *types,
                   execution *x,
                   arena *a);
execution odbc_run(database *base, str sql, engine_stop stop, arena *a);

// odbc_schema.c: the driver's function.
bool odbc_ask(database *base,
              str sql,
              catalogue_rows *rows,
              arena *a,
              str *why);

// odbc_value.c: the cell of the current row; false when it cannot be had.
// `type` is what SQLDescribeCol says of the column.
bool odbc_cell(const odbc_api *api,
               SQLHSTMT statement,
               SQLUSMALLINT column,
               SQLSMALLINT type,
               bool *is_unknown,
               value *out,
               arena *a);

// odbc_schema.c: the driver's functions.
bool odbc_fingerprint(database *base, uint64_t *out, diag *d, arena scratch);
bool odbc_read_schema(database *base, schema *s, arena *a, diag *d);

#endif  // ASSAY_ENGINE_ENGINE_ODBC_H
