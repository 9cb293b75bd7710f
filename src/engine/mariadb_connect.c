/*
 * mariadb_connect.c - the library, and connections: made, prepared for foreign
 * queries, killed, closed.
 *
 * Method      A session whose transactions may only read, with autocommit: each
 *             query is a transaction of its own, and the server refuses to
 *             write in it. The server's own limit (max_statement_time, in
 *             MySQL max_execution_time) stops a query wherever it is; the
 *             clock of the session stands still (SET timestamp).
 *
 *             What a query can leave in a session are variables; after one
 *             that has an @ in it the session is begun anew.
 */
#include "base/clock.h"
#include "base/library.h"
#include "engine/engine_mariadb.h"
#include "engine/url.h"

#include <string.h>

enum {
    MOST_CONNECTIONS = 8,
    CONNECT_S = 10,
};

const mariadb_api *mariadb_api_of(const mariadb_database *db)
{
    return &((const mariadb_engine *)db->base.owner)->api;
}

bool mariadb_load(mariadb_engine *e, diag *d)
{
    static const char *const names[] = {
#define MY(name) #name,
#include "engine/mariadb_api.def"
#undef MY
    };
    const library_spec spec = {
        .file = "libmariadb.so.3",
        .needed =
            "MariaDB needs the library libmariadb.so.3 (Debian: libmariadb3)",
        .names = names,
        .n_names = countof(names),
    };
    return library_load(&e->library, (void **)&e->api, &spec, d);
}

static const char *text_or_null(arena *a, str s)
{
    return s.len > 0 ? arena_cstr(a, s) : NULL;
}

MYSQL *mariadb_reach(const mariadb_api *my, str url, diag *d, arena scratch)
{
    url_parts u;
    diag_place place = {.file = url_show(d->a, url)};
    MYSQL *conn = url_parse(&u, &scratch, url, d) ? my->mysql_init(NULL) : NULL;
    if (!conn) {
        return NULL;
    }
    const unsigned connect_s = CONNECT_S;
    const unsigned no = 0;
    my->mysql_options(conn, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
    my->mysql_options(conn, MYSQL_OPT_LOCAL_INFILE, &no);
    my->mysql_options(conn, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    my->mysql_options(conn, MYSQL_READ_DEFAULT_GROUP, "client");
    // A host that is a path is that of a socket.
    str socket = str_starts(u.host, S("/"))
                     ? u.host
                     : url_option(&u, &scratch, S("socket"));
    str host = str_starts(u.host, S("/")) ? (str){0} : u.host;
    if (my->mysql_real_connect(
            conn, text_or_null(&scratch, host), text_or_null(&scratch, u.user),
            u.has_password ? arena_cstr(&scratch, u.password) : NULL,
            text_or_null(&scratch, u.database), (unsigned)u.port,
            text_or_null(&scratch, socket), 0)) {
        return conn;
    }
    diag_add(d, place, "%s", my->mysql_error(conn));
    my->mysql_close(conn);
    return NULL;
}

static bool command(const mariadb_api *my, MYSQL *conn, str sql)
{
    return my->mysql_real_query(conn, sql.ptr, (unsigned long)sql.len) == 0;
}

static bool prepare_session(mariadb_database *db, arena scratch)
{
    const mariadb_api *my = mariadb_api_of(db);
    const engine_options *o = &db->base.owner->options;
    double limit_s = (double)o->limits.timeout_ms / 1000;
    bool is_mariadb =
        str_find(str_from(my->mysql_get_server_info(db->conn)), S("MariaDB"), 0)
        >= 0;
    str limit =
        is_mariadb
            ? arena_printf(&scratch, "SET max_statement_time=%.3f", limit_s)
            : arena_printf(&scratch, "SET max_execution_time=%lld",
                           (long long)o->limits.timeout_ms);
    str clock = arena_printf(&scratch, "SET timestamp=%.3f",
                             (double)o->clock_ms / 1000);
    return command(my, db->conn, S("SET time_zone='+00:00'"))
           && (o->clock_ms == 0 || command(my, db->conn, clock))
           && command(my, db->conn, limit)
           && command(my, db->conn, S("SET SESSION TRANSACTION READ ONLY"));
}

static void make_room(engine *e)
{
    mariadb_database *oldest = NULL;
    int n = 0;
    for (ptrdiff_t i = 0; i < e->databases.len; i++) {
        mariadb_database *db = (mariadb_database *)e->databases.ptr[i];
        if (db && db->conn) {
            n++;
            bool is_older = !oldest || db->last_use_ns < oldest->last_use_ns;
            oldest = is_older ? db : oldest;
        }
    }
    if (n >= MOST_CONNECTIONS) {
        mariadb_close(oldest);
    }
}

bool mariadb_open(mariadb_database *db, diag *d, arena scratch)
{
    const mariadb_api *my = mariadb_api_of(db);
    make_room(db->base.owner);
    db->conn = mariadb_reach(my, db->url, d, scratch);
    if (!db->conn) {
        return false;
    }
    db->last_use_ns = clock_ns();
    db->is_dirty = false;
    if (prepare_session(db, scratch)) {
        return true;
    }
    diag_add(d, (diag_place){.file = url_show(d->a, db->url)}, "%s",
             my->mysql_error(db->conn));
    mariadb_close(db);
    return false;
}

void mariadb_close(mariadb_database *db)
{
    if (db->conn) {
        mariadb_api_of(db)->mysql_close(db->conn);
        db->conn = NULL;
    }
}

bool mariadb_clean(mariadb_database *db, arena scratch)
{
    db->is_dirty = false;
    return mariadb_api_of(db)->mysql_reset_connection(db->conn) == 0
           && prepare_session(db, scratch);
}

void mariadb_kill(mariadb_database *db, arena scratch)
{
    const mariadb_api *my = mariadb_api_of(db);
    diag *ignored = engine_side_diag(&scratch);
    MYSQL *other = mariadb_reach(my, db->url, ignored, scratch);
    if (other) {
        command(
            my, other,
            arena_printf(&scratch, "KILL %lu", my->mysql_thread_id(db->conn)));
        my->mysql_close(other);
    }
}
