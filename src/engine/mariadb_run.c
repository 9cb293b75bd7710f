/*
 * mariadb_run.c - one query on one connection, under limits.
 *
 * Method      The query is sent, the answer waited for with the clock in view,
 *             rows are taken one by one. The server stops a query at its own
 *             limit, also in the middle of its rows, which is only told after
 *             the last row that came. When it does not stop, and when no more
 *             rows are wanted, the connection is killed over another one: a
 *             kill that comes late then hits nothing else.
 */
#include "base/clock.h"
#include "engine/engine_mariadb.h"
#include "engine/query_guard.h"
#include "engine/row_sink.h"
#include "engine/server_reason.h"

#include <errmsg.h>
#include <poll.h>

enum {
    OWN_GRACE_MS = 150,  // the server's own clock comes first
};

typedef struct mariadb_query {
    mariadb_database *db;
    const mariadb_api *my;
    execution *x;
    row_sink sink;
    int64_t deadline_ns;
    arena *a;
} mariadb_query;

static void failed(mariadb_query *q)
{
    MYSQL *conn = q->db->conn;
    unsigned code = q->my->mysql_errno(conn);
    q->x->code = (int)code;
    q->x->message = engine_said(q->a, str_from(q->my->mysql_error(conn)));
    q->x->status = server_reason_mysql(
        code, str_from(q->my->mysql_sqlstate(conn)), q->x->message);
    q->x->result = (table){0};
    if (q->x->status == REASON_CONNECTION_LOST) {
        mariadb_close(&q->db->base);
    }
}

static void give_up(mariadb_query *q)
{
    engine_fails(q->x, REASON_TIMEOUT,
                 S("the server did not stop at the limit"));
    mariadb_kill(q->db, *q->a);
    mariadb_close(&q->db->base);
}

// The library waited for it as long as it waits for anything.
static bool is_late(const mariadb_query *q, unsigned code)
{
    return code == CR_SERVER_LOST && clock_ns() > q->deadline_ns;
}

static void read_columns(mariadb_query *q, MYSQL_RES *result)
{
    unsigned n = q->my->mysql_num_fields(result);
    const MYSQL_FIELD *columns = q->my->mysql_fetch_fields(result);
    str *names = row_sink_columns(q->x, n, q->a);
    for (unsigned c = 0; c < n; c++) {
        names[c] = arena_str(q->a, str_from(columns[c].name));
        q->x->has_unknown_types |= columns[c].type == MYSQL_TYPE_GEOMETRY;
    }
}

// False when there are more rows than are wanted.
static bool read_rows(mariadb_query *q, MYSQL_RES *result)
{
    const MYSQL_FIELD *columns = q->my->mysql_fetch_fields(result);
    ptrdiff_t n = q->x->result.n_columns;
    MYSQL_ROW row = NULL;
    while ((row = q->my->mysql_fetch_row(result))) {
        const unsigned long *lengths = q->my->mysql_fetch_lengths(result);
        for (ptrdiff_t c = 0; c < n; c++) {
            str text = {row[c], (ptrdiff_t)lengths[c]};
            row_sink_add(&q->sink, row[c]
                                       ? mariadb_value(&columns[c], text, q->a)
                                       : value_null());
        }
        if (!row_sink_end_row(&q->sink)) {
            return false;
        }
    }
    return true;
}

static void receive(mariadb_query *q)
{
    if (!engine_wait(q->db->base.owner, q->my->mysql_get_socket(q->db->conn),
                     POLLIN, q->deadline_ns)) {
        give_up(q);
        return;
    }
    MYSQL_RES *result = q->my->mysql_read_query_result(q->db->conn) == 0
                            ? q->my->mysql_use_result(q->db->conn)
                            : NULL;
    if (!result) {
        failed(q);
        return;
    }
    read_columns(q, result);
    bool is_whole = read_rows(q, result);
    // Rows may end because the query did: only now is it known.
    bool has_failed = is_whole && q->my->mysql_errno(q->db->conn) != 0;
    if (!is_whole) {
        mariadb_kill(q->db, *q->a);
    }
    q->my->mysql_free_result(result);
    if (has_failed && is_late(q, q->my->mysql_errno(q->db->conn))) {
        give_up(q);
    } else if (has_failed) {
        failed(q);
    } else if (!is_whole) {
        mariadb_close(&q->db->base);
    }
}

static bool is_ready(mariadb_query *q)
{
    if (q->db->conn && !q->db->is_dirty) {
        return true;
    }
    arena scratch = *q->a;
    diag *ignored = engine_side_diag(&scratch);
    return q->db->conn ? mariadb_clean(q->db, scratch)
                       : mariadb_open(&q->db->base, ignored, scratch);
}

// What the server thinks of a text that assay does not let pass: when it is
// wrong there, too, its reason is the better one. It is prepared, and not run.
static void ask_server(mariadb_query *q, str sql)
{
    const mariadb_api *my = q->my;
    MYSQL_STMT *s = my->mysql_stmt_init(q->db->conn);
    if (s && my->mysql_stmt_prepare(s, sql.ptr, (unsigned long)sql.len) != 0) {
        unsigned code = my->mysql_stmt_errno(s);
        q->x->code = (int)code;
        q->x->message = engine_said(q->a, str_from(my->mysql_stmt_error(s)));
        q->x->status = server_reason_mysql(
            code, str_from(my->mysql_stmt_sqlstate(s)), q->x->message);
        q->x->offset = -1;
    }
    if (s) {
        my->mysql_stmt_close(s);
    }
    if (is_late(q, (unsigned)q->x->code)) {
        give_up(q);
    } else if (q->x->status == REASON_CONNECTION_LOST) {
        mariadb_close(&q->db->base);
    }
}

static void send_and_receive(mariadb_query *q, str sql)
{
    if (q->my->mysql_send_query(q->db->conn, sql.ptr, (unsigned long)sql.len)
        != 0) {
        failed(q);
    } else {
        receive(q);
    }
    if (q->x->status == REASON_NONE) {
        row_sink_done(&q->sink);
    }
}

execution mariadb_run(database *base, str sql, engine_stop stop, arena *a)
{
    mariadb_database *db = (mariadb_database *)base;
    execution x = {.offset = -1, .stop = stop};
    const engine_limits *limits = &base->owner->options.limits;
    int64_t start = clock_ns();
    mariadb_query q = {
        .db = db,
        .my = mariadb_api_of(db),
        .x = &x,
        .deadline_ns =
            start + (limits->timeout_ms + OWN_GRACE_MS) * (int64_t)1000000,
        .a = a,
    };
    if (!is_ready(&q)
        || !engine_tell(base, S("START TRANSACTION READ ONLY"), *a)) {
        engine_fails(&x, REASON_CONNECTION_LOST,
                     S("the connection was closed"));
        return x;
    }
    guard_answer guard =
        query_guard_check(&guard_mariadb, &db->own, sql, &x, a);
    db->is_dirty = true;
    q.sink = row_sink_new(&x, limits, a);
    if (guard == GUARD_SENDS) {
        send_and_receive(&q, sql);
    } else if (guard != GUARD_REFUSES) {
        ask_server(&q, sql);
    }
    // It leaves nothing locked.
    if (db->conn && !engine_tell(base, S("ROLLBACK"), *a)) {
        mariadb_close(base);
    }
    int64_t now = clock_ns();
    db->base.last_use_ns = db->conn ? now : 0;
    x.ns = now - start;
    return x;
}
