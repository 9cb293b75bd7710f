/*
 * odbc_session.c - what assay knows of some systems behind ODBC, and asks of a
 * new session there.
 *
 * Why         A driver may take SQL_MODE_READ_ONLY and write all the same, or
 *             take a time limit and not heed it. Systems that assay knows are
 *             told in their own words.
 */
#include "base/trust.h"
#include "engine/engine_odbc.h"
#include "engine/server_memory.h"

// Modes that change how a text is read; ANSI brings two of them along.
#define PLAIN_MODES                                                \
    "SET sql_mode = TRIM(BOTH ',' FROM REGEXP_REPLACE(@@sql_mode," \
    " '(^|,)(ANSI_QUOTES|NO_BACKSLASH_ESCAPES|IGNORE_SPACE|ANSI"   \
    "|ORACLE|MSSQL|DB2|POSTGRESQL|MAXDB|HIGH_NOT_PRECEDENCE)"      \
    "(?=,|$)', ''))"
#define THE_MODES                                                \
    "' ', @@sql_mode REGEXP 'ANSI|NO_BACKSLASH_ESCAPES|ORACLE'," \
    " IF(LOWER(DATABASE()) IN (" MARIADB_OWN_DATABASES           \
    "), CONCAT(' in ', DATABASE()), ''))"
#define READ_ONLY_AND_MODES "SELECT CONCAT(IF(@@tx_read_only, 1, 0), " THE_MODES
#define MYSQL_READ_ONLY_AND_MODES \
    "SELECT CONCAT(IF(@@transaction_read_only, 1, 0), " THE_MODES

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
                "SET standard_conforming_strings = on",
                "SET client_connection_check_interval = 1000",
                ("DO $$ BEGIN IF (SELECT rolsuper FROM pg_catalog.pg_roles"
                 " WHERE rolname = current_user) THEN"
                 " SET ROLE pg_read_all_data; END IF; END $$"),
            },
        .asks =
            S_INIT("SELECT current_setting('default_transaction_read_only')"
                   " || ' ' || current_setting('standard_conforming_strings')"),
        .must_be = S_INIT("on on"),
        .bounds_memory = POSTGRES_BOUNDS_MEMORY,
        .asks_memory = POSTGRES_ASKS_MEMORY,
        .memory = server_sort_kilobytes,
        .asks_user = "SELECT CASE WHEN rolsuper THEN '1' ELSE '0' END FROM"
                     " pg_catalog.pg_roles WHERE rolname = session_user",
    },
    {
        .name = S_INIT("MariaDB"),
        .guard = &guard_mariadb,
        .has_mysql_codes = true,
        .limit = S_INIT("SET max_statement_time = "),
        .limit_unit_ms = 1000,
        .settings = {"SET SESSION TRANSACTION READ ONLY",
                     "SET time_zone = '+00:00'", PLAIN_MODES},
        .asks = S_INIT(READ_ONLY_AND_MODES),
        .must_be = S_INIT("1 0"),
        .bounds_memory = MARIADB_BOUNDS_MEMORY,
        .asks_memory = MARIADB_ASKS_MEMORY,
        .memory = server_session_bytes,
        .asks_user = MARIADB_ASKS_POWER,
        .rows = S_INIT("SET sql_select_limit = "),
    },
    {
        .name = S_INIT("MySQL"),
        .guard = &guard_mariadb,
        .has_mysql_codes = true,
        .limit = S_INIT("SET max_execution_time = "),
        .limit_unit_ms = 1,
        .settings = {"SET SESSION TRANSACTION READ ONLY",
                     "SET time_zone = '+00:00'", PLAIN_MODES},
        .asks = S_INIT(MYSQL_READ_ONLY_AND_MODES),
        .must_be = S_INIT("1 0"),
        .asks_user = MARIADB_ASKS_POWER,
        .rows = S_INIT("SET sql_select_limit = "),
    },
};

// SQL Server and the like: only how they read is known.
static const struct {
    str name;
    dialect dialect;
} readers[] = {
    {S_INIT("Microsoft SQL Server"), DIALECT_TSQL},
    {S_INIT("Snowflake"), DIALECT_SNOWFLAKE},
    {S_INIT("Google BigQuery"), DIALECT_BIGQUERY},
    {S_INIT("SQLite"), DIALECT_SQLITE},
};

static const odbc_system other_system = {.guard = &guard_other};

// A session that is not what was asked for is not used.
static bool verify(odbc_database *db, diag *d, arena scratch)
{
    const odbc_system *s = db->system;
    const engine_limits *limits = &db->base.owner->options.limits;
    if (s->asks_user && !trust_now()->superusers
        && !str_equal(engine_ask_text(&db->base, s->asks_user, &scratch),
                      S("0"))) {
        return engine_says(
            &db->base,
            S("the login is a superuser or may read and write files, which "
              "nothing can restrict; create one that may only SELECT, or give "
              "--allow-superuser"),
            d);
    }
    return (!s->memory
            || server_bounds_memory(&db->base, s->bounds_memory, s->asks_memory,
                                    s->memory(limits), d, scratch))
           && (s->asks.len == 0
               || engine_must_be(&db->base, s->asks, s->must_be, d, scratch));
}

// Time, and rows: drivers may take in all of a result before the first is read.
static void limit(odbc_database *db, const odbc_system *s, arena scratch)
{
    const engine_limits *limits = &db->base.owner->options.limits;
    arena words = scratch;
    double time = (double)limits->timeout_ms / s->limit_unit_ms;
    engine_tell(&db->base,
                arena_printf(&words, "%.*s%.*f", STR_ARG(s->limit),
                             s->limit_unit_ms > 1 ? 3 : 0, time),
                words);
    if (s->rows.len > 0 && limits->max_rows > 0) {
        engine_tell(&db->base,
                    arena_printf(&words, "%.*s%lld", STR_ARG(s->rows),
                                 (long long)limits->max_rows + 1),
                    words);
    }
}

bool odbc_begin_session(odbc_database *db, str system, diag *d, arena scratch)
{
    db->system = &other_system;
    for (ptrdiff_t i = 0; i < countof(systems); i++) {
        if (str_starts_fold(system, systems[i].name)) {
            db->system = &systems[i];
        }
    }
    const odbc_system *s = db->system;
    db->dialect = s->guard->dialect;
    for (ptrdiff_t i = 0; i < countof(readers); i++) {
        if (str_starts_fold(system, readers[i].name)) {
            db->dialect = readers[i].dialect;
        }
    }
    for (int i = 0; i < ODBC_SETTINGS && s->settings[i]; i++) {
        engine_tell(&db->base, str_from(s->settings[i]), scratch);
    }
    if (s->limit.len > 0) {
        limit(db, s, scratch);
    }
    return verify(db, d, scratch);
}
