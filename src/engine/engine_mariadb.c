/*
 * engine_mariadb.c - the driver of MariaDB, MySQL and the servers that speak
 * their protocol (TiDB, Vitess, StarRocks, Doris).
 *
 * mariadb_connect.c says how a session is made safe, mariadb_run.c how a query
 * is run in it.
 */
#include "engine/engine_mariadb.h"

#include "base/library.h"

static bool mariadb_start(engine *e, diag *d)
{
    return mariadb_load((mariadb_engine *)e, d);
}

static void mariadb_stop(engine *e)
{
    library_close(((mariadb_engine *)e)->library);
}

static str mariadb_version(const engine *e, arena *a)
{
    str version = ((const mariadb_engine *)e)->version;
    bool is_mariadb = str_find(version, S("MariaDB"), 0) >= 0;
    str number = str_cut(&version, '-');
    return arena_printf(a, "%s %.*s", is_mariadb ? "MariaDB" : "MySQL",
                        STR_ARG(number));
}

static bool mariadb_enter(database *base, str path, diag *d, arena scratch)
{
    mariadb_database *db = (mariadb_database *)base;
    mariadb_engine *e = (mariadb_engine *)base->owner;
    db->url = arena_str(&e->base.a, path);
    if (!mariadb_open(db, d, scratch)) {
        return false;
    }
    if (e->version.len == 0) {
        e->version = arena_str(
            &e->base.a, str_from(e->api.mysql_get_server_info(db->conn)));
    }
    return true;
}

static void mariadb_leave(database *db)
{
    mariadb_close((mariadb_database *)db);
}

static bool mariadb_enter_again(database *base, diag *d, arena scratch)
{
    mariadb_database *db = (mariadb_database *)base;
    mariadb_close(db);
    return mariadb_open(db, d, scratch);
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
    .start = mariadb_start,
    .stop = mariadb_stop,
    .version = mariadb_version,
    .connect = mariadb_enter,
    .disconnect = mariadb_leave,
    .reconnect = mariadb_enter_again,
    .home = S_INIT("information_schema"),
    .make = mariadb_make,
    .drop = mariadb_drop,
    .ask = mariadb_ask,
    .catalogue = mariadb_catalogue,
    .names = mariadb_names,
    .sums = "CHECKSUM TABLE #0",
    .fingerprint = engine_sum_tables,
    .read_schema = engine_read_catalogue,
    .run = mariadb_run,
};
