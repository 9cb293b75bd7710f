/*
 * odbc_session.c - what assay knows of some systems behind ODBC, and asks of a
 * new session there.
 *
 * Why         A driver may take SQL_MODE_READ_ONLY and write all the same, or
 *             take a time limit and not heed it. Systems that assay knows are
 *             told in their own words.
 */
#include "engine/engine_odbc.h"

static const odbc_system systems[] = {
    {
        .name = S_INIT("PostgreSQL"),
        .guard = &guard_postgres,
        .limit = S_INIT("SET statement_timeout = "),
        .limit_unit_ms = 1,
        .settings =
            {
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                "SET TimeZone = 'UTC'",
                "SET client_connection_check_interval = 1000",
                "DO $$ BEGIN IF (SELECT rolsuper FROM pg_catalog.pg_roles"
                " WHERE rolname = current_user) THEN"
                " SET ROLE pg_read_all_data; END IF; END $$",
            },
    },
    {
        .name = S_INIT("MariaDB"),
        .guard = &guard_mariadb,
        .has_mysql_codes = true,
        .limit = S_INIT("SET max_statement_time = "),
        .limit_unit_ms = 1000,
        .settings = {"SET SESSION TRANSACTION READ ONLY",
                     "SET time_zone = '+00:00'"},
        .rows = S_INIT("SET sql_select_limit = "),
    },
    {
        .name = S_INIT("MySQL"),
        .guard = &guard_mariadb,
        .has_mysql_codes = true,
        .limit = S_INIT("SET max_execution_time = "),
        .limit_unit_ms = 1,
        .settings = {"SET SESSION TRANSACTION READ ONLY",
                     "SET time_zone = '+00:00'"},
        .rows = S_INIT("SET sql_select_limit = "),
    },
};

static const odbc_system other_system = {.guard = &guard_other};

static void tell(odbc_database *db, str sql, arena scratch)
{
    const odbc_api *api = odbc_api_of(db);
    SQLHSTMT statement = SQL_NULL_HSTMT;
    if (SQL_SUCCEEDED(
            api->SQLAllocHandle(SQL_HANDLE_STMT, db->conn, &statement))) {
        api->SQLExecDirect(statement, (SQLCHAR *)arena_cstr(&scratch, sql),
                           SQL_NTS);
        api->SQLFreeHandle(SQL_HANDLE_STMT, statement);
    }
}

// Time, and rows: drivers may take in all of a result before the first is read.
static void limit(odbc_database *db, const odbc_system *s, arena scratch)
{
    const engine_limits *limits = &db->base.owner->options.limits;
    arena words = scratch;
    double time = (double)limits->timeout_ms / s->limit_unit_ms;
    tell(db,
         arena_printf(&words, "%.*s%.*f", STR_ARG(s->limit),
                      s->limit_unit_ms > 1 ? 3 : 0, time),
         words);
    if (s->rows.len > 0 && limits->max_rows > 0) {
        tell(db,
             arena_printf(&words, "%.*s%lld", STR_ARG(s->rows),
                          (long long)limits->max_rows + 1),
             words);
    }
}

void odbc_begin_session(odbc_database *db, str system, arena scratch)
{
    db->system = &other_system;
    for (ptrdiff_t i = 0; i < countof(systems); i++) {
        if (str_starts_fold(system, systems[i].name)) {
            db->system = &systems[i];
        }
    }
    const odbc_system *s = db->system;
    for (int i = 0; i < ODBC_SETTINGS && s->settings[i]; i++) {
        tell(db, str_from(s->settings[i]), scratch);
    }
    if (s->limit.len > 0) {
        limit(db, s, scratch);
    }
}
