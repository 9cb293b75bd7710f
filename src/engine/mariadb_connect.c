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
 *             What a query can leave in a session are variables, locks and what
 *             LAST_INSERT_ID() says; so each query finds the session begun
 *             anew, which takes the place of a ROLLBACK. The modes of the
 *             server that change how a text is read are taken away, for else
 *             the guard would read another text than the server.
 */
#include "base/clock.h"
#include "base/library.h"
#include "base/trust.h"
#include "engine/engine_mariadb.h"
#include "engine/query_guard.h"
#include "engine/server_memory.h"
#include "engine/url.h"

#include <string.h>
#include <time.h>

enum {
    CONNECT_S = 10,
};

const mariadb_api *mariadb_api_of(const mariadb_database *db)
{
    return &((const mariadb_engine *)db->base.owner)->api;
}

static const char *text_or_null(arena *a, str s)
{
    return s.len > 0 ? arena_cstr(a, s) : NULL;
}

static bool reach(mariadb_database *db, unsigned read_s, diag *d, arena scratch)
{
    const mariadb_api *my = mariadb_api_of(db);
    str url = db->base.path;
    url_parts u;
    MYSQL *conn = url_parse(&u, &scratch, url, d) ? my->mysql_init(NULL) : NULL;
    if (!conn) {
        return false;
    }
    const unsigned connect_s = CONNECT_S;
    const unsigned no = 0;
    my->mysql_options(conn, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
    my->mysql_options(conn, MYSQL_OPT_READ_TIMEOUT, &read_s);
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
        db->conn = conn;
        return true;
    }
    diag_add(d, (diag_place){.file = url_show(d->a, url)}, "%s",
             my->mysql_error(conn));
    my->mysql_close(conn);
    return false;
}

bool mariadb_reach(database *base, diag *d, arena scratch)
{
    return reach((mariadb_database *)base, 0, d, scratch);
}

static bool command(const mariadb_api *my, MYSQL *conn, str sql)
{
    return my->mysql_real_query(conn, sql.ptr, (unsigned long)sql.len) == 0;
}

bool mariadb_ask(database *base,
                 str sql,
                 catalogue_rows *rows,
                 arena *a,
                 str *why)
{
    mariadb_database *db = (mariadb_database *)base;
    const mariadb_api *my = mariadb_api_of(db);
    MYSQL_RES *result = db->conn && command(my, db->conn, sql)
                            ? my->mysql_store_result(db->conn)
                            : NULL;
    unsigned n = result ? my->mysql_num_fields(result) : 0;
    MYSQL_ROW row = NULL;
    while (result && rows && (row = my->mysql_fetch_row(result))) {
        str *cells = catalogue_add(rows, a);
        for (unsigned i = 0; i < n && i < CATALOGUE_MOST_COLUMNS; i++) {
            cells[i] = arena_str(a, str_from(row[i]));
        }
    }
    my->mysql_free_result(result);
    *why = db->conn ? arena_str(a, str_from(my->mysql_error(db->conn)))
                    : S("the connection was closed");
    return db->conn && my->mysql_errno(db->conn) == 0;
}

// Do the grants of the login, or of roles that it has by default, let it do
// anything? True, too, when they cannot be read.
static bool has_power_granted(mariadb_database *db, arena scratch)
{
    catalogue_rows rows = {0};
    str ignored;
    bool has_power = !mariadb_ask(&db->base, S(MARIADB_SHOWS_GRANTS), &rows,
                                  &scratch, &ignored);
    for (ptrdiff_t i = 0; i < rows.len; i += CATALOGUE_MOST_COLUMNS) {
        has_power |= guard_grants_power(rows.ptr[i]);
    }
    return has_power;
}

// The modes of the server but for those that change what a text says.
static str plain_modes(str modes, arena *a)
{
    buf kept = buf_new(a);
    while (modes.len > 0) {
        str mode = str_cut(&modes, ',');
        if (!str_among_fold(mode, "ANSI_QUOTES NO_BACKSLASH_ESCAPES "
                                  "IGNORE_SPACE ANSI ORACLE MSSQL DB2 "
                                  "POSTGRESQL MAXDB HIGH_NOT_PRECEDENCE")) {
            buf_printf(&kept, "%s%.*s", kept.len > 0 ? "," : "", STR_ARG(mode));
        }
    }
    return buf_str(&kept);
}

static bool is_mariadb(const mariadb_database *db)
{
    const char *info = mariadb_api_of(db)->mysql_get_server_info(db->conn);
    return str_find(str_from(info), S("MariaDB"), 0) >= 0;
}

static bool prepare_session(mariadb_database *db, arena scratch)
{
    const mariadb_api *my = mariadb_api_of(db);
    const engine_options *o = &db->base.owner->options;
    bool own = is_mariadb(db);
    buf sql = buf_new(&scratch);
    buf_printf(
        &sql, "SET time_zone='+00:00', autocommit=1, sql_mode='%.*s', %s=1",
        STR_ARG(db->sql_mode), own ? "tx_read_only" : "transaction_read_only");
    if (own) {
        buf_printf(&sql, ", max_statement_time=%.3f",
                   (double)o->limits.timeout_ms / 1000);
        buf_printf(&sql,
                   ", max_session_mem_used=LEAST(@@max_session_mem_used, %lld)",
                   (long long)server_session_bytes(&o->limits));
    } else {
        buf_printf(&sql, ", max_execution_time=%lld",
                   (long long)o->limits.timeout_ms);
    }
    if (o->clock_ms != 0) {
        buf_printf(&sql, ", timestamp=%.3f", (double)o->clock_ms / 1000);
    }
    return command(my, db->conn, buf_str(&sql));
}

// What was asked for is what is.
static bool verify_session(mariadb_database *db, diag *d, arena scratch)
{
    str is_fenced =
        is_mariadb(db) ? arena_printf(
            &scratch, "@@tx_read_only AND @@max_session_mem_used <= %lld",
            (long long)server_session_bytes(&db->base.owner->options.limits))
                       : S("@@transaction_read_only");
    str ask = arena_printf(&scratch,
                           "SELECT CONCAT_WS(' ', @@character_set_client,"
                           " @@time_zone, IF(%.*s, 1, 0), @@sql_mode)",
                           STR_ARG(is_fenced));
    str wanted =
        arena_printf(&scratch, "utf8mb4 +00:00 1 %.*s", STR_ARG(db->sql_mode));
    return engine_must_be(&db->base, ask, wanted, d, scratch);
}

// Who may do anything, or read and write the server's files: with leave only.
static bool check_user(mariadb_database *db, diag *d, arena scratch)
{
    str is_super = engine_ask_text(&db->base, MARIADB_ASKS_POWER, &scratch);
    if (trust_now()->superusers
        || (str_equal(is_super, S("0")) && !has_power_granted(db, scratch))) {
        return true;
    }
    return engine_says(
        &db->base,
        S("the login is a superuser or may read and write files (SUPER, FILE), "
          "which no permission restricts; create a login that can only read: "
          "CREATE USER reader IDENTIFIED BY '...'; GRANT SELECT, SHOW VIEW ON "
          "shop.* TO reader; or give --allow-superuser"),
        d);
}

// Views that lead to tables which a query may not name, and functions that may
// be called in views, by their definitions: of those that the login may see. A
// view of a view is found in the next pass.
static bool learn_telling(mariadb_database *db, arena scratch)
{
    catalogue_rows views = {0};
    str ignored;
    db->knows_own = mariadb_ask(&db->base,
                                S("SELECT table_name, view_definition FROM"
                                  " information_schema.views WHERE"
                                  " table_schema NOT IN"
                                  " (" MARIADB_OWN_DATABASES ") UNION ALL"
                                  " SELECT routine_name, routine_definition"
                                  " FROM information_schema.routines WHERE"
                                  " routine_type = 'FUNCTION' AND"
                                  " routine_schema NOT IN"
                                  " (" MARIADB_OWN_DATABASES ")"),
                                &views, &scratch, &ignored);
    db->own.ask = mariadb_ask_routine;
    db->own.context = db;
    for (ptrdiff_t i = 0; i < views.len; i += CATALOGUE_MOST_COLUMNS) {
        arena local = scratch;
        // Its name, empty once it is known, and its text.
        str *view = &views.ptr[i];
        if (view[0].len > 0
            && guard_tells(&guard_mariadb, &db->own, view[1], &local)) {
            guard_add_name(&db->own.telling, &db->base.owner->a, view[0],
                           DIALECT_MYSQL);
            view[0] = (str){0};
            i = -CATALOGUE_MOST_COLUMNS;
        }
    }
    return db->knows_own;
}

// No tables of people's are in the server's own databases.
static bool check_database(mariadb_database *db, diag *d, arena scratch)
{
    str own = engine_ask_text(&db->base,
                              "SELECT DATABASE() WHERE LOWER(DATABASE()) IN"
                              " (" MARIADB_OWN_DATABASES ")",
                              &scratch);
    return own.len == 0
           || diag_add(d, (diag_place){.file = url_show(d->a, db->base.path)},
                       "the database '%.*s' is a system database: it shows "
                       "what others run",
                       STR_ARG(own));
}

bool mariadb_open(database *base, diag *d, arena scratch)
{
    mariadb_database *db = (mariadb_database *)base;
    mariadb_engine *e = (mariadb_engine *)base->owner;
    const mariadb_api *my = &e->api;
    engine_make_room(base->owner);
    // The library, which reads the rows, waits in whole seconds.
    int64_t limit_ms = db->base.owner->options.limits.timeout_ms;
    unsigned read_s = (unsigned)(limit_ms / 1000 + 2);
    if (!reach(db, read_s, d, scratch)) {
        return false;
    }
    if (!engine_is_free(base, d, scratch)) {
        mariadb_close(&db->base);
        return false;
    }
    db->base.last_use_ns = clock_ns();
    db->is_dirty = false;
    if (db->sql_mode.len == 0) {
        str modes = engine_ask_text(&db->base, "SELECT @@sql_mode", &scratch);
        db->sql_mode = plain_modes(modes, &db->base.owner->a);
    }
    bool is_prepared = prepare_session(db, scratch);
    if (is_prepared && verify_session(db, d, scratch)
        && check_user(db, d, scratch) && check_database(db, d, scratch)
        && (db->knows_own || learn_telling(db, scratch))) {
        if (e->version.len == 0) {
            e->version = arena_str(
                &base->owner->a, str_from(my->mysql_get_server_info(db->conn)));
        }
        return true;
    }
    if (my->mysql_errno(db->conn) != 0) {
        diag_add(d, (diag_place){.file = url_show(d->a, db->base.path)}, "%s",
                 my->mysql_error(db->conn));
    }
    mariadb_close(&db->base);
    return false;
}

void mariadb_close(database *base)
{
    mariadb_database *db = (mariadb_database *)base;
    if (db->conn) {
        mariadb_api_of(db)->mysql_close(db->conn);
    }
    db->conn = NULL;
    base->last_use_ns = 0;
}

bool mariadb_clean(mariadb_database *db, arena scratch)
{
    db->is_dirty = false;
    return mariadb_api_of(db)->mysql_reset_connection(db->conn) == 0
           && prepare_session(db, scratch);
}

void mariadb_kill(mariadb_database *db, arena scratch)
{
    engine *e = db->base.owner;
    diag *ignored = engine_side_diag(&scratch);
    mariadb_database other = {.base = {.owner = e, .path = db->base.path}};
    unsigned long id = mariadb_api_of(db)->mysql_thread_id(db->conn);
    if (mariadb_reach(&other.base, ignored, scratch)) {
        engine_tell(&other.base, arena_printf(&scratch, "KILL %lu", id),
                    scratch);
        mariadb_close(&other.base);
    }
    *vec_push(&e->a, &e->stuck) = (int64_t)id;
}
