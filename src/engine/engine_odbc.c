/*
 * engine_odbc.c - the driver of whatever has an ODBC driver: SQL Server,
 * Snowflake, BigQuery, Databricks, Trino, ClickHouse, ...
 *
 * odbc:DSN=shop or odbc:Driver={...};Server=...;Database={db} names a database.
 *
 * Method      A connection asks for read-only access and runs each query in a
 *             transaction that is rolled back, where the system has any. That
 *             is less than what the engines of their own do: the role that
 *             connects should have no right to write.
 */
#include "engine/engine_odbc.h"

#include <stdio.h>

enum {
    LOGIN_SECONDS = 10
};

const odbc_api *odbc_api_of(const odbc_database *db)
{
    return &((const odbc_engine *)db->base.owner)->api;
}

static SQLPOINTER number(uintptr_t n)
{
    return (SQLPOINTER)n;
}

static const char *const names[] = {
#define ODBC(name) #name,
#include "engine/odbc_api.def"
#undef ODBC
};

static const library_spec manager = {
    .file = "libodbc.so.2",
    .needed = "ODBC needs the library libodbc.so.2 (Debian: libodbc2)",
    .names = names,
    .n_names = countof(names),
};

static bool odbc_start(engine *base, diag *d)
{
    odbc_engine *e = (odbc_engine *)base;
    SQLRETURN made =
        e->api.SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &e->env);
    return (SQL_SUCCEEDED(made)
            && SQL_SUCCEEDED(e->api.SQLSetEnvAttr(e->env, SQL_ATTR_ODBC_VERSION,
                                                  number(SQL_OV_ODBC3), 0)))
           || diag_add(d, (diag_place){0}, "ODBC cannot be set up");
}

static void odbc_stop(engine *base)
{
    odbc_engine *e = (odbc_engine *)base;
    query_timer_end(&e->timer);
    if (e->env) {
        e->api.SQLFreeHandle(SQL_HANDLE_ENV, e->env);
    }
}

static str odbc_version(const engine *base, arena *a)
{
    const odbc_engine *e = (const odbc_engine *)base;
    return arena_printf(a, "%s through ODBC",
                        e->system[0] ? e->system : "a database");
}

static bool learn_system(odbc_database *db, diag *d, arena scratch)
{
    odbc_engine *e = (odbc_engine *)db->base.owner;
    char name[32] = "";
    char version[24] = "";
    SQLUSMALLINT transactions = SQL_TC_NONE;
    e->api.SQLGetInfo(db->conn, SQL_DBMS_NAME, name, sizeof name, NULL);
    e->api.SQLGetInfo(db->conn, SQL_DBMS_VER, version, sizeof version, NULL);
    e->api.SQLGetInfo(db->conn, SQL_TXN_CAPABLE, &transactions,
                      sizeof transactions, NULL);
    db->has_transactions = transactions != SQL_TC_NONE;
    if (!e->system[0]) {
        snprintf(e->system, sizeof e->system, "%s %s", name, version);
    }
    return odbc_begin_session(db, str_from(name), d, scratch);
}

void odbc_disconnect(database *base)
{
    odbc_database *db = (odbc_database *)base;
    const odbc_api *api = odbc_api_of(db);
    if (db->is_open) {
        api->SQLEndTran(SQL_HANDLE_DBC, db->conn, SQL_ROLLBACK);
        api->SQLDisconnect(db->conn);
    }
    if (db->conn) {
        api->SQLFreeHandle(SQL_HANDLE_DBC, db->conn);
    }
    db->is_open = false;
    db->conn = NULL;
}

bool odbc_connect(database *base, diag *d, arena scratch)
{
    odbc_database *db = (odbc_database *)base;
    odbc_engine *e = (odbc_engine *)base->owner;
    const odbc_api *api = &e->api;
    str settings = str_skip(base->path, S("odbc:").len);
    SQLSMALLINT length = 0;
    SQLINTEGER code = 0;
    char state[6];
    db->is_dirty = false;
    bool ok =
        SQL_SUCCEEDED(api->SQLAllocHandle(SQL_HANDLE_DBC, e->env, &db->conn));
    if (ok) {
        api->SQLSetConnectAttr(db->conn, SQL_ATTR_LOGIN_TIMEOUT,
                               number(LOGIN_SECONDS), 0);
        api->SQLSetConnectAttr(db->conn, SQL_ATTR_ACCESS_MODE,
                               number(SQL_MODE_READ_ONLY), 0);
        ok = SQL_SUCCEEDED(api->SQLDriverConnect(
            db->conn, NULL, (SQLCHAR *)arena_cstr(&scratch, settings), SQL_NTS,
            NULL, 0, &length, SQL_DRIVER_NOPROMPT));
        db->is_open = ok;
    }
    if (!ok) {
        str why =
            odbc_message(api, SQL_HANDLE_DBC, db->conn, state, &code, d->a);
        return diag_add(d, (diag_place){.file = S("odbc")}, "%.*s",
                        STR_ARG(why));
    }
    if (!learn_system(db, d, scratch)) {
        odbc_disconnect(base);
        return false;
    }
    if (db->has_transactions) {
        api->SQLSetConnectAttr(db->conn, SQL_ATTR_AUTOCOMMIT,
                               number(SQL_AUTOCOMMIT_OFF), 0);
    }
    return true;
}

const engine_driver driver_odbc = {
    .word = S_INIT("odbc"),
    .title = S_INIT("ODBC"),
    .schemes = {S_INIT("odbc:")},
    .dialect = DIALECT_POSTGRES,
    .is_server = true,
    .has_own_clock = true,
    .engine_size = sizeof(odbc_engine),
    .database_size = sizeof(odbc_database),
    .library = &manager,
    .api = offsetof(odbc_engine, api),
    .start = odbc_start,
    .stop = odbc_stop,
    .version = odbc_version,
    .connect = odbc_connect,
    .disconnect = odbc_disconnect,
    .may_be_lost = true,
    .ask = odbc_ask,
    .fingerprint = odbc_fingerprint,
    .read_schema = odbc_read_schema,
    .run = odbc_run,
};
