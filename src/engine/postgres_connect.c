/*
 * postgres_connect.c - connections: made, prepared for foreign queries, waited
 * for, closed.
 *
 * Method      Every query runs in a read-only transaction of its own, whose
 *             ROLLBACK is sent with it. So neither a write nor a setting nor a
 *             lock outlives a query, and nobody who changes a table waits for
 *             a session of ours. What a session must be is said when it
 *             begins, and asked back; what is not so is not used.
 *
 *             A superuser is too much for foreign SQL, and SET ROLE is no
 *             barrier for one: such a login is refused unless the user says
 *             that it is meant. Then the role is pg_read_all_data all the
 *             same, against accidents.
 */
#include "base/clock.h"
#include "base/trust.h"
#include "engine/engine_postgres.h"
#include "engine/server_memory.h"
#include "engine/url.h"

#include <poll.h>
#include <string.h>

enum {
    CONNECT_MS = 10000,
    REST_MS = 1000,
};

const postgres_api *postgres_api_of(const postgres_database *db)
{
    return &((const postgres_engine *)db->base.owner)->api;
}

// libpq's message without the line ends in and after it.
static str error_text(const postgres_database *db, arena *a)
{
    const postgres_api *pq = postgres_api_of(db);
    char *text =
        arena_cstr(a, str_trim(str_from(pq->PQerrorMessage(db->conn))));
    for (char *c = text; *c; c++) {
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    }
    return str_from(text);
}

static bool look(postgres_database *db,
                 short events,
                 int64_t until_ns,
                 bool *is_ready)
{
    return engine_look(db->base.owner, postgres_api_of(db)->PQsocket(db->conn),
                       events, until_ns, is_ready);
}

bool postgres_wait(postgres_database *db, int64_t until_ns)
{
    const postgres_api *pq = postgres_api_of(db);
    for (;;) {
        int unsent = pq->PQflush(db->conn);
        if (unsent < 0) {
            return false;
        }
        if (unsent == 0 && !pq->PQisBusy(db->conn)) {
            return true;
        }
        bool is_ready = false;
        if (!look(db, (short)(POLLIN | (unsent ? POLLOUT : 0)), until_ns,
                  &is_ready)
            || !pq->PQconsumeInput(db->conn)) {
            return false;
        }
    }
}

void postgres_cancel(postgres_database *db)
{
    const postgres_api *pq = postgres_api_of(db);
    char ignored[256];
    PGcancel *cancel = pq->PQgetCancel(db->conn);
    if (cancel) {
        pq->PQcancel(cancel, ignored, sizeof ignored);
        pq->PQfreeCancel(cancel);
    }
}

static bool connect(postgres_database *db)
{
    const postgres_api *pq = postgres_api_of(db);
    static const char *const keys[] = {"dbname", "fallback_application_name",
                                       "client_encoding", NULL};
    const char *values[] = {db->base.path.ptr, "assay", "UTF8", NULL};
    db->conn = pq->PQconnectStartParams(keys, values, 1);
    int64_t until = clock_ns() + (int64_t)CONNECT_MS * 1000000;
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    bool is_ready = false;
    while (db->conn && pq->PQstatus(db->conn) != CONNECTION_BAD
           && next != PGRES_POLLING_OK && next != PGRES_POLLING_FAILED) {
        if (!look(db, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until,
                  &is_ready)) {
            return false;
        }
        next = pq->PQconnectPoll(db->conn);
    }
    return db->conn && pq->PQstatus(db->conn) == CONNECTION_OK;
}

// Why the connection is none.
static bool say_why(const postgres_database *db, diag *d)
{
    str why = db->conn ? error_text(db, d->a) : S("out of memory");
    return diag_add(d, (diag_place){.file = url_show(d->a, db->base.path)},
                    "%.*s",
                    STR_ARG(why.len > 0 ? why : S("no answer in 10 s")));
}

bool postgres_reach(postgres_database *db, diag *d)
{
    return connect(db) || say_why(db, d);
}

static bool command(postgres_database *db, const char *sql)
{
    const postgres_api *pq = postgres_api_of(db);
    PGresult *r = pq->PQexec(db->conn, sql);
    bool ok = pq->PQresultStatus(r) == PGRES_COMMAND_OK
              || pq->PQresultStatus(r) == PGRES_TUPLES_OK;
    pq->PQclear(r);
    return ok;
}

static bool wrong_session(const postgres_database *db, str why, diag *d)
{
    return diag_add(d, (diag_place){.file = url_show(d->a, db->base.path)},
                    "%.*s", STR_ARG(why));
}

// Who comes: a superuser with leave only.
static bool check_user(postgres_database *db, diag *d, arena scratch)
{
    const postgres_api *pq = postgres_api_of(db);
    const char *is_superuser = pq->PQparameterStatus(db->conn, "is_superuser");
    const char *user = pq->PQparameterStatus(db->conn, "session_authorization");
    db->is_superuser = is_superuser && strcmp(is_superuser, "on") == 0;
    db->user = arena_str(&db->base.owner->a, str_from(user ? user : ""));
    if (db->is_superuser && !trust_now()->superusers) {
        return wrong_session(
            db,
            arena_printf(
                &scratch,
                "the login '%.*s' is a superuser, whom nothing can restrict; "
                "create one that may only read: CREATE ROLE reader LOGIN "
                "PASSWORD '...'; GRANT SELECT ON ALL TABLES IN SCHEMA public "
                "TO reader; or give --allow-superuser",
                STR_ARG(db->user)),
            d);
    }
    db->is_owner = str_equal(
        engine_ask_text(&db->base,
                        "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class WHERE"
                        " relowner = (SELECT oid FROM pg_catalog.pg_roles WHERE"
                        " rolname = current_user) AND oid >= 16384"
                        " AND relpersistence <> 't')",
                        &scratch),
        S("t"));
    return !db->is_superuser || command(db, "SET ROLE pg_read_all_data");
}

// Nobody is granted more than that; what is less stays.
static void bound_memory(postgres_database *db, arena scratch)
{
    long long most = server_sort_kilobytes(&db->base.owner->options.limits);
    command(db, arena_printf(&scratch, POSTGRES_BOUNDS_MEMORY, most).ptr);
}

// What was asked for is what is, and no function hides one of the system's.
static bool verify_session(postgres_database *db, diag *d, arena scratch)
{
    const engine_limits *limits = &db->base.owner->options.limits;
    str is = engine_ask_text(
        &db->base,
        "SELECT (SELECT setting FROM pg_catalog.pg_settings WHERE name ="
        " 'statement_timeout') || ' ' || current_setting('TimeZone') || ' ' ||"
        " current_setting('standard_conforming_strings') || ' ' ||"
        " current_setting('client_encoding') || ' ' ||"
        " current_setting('default_transaction_read_only') || ' ' ||"
        " CASE WHEN (current_schemas(true))[1] LIKE 'pg\\_temp%'"
        " THEN (current_schemas(true))[2] ELSE (current_schemas(true))[1] END",
        &scratch);
    str memory =
        engine_ask_text(&db->base,
                        arena_printf(&scratch, POSTGRES_ASKS_MEMORY,
                                     (long long)server_sort_kilobytes(limits))
                            .ptr,
                        &scratch);
    str wanted = arena_printf(&scratch, "%lld UTC on UTF8 on pg_catalog",
                              (long long)limits->timeout_ms);
    if (!str_equal(memory, S("1"))) {
        return wrong_session(db, S("the session's work_mem cannot be limited"),
                             d);
    }
    return str_equal(is, wanted)
           || wrong_session(
               db,
               arena_printf(&scratch,
                            "the server did not accept the session's settings: "
                            "'%.*s', not '%.*s'",
                            STR_ARG(is), STR_ARG(wanted)),
               d);
}

static bool prepare_session(postgres_database *db, diag *d, arena scratch)
{
    const postgres_api *pq = postgres_api_of(db);
    const engine_limits *limits = &db->base.owner->options.limits;
    str settings = arena_printf(
        &scratch,
        "SET statement_timeout=%lld; SET DateStyle=ISO; SET TimeZone=UTC;"
        "SET IntervalStyle=postgres; SET bytea_output=hex;"
        "SET extra_float_digits=%d; SET standard_conforming_strings=on;"
        "SET client_encoding=UTF8; SET client_min_messages=warning;"
        "SET default_transaction_read_only=on",
        (long long)limits->timeout_ms,
        pq->PQserverVersion(db->conn) >= 120000 ? 1 : 3);
    // Not every server of this protocol knows the one that follows.
    command(db, "SET client_connection_check_interval=1000");
    bound_memory(db, scratch);
    if (!check_user(db, d, scratch) || !command(db, settings.ptr)
        || !verify_session(db, d, scratch)) {
        return false;
    }
    if (!db->knows_own && !postgres_learn_own(db, scratch)) {
        return wrong_session(
            db, S("reading the catalogue takes longer than --timeout"), d);
    }
    return postgres_is_sound(db, false)
           && pq->PQsetnonblocking(db->conn, 1) == 0;
}

void postgres_set_aside(postgres_database *db)
{
    postgres_engine *e = (postgres_engine *)db->base.owner;
    *vec_push(&e->base.a, &e->stuck) = db->conn;
    db->conn = NULL;
    e->base.n_stuck = (int)e->stuck.len;
}

void postgres_close_stuck(engine *base)
{
    postgres_engine *e = (postgres_engine *)base;
    for (ptrdiff_t i = 0; i < e->stuck.len; i++) {
        e->api.PQfinish(e->stuck.ptr[i]);
    }
    e->stuck.len = 0;
}

// Rows may be on their way; anything else means that the query has ended.
static bool has_ended(const postgres_api *pq, PGconn *conn)
{
    struct pollfd fd = {.fd = pq->PQsocket(conn), .events = POLLIN};
    bool ends = poll(&fd, 1, 0) != 0 && !pq->PQconsumeInput(conn);
    while (!ends && !pq->PQisBusy(conn)) {
        PGresult *r = pq->PQgetResult(conn);
        ends = pq->PQresultStatus(r) != PGRES_SINGLE_TUPLE;
        pq->PQclear(r);
    }
    return ends;
}

// Closes those whose queries have ended. False with a message when more go on
// than are borne.
static bool is_free(postgres_database *db, diag *d)
{
    postgres_engine *e = (postgres_engine *)db->base.owner;
    ptrdiff_t n = 0;
    str pids = {0};
    for (ptrdiff_t i = 0; i < e->stuck.len; i++) {
        PGconn *conn = e->stuck.ptr[i];
        if (has_ended(&e->api, conn)) {
            e->api.PQfinish(conn);
            continue;
        }
        pids = arena_printf(d->a, "%.*s%s%d", STR_ARG(pids), n > 0 ? ", " : "",
                            e->api.PQbackendPID(conn));
        e->stuck.ptr[n++] = conn;
    }
    e->stuck.len = n;
    e->base.n_stuck = (int)n;
    e->base.n_borne = e->base.n_borne < n ? e->base.n_borne : (int)n;
    return !engine_is_stuck(&e->base)
           || wrong_session(db,
                            arena_printf(d->a,
                                         "cancelled queries are still running "
                                         "on the server (process %.*s)",
                                         STR_ARG(pids)),
                            d);
}

bool postgres_open(database *base, diag *d, arena scratch)
{
    postgres_database *db = (postgres_database *)base;
    postgres_engine *e = (postgres_engine *)base->owner;
    if (!is_free(db, d)) {
        return false;
    }
    engine_make_room(base->owner);
    ptrdiff_t n_said = d->messages.len;
    bool is_reached = postgres_reach(db, d);
    if (is_reached) {
        postgres_drop_notices(db);
    }
    if (is_reached && prepare_session(db, d, scratch)) {
        base->last_use_ns = clock_ns();
        if (e->version == 0) {
            e->version = e->api.PQserverVersion(db->conn);
        }
        return true;
    }
    if (d->messages.len == n_said) {
        say_why(db, d);
    }
    postgres_close(base);
    return false;
}

void postgres_close(database *base)
{
    postgres_database *db = (postgres_database *)base;
    if (db->conn) {
        postgres_api_of(db)->PQfinish(db->conn);
    }
    db->conn = NULL;
    base->last_use_ns = 0;
}

bool postgres_is_sound(const postgres_database *db, bool is_inside)
{
    static const struct {
        const char *name;
        const char *value;
    } wanted[] = {
        {"standard_conforming_strings", "on"},
        {"client_encoding", "UTF8"},
        {"TimeZone", "UTC"},
        {"is_superuser", "off"},
    };
    const postgres_api *pq = postgres_api_of(db);
    bool ok = pq->PQstatus(db->conn) == CONNECTION_OK;
    for (ptrdiff_t i = 0; ok && i < countof(wanted); i++) {
        const char *is = pq->PQparameterStatus(db->conn, wanted[i].name);
        ok = !is || strcmp(is, wanted[i].value) == 0;
    }
    const char *user = pq->PQparameterStatus(db->conn, "session_authorization");
    PGTransactionStatusType status = pq->PQtransactionStatus(db->conn);
    return ok && (!user || str_equal(str_from(user), db->user))
           && (is_inside ? status != PQTRANS_IDLE : status == PQTRANS_IDLE);
}

// Runs commands of our own, for a second at most; false when that is not
// enough, one of them fails or the connection is lost.
static bool run_commands(postgres_database *db, const char *sql)
{
    const postgres_api *pq = postgres_api_of(db);
    int64_t until = clock_ns() + (int64_t)REST_MS * 1000000;
    bool ok = pq->PQsendQuery(db->conn, sql);
    PGresult *r = NULL;
    while (ok && (ok = postgres_wait(db, until))
           && (r = pq->PQgetResult(db->conn))) {
        ok = pq->PQresultStatus(r) == PGRES_COMMAND_OK
             || pq->PQresultStatus(r) == PGRES_TUPLES_OK;
        pq->PQclear(r);
    }
    return ok;
}

bool postgres_may_lock(const postgres_database *db)
{
    return db->own.overloads.len > 0;
}

void postgres_leave(postgres_database *db)
{
    const char *end =
        postgres_may_lock(db) ? "ROLLBACK;" POSTGRES_UNLOCK : "ROLLBACK";
    if (db->conn && !(run_commands(db, end) && postgres_is_sound(db, false))) {
        postgres_close(&db->base);
    }
}

PGresult *postgres_ask(postgres_database *db, const char *sql)
{
    const postgres_api *pq = postgres_api_of(db);
    if (!db->conn) {
        return NULL;
    }
    PGresult *r = pq->PQexec(db->conn, sql);
    if (pq->PQresultStatus(r) != PGRES_TUPLES_OK) {
        pq->PQclear(r);
        r = NULL;
    }
    return r;
}
