/*
 * engine_mariadb.c - the driver of MariaDB, MySQL and the servers that speak
 * their protocol (TiDB, Vitess, StarRocks, Doris).
 *
 * mariadb_connect.c says how a session is made safe, mariadb_run.c how a query
 * is run in it.
 */
#include "engine/engine_mariadb.h"

static const char *const names[] = {
#define MY(name) #name,
#include "engine/mariadb_api.def"
#undef MY
};

static const library_spec connector = {
    .file = "libmariadb.so.3",
    .needed = "MariaDB needs the library libmariadb.so.3 (Debian: libmariadb3)",
    .names = names,
    .n_names = countof(names),
};

static str mariadb_version(const engine *e, arena *a)
{
    str version = ((const mariadb_engine *)e)->version;
    bool is_mariadb = str_find(version, S("MariaDB"), 0) >= 0;
    str number = str_cut(&version, '-');
    return arena_printf(a, "%s %.*s", is_mariadb ? "MariaDB" : "MySQL",
                        STR_ARG(number));
}

const engine_driver driver_mariadb = {
    .word = S_INIT("mariadb"),
    .title = S_INIT("MariaDB"),
    .schemes = {S_INIT("mysql://"), S_INIT("mariadb://")},
    .dialect = DIALECT_MYSQL,
    .is_server = true,
    .own_databases = "mysql information_schema performance_schema sys",
    .engine_size = sizeof(mariadb_engine),
    .database_size = sizeof(mariadb_database),
    .library = &connector,
    .api = offsetof(mariadb_engine, api),
    .version = mariadb_version,
    .connect = mariadb_open,
    .disconnect = mariadb_close,
    .may_be_lost = true,
    .reach = mariadb_reach,
    .home = S_INIT("information_schema"),
    .create = "CREATE DATABASE $0 CHARACTER SET utf8mb4",
    .before_load = "SET time_zone='+00:00', foreign_key_checks=0,"
                   " timestamp=#0",
    .made = "SELECT #0",
    .drop = "DROP DATABASE IF EXISTS $0",
    .asks_stuck = "SELECT id FROM information_schema.processlist"
                  " WHERE id IN (#0)",
    .ask = mariadb_ask,
    .catalogue = mariadb_catalogue,
    .names = mariadb_names,
    .sums = "CHECKSUM TABLE #0",
    .fingerprint = engine_sum_tables,
    .read_schema = engine_read_catalogue,
    .run = mariadb_run,
};
