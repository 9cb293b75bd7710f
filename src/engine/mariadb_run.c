/*
 * mariadb_run.c - one query on one connection, under limits.
 *
 * Method      The query is sent, the answer waited for with the clock in view,
 *             rows are taken one by one. The server stops a query at its own
 *             limit, also in the middle of its rows, which is only told behind
 *             the last row that came. When it does not stop, and when no more
 *             rows are wanted, the connection is killed over another one: a
 *             kill that comes late then hits nothing else.
 */
#include "base/clock.h"
#include "engine/engine_mariadb.h"
#include "engine/query_guard.h"
#include "engine/row_sink.h"

#include <errno.h>
#include <poll.h>

enum {
    OWN_GRACE_MS = 150,  // the server's own clock comes first
    TICK_MS = 25,
};

// What a read-only transaction lets pass.
static const str refused[] = {
    S_INIT("load_file"),       S_INIT("get_lock"),
    S_INIT("release_lock"),    S_INIT("release_all_locks"),
    S_INIT("master_pos_wait"), S_INIT("master_gtid_wait"),
    S_INIT("source_pos_wait"), S_INIT("wait_for_executed_gtid_set"),
    S_INIT("nextval"),         S_INIT("setval"),
    S_INIT("lastval"),         S_INIT("sys_exec"),
    S_INIT("sys_eval"),
};

static const str secrets[] = {S_INIT("outfile"), S_INIT("dumpfile"),
                              S_INIT("global_priv")};

static const str clocks[] = {
    S_INIT("now"),
    S_INIT("sysdate"),
    S_INIT("curdate"),
    S_INIT("curtime"),
    S_INIT("current_date"),
    S_INIT("current_time"),
    S_INIT("localtime"),
    S_INIT("current_timestamp"),
    S_INIT("localtimestamp"),
    S_INIT("unix_timestamp"),
    S_INIT("utc_*"),
};

static const str randoms[] = {S_INIT("rand"), S_INIT("uuid*")};

static const query_guard guard = {
    .dialect = DIALECT_MYSQL,
    .refused = refused,
    .n_refused = countof(refused),
    .secrets = secrets,
    .n_secrets = countof(secrets),
    .clocks = clocks,
    .n_clocks = countof(clocks),
    .randoms = randoms,
    .n_randoms = countof(randoms),
};

// Error numbers of the server and of the library.
static const struct {
    unsigned code;
    reason status;
} meanings[] = {
    {1054, REASON_NO_SUCH_COLUMN},
    {1146, REASON_NO_SUCH_TABLE},
    {1049, REASON_NO_SUCH_TABLE},  // database
    {1109, REASON_NO_SUCH_TABLE},
    {1305, REASON_NO_SUCH_FUNCTION},
    {1128, REASON_NO_SUCH_FUNCTION},
    {1052, REASON_AMBIGUOUS_COLUMN},
    {1064, REASON_SYNTAX_ERROR},
    {1149, REASON_SYNTAX_ERROR},
    {1792, REASON_FORBIDDEN},  // read-only transaction
    {1044, REASON_FORBIDDEN},
    {1045, REASON_FORBIDDEN},
    {1142, REASON_FORBIDDEN},
    {1143, REASON_FORBIDDEN},
    {1227, REASON_FORBIDDEN},
    {1290, REASON_FORBIDDEN},
    {1370, REASON_FORBIDDEN},
    {1969, REASON_TIMEOUT},  // max_statement_time
    {3024, REASON_TIMEOUT},  // max_execution_time
    {1317, REASON_TIMEOUT},
    {1205, REASON_TIMEOUT},  // waited for a lock
    {1037, REASON_MEMORY},
    {1038, REASON_MEMORY},
    {1041, REASON_MEMORY},
    {1021, REASON_MEMORY},  // disk full
    {1114, REASON_MEMORY},  // table full
    {1153, REASON_MEMORY},  // packet too large
    {2008, REASON_MEMORY},
    {1436, REASON_TOO_COMPLEX},  // stack
    {1116, REASON_TOO_COMPLEX},  // tables
    {1117, REASON_TOO_COMPLEX},  // columns
    {2006, REASON_CONNECTION_LOST},
    {2013, REASON_CONNECTION_LOST},
    {2055, REASON_CONNECTION_LOST},
    {1053, REASON_CONNECTION_LOST},  // shutdown
    {1080, REASON_CONNECTION_LOST},
    {1152, REASON_CONNECTION_LOST},
    {1927, REASON_CONNECTION_LOST},  // killed
};

static reason meaning_of(unsigned code, str state)
{
    for (ptrdiff_t i = 0; i < countof(meanings); i++) {
        if (meanings[i].code == code) {
            return meanings[i].status;
        }
    }
    return str_starts(state, S("42")) || str_starts(state, S("21"))
               ? REASON_INVALID_QUERY
               : REASON_RUNTIME_ERROR;
}

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
    q->x->status = meaning_of(code, str_from(q->my->mysql_sqlstate(conn)));
    q->x->code = (int)code;
    q->x->message = arena_str(q->a, str_from(q->my->mysql_error(conn)));
    q->x->result = (table){0};
    if (q->x->status == REASON_CONNECTION_LOST) {
        mariadb_close(q->db);
    }
}

// Waits until the server answers; false at the end of the time.
static bool wait_for_answer(mariadb_query *q)
{
    const engine *e = q->db->base.owner;
    for (;;) {
        int64_t left_ms = (q->deadline_ns - clock_ns()) / 1000000;
        struct pollfd fd = {.fd = q->my->mysql_get_socket(q->db->conn),
                            .events = POLLIN};
        if (left_ms < 0) {
            return false;
        }
        int n = poll(&fd, 1, left_ms < TICK_MS ? (int)left_ms + 1 : TICK_MS);
        if (n > 0 || (n < 0 && errno != EINTR)) {
            return true;
        }
        if (e->tick) {
            e->tick(e->tick_context);
        }
    }
}

// For what is said on the way to another connection.
static arena small_scratch(mariadb_query *q)
{
    enum {
        SIZE = 128 << 10
    };
    char *bytes = arena_new(q->a, char, SIZE);
    return (arena){.next = bytes, .end = bytes + SIZE};
}

static void give_up(mariadb_query *q)
{
    mariadb_kill(q->db, small_scratch(q));
    mariadb_close(q->db);
}

static void read_columns(mariadb_query *q, MYSQL_RES *result)
{
    unsigned n = q->my->mysql_num_fields(result);
    const MYSQL_FIELD *columns = q->my->mysql_fetch_fields(result);
    str *names = arena_new(q->a, str, n);
    for (unsigned c = 0; c < n; c++) {
        names[c] = arena_str(q->a, str_from(columns[c].name));
        q->x->has_unknown_types |= !mariadb_knows(&columns[c]);
    }
    q->x->result.n_columns = n;
    q->x->result.names = names;
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
    if (!wait_for_answer(q)) {
        q->x->status = REASON_TIMEOUT;
        q->x->message = S("the server did not stop at the limit");
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
        mariadb_kill(q->db, small_scratch(q));
    }
    q->my->mysql_free_result(result);
    if (has_failed) {
        failed(q);
    } else if (!is_whole) {
        mariadb_close(q->db);
    }
}

static bool has_code_in_comment(str sql, execution *x)
{
    if (str_find(sql, S("/*!"), 0) < 0
        && str_find_fold(sql, S("/*M!"), 0) < 0) {
        return false;
    }
    x->status = REASON_FORBIDDEN;
    x->message = S("comments that are run are not allowed");
    return true;
}

static bool is_ready(mariadb_query *q)
{
    if (q->db->conn && !q->db->is_dirty) {
        return true;
    }
    arena scratch = small_scratch(q);
    diag *ignored = engine_side_diag(&scratch);
    return q->db->conn ? mariadb_clean(q->db, scratch)
                       : mariadb_open(q->db, ignored, scratch);
}

execution mariadb_run(database *base, str sql, engine_stop stop, arena *a)
{
    mariadb_database *db = (mariadb_database *)base;
    execution x = {.offset = -1, .stop = stop};
    const engine_limits *limits = &base->owner->options.limits;
    int64_t start = clock_ns();
    if (has_code_in_comment(sql, &x)
        || !query_guard_check(&guard, sql, &x, a)) {
        return x;
    }
    mariadb_query q = {
        .db = db,
        .my = mariadb_api_of(db),
        .x = &x,
        .sink = row_sink_new(&x, limits, a),
        .deadline_ns =
            start + (limits->timeout_ms + OWN_GRACE_MS) * (int64_t)1000000,
        .a = a,
    };
    if (!is_ready(&q)) {
        x.status = REASON_CONNECTION_LOST;
        x.message = S("the connection was closed");
        return x;
    }
    db->is_dirty = str_find(sql, S("@"), 0) >= 0;
    if (q.my->mysql_send_query(db->conn, sql.ptr, (unsigned long)sql.len)
        != 0) {
        failed(&q);
    } else {
        receive(&q);
    }
    if (x.status == REASON_NONE) {
        row_sink_done(&q.sink);
    }
    db->last_use_ns = clock_ns();
    x.ns = db->last_use_ns - start;
    return x;
}
