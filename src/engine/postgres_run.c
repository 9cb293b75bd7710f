/*
 * postgres_run.c - one query on one connection, under limits.
 *
 * Method      Always the extended protocol, in which the server refuses to
 *             make two statements of one text. What begins a transaction that
 *             may only read, the query, and what ends the transaction go out
 *             in one pipeline: one round trip, and the server skips the query
 *             when the first fails. After the query, and after the end, the
 *             session must be as it was; when it is not the query has done
 *             something that it may not, and the connection is closed.
 *
 *             A text that assay cannot read, or whose functions it does not
 *             know, is only shown to the server, which may know it to be
 *             wrong; it is never run.
 *
 *             Rows are taken one by one as they come, so a result of any size
 *             needs no memory but for the rows that are wanted.
 *             The server keeps the time limit itself. When it does not, and
 *             when no more rows are wanted, it is asked to stop; when it does
 *             not do that either, the connection is given up.
 *
 *             A connection that breaks is no fault of the query that ran on
 *             it, the first time: the execution says so, and the caller asks
 *             for a new connection and runs it once more.
 */
#include "base/clock.h"
#include "base/utf8.h"
#include "engine/engine_postgres.h"
#include "engine/row_sink.h"
#include "engine/server_reason.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    OWN_GRACE_MS = 100,   // the server's own clock comes first
    STOP_GRACE_MS = 250,  // for it to stop when it was asked to
    PREPARE_MS = 10000,
    MOST_SHOWN = 32 << 10,  // of a text: the server writes its tree, a
                            // hundred times as long, to its log
};

// A run on its way.
typedef struct postgres_query {
    postgres_database *db;
    const postgres_api *pq;
    const char *statement;  // prepared under this name; NULL: sent as text
    bool writes;            // of a script: in no transaction of ours
    str sql;
    execution *x;
    row_sink sink;
    postgres_class *classes;  // by column; NULL before the first result
    Oid *types;
    bool is_full;  // no more rows are wanted
    bool was_cancelled;
    bool goes_on;        // all the same
    bool has_new_types;  // met types that nobody asked the server about
    bool is_pipeline;
    int n_syncs;      // answered, of the two in the pipeline
    bool has_begun;   // what begins the transaction was answered
    bool is_broken;   // it failed
    bool is_unsound;  // the query left another session or transaction
    int64_t deadline_ns;
    arena *a;
} postgres_query;

// The server counts characters from 1.
static ptrdiff_t byte_offset(str sql, const char *position)
{
    int64_t n = 0;
    if (!position || !str_to_int(str_from(position), &n) || n < 1) {
        return -1;
    }
    ptrdiff_t at = 0;
    while (--n > 0 && at < sql.len) {
        ptrdiff_t size = utf8_size_at(sql, at);
        at += size > 0 ? size : 1;
    }
    return at;
}

// Not every error about a connection is about ours: foreign tables have others.
static bool ends_session(const postgres_query *q, const PGresult *r)
{
    const char *severity =
        q->pq->PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED);
    str state = str_from(q->pq->PQresultErrorField(r, PG_DIAG_SQLSTATE));
    bool is_error = severity && str_equal(str_from(severity), S("ERROR"));
    return str_starts(state, S("25P01"))
           || (!is_error
               && (str_starts(state, S("57P")) || str_starts(state, S("08"))));
}

// Is it about another server, whose tables are foreign ones here? That one
// cannot be reached, or does not understand what this one asks it.
static bool is_elsewhere(const postgres_query *q, const PGresult *r, reason why)
{
    const char *from = q->pq->PQresultErrorField(r, PG_DIAG_SOURCE_FUNCTION);
    const char *state = q->pq->PQresultErrorField(r, PG_DIAG_SQLSTATE);
    bool is_relayed =
        from && str_equal(str_from(from), S("pgfdw_report_error"));
    return why == REASON_CONNECTION_LOST
           || (is_relayed && str_starts(str_from(state), S("42")));
}

static void failed(postgres_query *q, const PGresult *r)
{
    const char *state = q->pq->PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char *text = q->pq->PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    const char *hint = q->pq->PQresultErrorField(r, PG_DIAG_MESSAGE_HINT);
    if (q->x->status != REASON_NONE || q->is_full) {
        return;  // we asked for it to be stopped
    }
    str message = engine_said(
        q->a, str_trim(str_from(text ? text : q->pq->PQresultErrorMessage(r))));
    q->x->result = (table){0};
    if (!state || ends_session(q, r)) {
        bool lacks_memory = str_find(message, S("memory"), 0) >= 0;
        engine_fails(q->x,
                     lacks_memory ? REASON_MEMORY : REASON_CONNECTION_LOST,
                     message);
        return;
    }
    reason why = server_reason(str_from(state), message);
    q->x->status = q->was_cancelled          ? REASON_TIMEOUT
                   : is_elsewhere(q, r, why) ? REASON_NO_DATABASE
                                             : why;
    q->x->code = (int)strtol(state, NULL, 36);
    q->x->message = arena_printf(q->a, "%.*s%s%s", STR_ARG(message),
                                 hint ? "; " : "", hint ? hint : "");
    q->x->offset = byte_offset(
        q->sql, q->pq->PQresultErrorField(r, PG_DIAG_STATEMENT_POSITION));
}

static postgres_class class_of(postgres_query *q, Oid type)
{
    postgres_class known = postgres_class_of(type);
    if (known != POSTGRES_UNKNOWN || type < POSTGRES_FIRST_OWN) {
        return known;
    }
    for (ptrdiff_t i = 0; i < q->db->types.len; i++) {
        if (q->db->types.ptr[i].oid == type) {
            return q->db->types.ptr[i].class;
        }
    }
    q->has_new_types = true;
    return POSTGRES_UNKNOWN;
}

static void read_columns(postgres_query *q, const PGresult *r)
{
    int n = q->pq->PQnfields(r);
    str *names = row_sink_columns(q->x, n, q->a);
    q->classes = arena_new(q->a, postgres_class, n);
    q->types = arena_new(q->a, Oid, n);
    for (int c = 0; c < n; c++) {
        names[c] = arena_str(q->a, str_from(q->pq->PQfname(r, c)));
        q->types[c] = q->pq->PQftype(r, c);
        q->classes[c] = class_of(q, q->types[c]);
        q->x->has_unknown_types |= q->classes[c] == POSTGRES_UNKNOWN;
    }
}

static void read_rows(postgres_query *q, const PGresult *r)
{
    if (!q->classes) {
        read_columns(q, r);
    }
    int n_rows = q->pq->PQntuples(r);
    int n_columns = (int)q->x->result.n_columns;
    for (int i = 0; i < n_rows && !q->is_full; i++) {
        for (int c = 0; c < n_columns; c++) {
            str text = {q->pq->PQgetvalue(r, i, c),
                        q->pq->PQgetlength(r, i, c)};
            row_sink_add(&q->sink,
                         q->pq->PQgetisnull(r, i, c)
                             ? value_null()
                             : postgres_value(q->classes[c], text, q->a));
        }
        q->is_full = !row_sink_end_row(&q->sink);
    }
}

// One result of the server, not yet freed.
static void take(postgres_query *q, const PGresult *r)
{
    switch (q->pq->PQresultStatus(r)) {
    case PGRES_SINGLE_TUPLE:
    case PGRES_TUPLES_OK:
        if (!q->is_full) {
            read_rows(q, r);
        }
        break;
    case PGRES_FATAL_ERROR:
        if (r) {
            failed(q, r);
        }
        break;
    case PGRES_EMPTY_QUERY:
    case PGRES_COMMAND_OK:
    case PGRES_COPY_OUT:
    case PGRES_COPY_IN:
    case PGRES_BAD_RESPONSE:
    case PGRES_NONFATAL_ERROR:
    case PGRES_COPY_BOTH:
    case PGRES_PIPELINE_SYNC:
    case PGRES_PIPELINE_ABORTED: break;
    }
}

static void lose(postgres_query *q)
{
    if (q->x->status == REASON_NONE && !q->is_full) {
        str rest = str_from(q->pq->PQerrorMessage(q->db->conn));
        str why = str_trim(str_cut(&rest, '\n'));
        engine_fails(q->x,
                     str_find(why, S("memory"), 0) >= 0
                         ? REASON_MEMORY
                         : REASON_CONNECTION_LOST,
                     arena_str(q->a, why));
    }
    if (q->goes_on) {
        engine *e = q->db->base.owner;
        *vec_push(&e->a, &e->stuck) = q->pq->PQbackendPID(q->db->conn);
        e->n_stuck = (int)e->stuck.len;
    }
    postgres_close(&q->db->base);
}

// Asks the server to stop what it does for the connection.
static void cancel(postgres_database *db)
{
    const postgres_api *pq = postgres_api_of(db);
    char ignored[256];
    PGcancel *cancel = pq->PQgetCancel(db->conn);
    if (cancel) {
        pq->PQcancel(cancel, ignored, sizeof ignored);
        pq->PQfreeCancel(cancel);
    }
}

// Past the limit, or with all rows that are wanted: stop the server. False when
// it was asked before and goes on.
static bool stop(postgres_query *q)
{
    if (q->was_cancelled) {
        return false;
    }
    cancel(q->db);
    q->was_cancelled = true;
    q->deadline_ns = clock_ns() + (int64_t)STOP_GRACE_MS * 1000000;
    return true;
}

static bool send_text(postgres_query *q, const char *sql)
{
    return q->pq->PQsendQueryParams(q->db->conn, sql, 0, NULL, NULL, NULL, NULL,
                                    0);
}

// Sends the query in a transaction that ends with it. The end is not skipped
// when the query fails: it stands after a sync.
static bool send_query(postgres_query *q)
{
    PGconn *conn = q->db->conn;
    if (q->statement) {
        return q->pq->PQsendQueryPrepared(conn, q->statement, 0, NULL, NULL,
                                          NULL, 0);
    }
    if (q->writes) {
        return send_text(q, q->sql.ptr);
    }
    q->is_pipeline = true;
    q->db->was_left = false;
    return q->pq->PQenterPipelineMode(conn) && send_text(q, POSTGRES_BEGIN)
           && send_text(q, q->sql.ptr) && q->pq->PQpipelineSync(conn)
           && send_text(q, "ROLLBACK")
           && (!postgres_may_lock(q->db) || send_text(q, POSTGRES_UNLOCK))
           && q->pq->PQpipelineSync(conn);
}

// Is the answer there as a whole, and short? Then its rows need not come one by
// one, which costs libpq a good deal. The server sends pieces of 8 KiB, the
// last one is shorter and ends with "ready for query". On an encrypted
// connection this cannot be seen; what is found by chance does no harm.
static bool has_short_answer(postgres_query *q)
{
    static const char ready[] = {'Z', 0, 0, 0, 5};
    char bytes[8192];
    int fd = q->pq->PQsocket(q->db->conn);
    if (q->pq->PQflush(q->db->conn) != 0
        || !engine_wait(q->db->base.owner, fd, POLLIN, q->deadline_ns)) {
        return false;
    }
    ssize_t n = recv(fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    const ssize_t tail = sizeof ready + 1;
    return n > tail && n < (ssize_t)sizeof bytes
           && memcmp(bytes + n - tail, ready, sizeof ready) == 0;
}

// Waits for the next result; asks the server to stop when it is late. False
// when it is lost.
static bool await(postgres_query *q)
{
    if (q->is_full && !q->was_cancelled) {
        stop(q);
    }
    while (!postgres_wait(q->db, q->deadline_ns)) {
        bool is_alive = q->pq->PQstatus(q->db->conn) == CONNECTION_OK
                        && clock_ns() >= q->deadline_ns;
        if (!is_alive || !stop(q)) {
            q->goes_on = is_alive;
            return is_alive && q->x->status == REASON_NONE && !q->is_full
                   && engine_fails(q->x, REASON_TIMEOUT,
                                   S("the server did not stop at the limit"));
        }
    }
    return true;
}

// A result of the pipeline, or NULL at the end of those of one command. What
// the query did to its session shows before the end undoes it; that it ended
// the transaction only then.
static void take_piped(postgres_query *q, const PGresult *r, bool is_short)
{
    if (q->pq->PQresultStatus(r) == PGRES_PIPELINE_SYNC) {
        q->is_unsound |= q->n_syncs++ == 0 && !postgres_is_sound(q->db, true);
    } else if (q->n_syncs > 0) {
        // ROLLBACK and what follows, which cannot fail but by our own cancel.
    } else if (q->has_begun) {
        take(q, r);
    } else if (r) {
        q->is_broken |= q->pq->PQresultStatus(r) != PGRES_COMMAND_OK;
    } else {
        q->has_begun = true;
        if (!is_short) {
            q->pq->PQsetSingleRowMode(q->db->conn);
        }
    }
}

// Reads all that the server says to what was sent; false when it is lost.
static bool receive(postgres_query *q)
{
    bool is_short = has_short_answer(q);
    bool goes_on = true;
    if (!is_short && !q->is_pipeline) {
        q->pq->PQsetSingleRowMode(q->db->conn);
    }
    while (goes_on) {
        if (!await(q)) {
            return false;
        }
        PGresult *r = q->pq->PQgetResult(q->db->conn);
        if (q->is_pipeline) {
            take_piped(q, r, is_short);
            goes_on = q->n_syncs < 2;
        } else {
            take(q, r);
            goes_on = r != NULL;
        }
        q->pq->PQclear(r);
        if (q->pq->PQstatus(q->db->conn) != CONNECTION_OK) {
            return false;
        }
    }
    return !q->is_broken
           && (!q->is_pipeline || q->pq->PQexitPipelineMode(q->db->conn));
}

// A query after which the session is another has done what it may not.
static void check_session(postgres_query *q, bool is_inside)
{
    q->is_unsound |= q->is_pipeline && q->db->was_left;
    if (q->db->conn && q->was_cancelled) {
        postgres_leave(q->db);  // the cancel may have hit the end
    }
    if (q->db->conn
        && (q->is_unsound || !postgres_is_sound(q->db, is_inside))) {
        postgres_close(&q->db->base);
        *q->x = (execution){
            .status = REASON_FORBIDDEN,
            .message = S("the query changed its transaction or its session"),
            .offset = -1,
            .stop = q->x->stop,
        };
    }
}

// Asks the server what types its users made.
static void learn_types(postgres_database *db, arena *a)
{
    catalogue_rows rows = {0};
    str ignored;
    postgres_rows(
        &db->base,
        S("SELECT oid, CASE WHEN typtype = 'e' OR typcategory = 'S' THEN 0"
          " WHEN typcategory = 'A' THEN 1 ELSE 2 END"
          " FROM pg_catalog.pg_type WHERE oid >= 16384"),
        &rows, a, &ignored);
    db->types.len = 0;
    for (ptrdiff_t i = 0; i < rows.len; i += CATALOGUE_MOST_COLUMNS) {
        // Of whatever else a server sends nothing is known.
        str which = rows.ptr[i + 1];
        postgres_class class = str_equal(which, S("0"))   ? POSTGRES_TEXT
                               : str_equal(which, S("1")) ? POSTGRES_PLAIN
                                                          : POSTGRES_UNKNOWN;
        int64_t oid = 0;
        str_to_int(rows.ptr[i], &oid);
        *vec_push(&db->base.owner->a, &db->types) =
            (postgres_type){(Oid)oid, class};
    }
}

// Columns of types that were met for the first time: of enumerations and the
// like the values are texts, now that this is known.
static void settle_types(postgres_query *q)
{
    learn_types(q->db, q->a);
    ptrdiff_t n = q->x->result.n_columns;
    q->x->has_unknown_types = false;
    for (ptrdiff_t c = 0; c < n; c++) {
        q->has_new_types = false;
        postgres_class class = class_of(q, q->types[c]);
        if (q->has_new_types) {  // made a moment ago
            *vec_push(&q->db->base.owner->a, &q->db->types) =
                (postgres_type){q->types[c], class};
        }
        for (ptrdiff_t r = 0; class == POSTGRES_TEXT && r < q->sink.n_rows;
             r++) {
            value *v = &q->sink.cells.ptr[r * n + c];
            v->kind = v->kind == VALUE_OTHER ? VALUE_TEXT : v->kind;
        }
        q->x->has_unknown_types |= class == POSTGRES_UNKNOWN;
    }
}

// Is the session in a transaction? A script may begin one.
static bool is_inside(const postgres_database *db)
{
    return db->conn
           && postgres_api_of(db)->PQtransactionStatus(db->conn)
                  != PQTRANS_IDLE;
}

static execution run(postgres_query q, execution x)
{
    postgres_database *db = q.db;
    postgres_engine *e = (postgres_engine *)db->base.owner;
    const engine_limits *limits = &e->base.options.limits;
    int64_t start = clock_ns();
    int64_t most =
        start + (limits->timeout_ms + OWN_GRACE_MS) * (int64_t)1000000;
    q.pq = &e->api;
    q.sql = str_from(arena_cstr(q.a, q.sql));
    q.x = &x;
    q.sink = row_sink_new(&x, limits, q.a);
    q.deadline_ns =
        q.deadline_ns > 0 && q.deadline_ns < most ? q.deadline_ns : most;
    if (!db->conn) {
        engine_fails(&x, REASON_CONNECTION_LOST,
                     S("the connection was closed"));
        return x;
    }
    if (!send_query(&q) || !receive(&q)) {
        lose(&q);
    }
    check_session(&q, q.writes && is_inside(db));
    if (x.status == REASON_NONE && x.result.n_columns == 0 && !q.writes) {
        engine_fails(&x, REASON_INVALID_QUERY,
                     S("the query returns no column"));
    }
    if (x.status == REASON_NONE) {
        if (q.has_new_types) {
            settle_types(&q);
        }
        row_sink_done(&q.sink);
    }
    int64_t now = clock_ns();
    db->base.last_use_ns = db->conn ? now : 0;
    x.ns = now - start;
    return x;
}

execution postgres_run_prepared(postgres_database *db,
                                str name,
                                str sql,
                                engine_stop stop_at,
                                arena *a)
{
    return run(
        (postgres_query){.db = db, .statement = name.ptr, .sql = sql, .a = a},
        (execution){.offset = -1, .stop = stop_at});
}

// One step of preparing: what was sent is answered, and well.
static bool is_prepared(postgres_query *q, bool describes)
{
    PGresult *r = NULL;
    bool ok = true;
    while ((ok = await(q)) && (r = q->pq->PQgetResult(q->db->conn))) {
        if (q->pq->PQresultStatus(r) == PGRES_FATAL_ERROR) {
            failed(q, r);
        } else if (describes) {
            read_columns(q, r);
        }
        q->pq->PQclear(r);
    }
    if (!ok) {
        lose(q);
    }
    return q->x->status == REASON_NONE;
}

// Has the server make a statement of the text, and say its columns if it has a
// name. Nothing is run.
static bool prepare(postgres_query *q, const char *name)
{
    const postgres_api *pq = postgres_api_of(q->db);
    q->pq = pq;
    q->sql = str_from(arena_cstr(q->a, q->sql));
    q->deadline_ns = clock_ns() + (int64_t)PREPARE_MS * 1000000;
    if (!q->db->conn) {
        return engine_fails(q->x, REASON_CONNECTION_LOST,
                            S("the connection was closed"));
    }
    if (!pq->PQsendPrepare(q->db->conn, name, q->sql.ptr, 0, NULL)) {
        lose(q);
    }
    if (q->x->status != REASON_NONE || !is_prepared(q, false) || !*name) {
        return q->x->status == REASON_NONE;
    }
    if (!pq->PQsendDescribePrepared(q->db->conn, name)) {
        lose(q);
    }
    return q->x->status == REASON_NONE && is_prepared(q, true);
}

// What the server thinks of a text that assay does not let pass: when it is
// wrong there, too, its reason is the better one.
static void ask_server(postgres_database *db,
                       str sql,
                       bool is_inside,
                       execution *x,
                       arena *a)
{
    execution said = {.offset = -1, .stop = x->stop};
    postgres_query q = {.db = db, .sql = sql, .x = &said, .a = a};
    prepare(&q, "");
    check_session(&q, is_inside);
    if (said.status != REASON_NONE) {
        *x = said;
    }
}

// Does the server read nothing of the owner's in the text? Nothing is run.
static bool calls_no_own(postgres_database *db, str sql, execution *x, arena *a)
{
    postgres_tree tree;
    if (sql.len > MOST_SHOWN) {
        return engine_fails(
            x, REASON_TOO_LONG,
            S("longer than 32 KiB, and it may call user-defined functions"));
    }
    postgres_show_tree(db, &tree, a);
    ask_server(db, sql, true, x, a);
    postgres_drop_notices(db);
    postgres_leave(db);
    return x->status == REASON_NONE && postgres_tree_is_safe(db, &tree, x, a);
}

static bool may_run(postgres_database *db, str sql, execution *x, arena *a)
{
    guard_answer guard =
        query_guard_check(&guard_postgres, &db->own, sql, x, a);
    // A text that is not understood: is it wrong, or does it reach what is the
    // owner's? Then that is why it is not run.
    execution said = {.offset = -1, .stop = x->stop};
    if ((guard == GUARD_CANNOT_READ || guard == GUARD_NOT_LISTED)
        && !calls_no_own(db, sql, &said, a)) {
        *x = said;
    }
    return guard == GUARD_SENDS
           || (guard == GUARD_ASKS && calls_no_own(db, sql, x, a));
}

execution postgres_run(database *base, str sql, engine_stop stop_at, arena *a)
{
    execution x = {.offset = -1, .stop = stop_at};
    postgres_database *db = (postgres_database *)base;
    return may_run(db, sql, &x, a)
               ? run((postgres_query){.db = db, .sql = sql, .a = a}, x)
               : x;
}

// May the statement be sent? What would have to be looked at as a tree is not:
// that takes a transaction of its own.
static bool may_write(postgres_database *db, str sql, execution *x, arena *a)
{
    query_guard guard = guard_postgres;
    guard.is_script = true;
    guard_answer said = query_guard_check(&guard, &db->own, sql, x, a);
    if (said == GUARD_ASKS) {
        engine_fails(x, REASON_NOT_UNDERSTOOD,
                     S("it may call a user-defined function"));
    } else if (said == GUARD_CANNOT_READ || said == GUARD_NOT_LISTED) {
        ask_server(db, sql, is_inside(db), x, a);
    }
    return said == GUARD_SENDS;
}

execution postgres_run_statement(database *base,
                                 str sql,
                                 int64_t deadline_ns,
                                 arena *a)
{
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    postgres_query q = {.db = (postgres_database *)base,
                        .writes = true,
                        .sql = sql,
                        .deadline_ns = deadline_ns,
                        .a = a};
    return may_write(q.db, sql, &x, a) ? run(q, x) : x;
}

bool postgres_prepare(postgres_database *db,
                      str name,
                      str sql,
                      execution *x,
                      arena *a)
{
    postgres_query q = {.db = db, .sql = sql, .x = x, .a = a};
    return may_run(db, sql, x, a) && prepare(&q, name.ptr);
}
