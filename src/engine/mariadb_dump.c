/*
 * mariadb_dump.c - databases made for one run: created, loaded from a dump,
 * dropped.
 */
#include "engine/dump_split.h"
#include "engine/engine_mariadb.h"
#include "engine/url.h"
#include "sql/name.h"

static bool execute(const mariadb_api *my, MYSQL *conn, str sql)
{
    bool ok = my->mysql_real_query(conn, sql.ptr, (unsigned long)sql.len) == 0;
    my->mysql_free_result(ok ? my->mysql_store_result(conn) : NULL);
    return ok;
}

static bool load(const mariadb_api *my,
                 MYSQL *conn,
                 const engine *e,
                 const engine_dump *dump,
                 diag *d,
                 arena scratch)
{
    dump_split split = dump_split_new(dump->text, DIALECT_MYSQL);
    dump_statement s;
    execute(my, conn, S("SET time_zone='+00:00'"));
    execute(my, conn, S("SET foreign_key_checks=0"));
    if (e->options.clock_ms != 0) {
        execute(my, conn,
                arena_printf(&scratch, "SET timestamp=%.3f",
                             (double)e->options.clock_ms / 1000));
    }
    while (dump_split_next(&split, &s)) {
        if (!execute(my, conn, s.sql) && !s.is_optional) {
            return diag_add(d, diag_locate(dump->path, dump->text, s.offset),
                            "cannot load the dump: %s", my->mysql_error(conn));
        }
    }
    return true;
}

bool mariadb_make(engine *e,
                  str server,
                  str url,
                  const engine_dump *dump,
                  diag *d,
                  arena scratch)
{
    const mariadb_api *my = &((mariadb_engine *)e)->api;
    MYSQL *conn = mariadb_reach(my, server, d, scratch);
    if (!conn) {
        return false;
    }
    str sql =
        name_statement(&scratch, "CREATE DATABASE $0 CHARACTER SET utf8mb4",
                       &dump->name, DIALECT_MYSQL);
    bool ok = execute(my, conn, sql)
              || diag_add(d, (diag_place){.file = url_show(d->a, server)}, "%s",
                          my->mysql_error(conn));
    my->mysql_close(conn);
    conn = ok ? mariadb_reach(my, url, d, scratch) : NULL;
    ok = conn && load(my, conn, e, dump, d, scratch);
    if (conn) {
        my->mysql_close(conn);
    }
    return ok;
}

void mariadb_drop(engine *e, str server, str name, arena scratch)
{
    const mariadb_api *my = &((mariadb_engine *)e)->api;
    str sql = name_statement(&scratch, "DROP DATABASE IF EXISTS $0", &name,
                             DIALECT_MYSQL);
    diag *ignored = engine_side_diag(&scratch);
    MYSQL *conn = mariadb_reach(my, server, ignored, scratch);
    if (conn) {
        execute(my, conn, sql);
        my->mysql_close(conn);
    }
}
