/*
 * postgres_connect.c - connections: made, prepared for foreign queries, waited
 * for, closed.
 *
 * Method      Every query runs in a read-only transaction that is rolled back
 *             before the next one, in the same message: ROLLBACK AND CHAIN
 *             begins the new one. So neither a write nor a setting outlives a
 *             query, at the price of some microseconds and no round trip.
 *
 *             A superuser is too much for foreign SQL: who connects as one
 *             gives that up for pg_read_all_data, which may read every table
 *             and call no function that reaches into the machine.
 *
 *             An engine keeps few connections; the one unused longest makes
 *             room for a new one, and is opened again when it is wanted.
 */
#include "base/clock.h"
#include "engine/engine_postgres.h"
#include "engine/url.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

enum {
    MOST_CONNECTIONS = 8,
    CONNECT_MS = 10000,
    TICK_MS = 25,
    REST_MS = 1000,
};

#define POSTGRES_BEGIN "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

const postgres_api *postgres_api_of(const postgres_database *db)
{
    return &((const postgres_engine *)db->base.owner)->api;
}

// libpq's message without the line ends in and behind it.
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

// One look at the socket; ticks. False at the end of the time.
static bool look(postgres_database *db,
                 short events,
                 int64_t until_ns,
                 bool *is_ready)
{
    const engine *e = db->base.owner;
    const postgres_api *pq = postgres_api_of(db);
    int64_t left_ms = (until_ns - clock_ns()) / 1000000;
    if (left_ms < 0) {
        return false;
    }
    struct pollfd fd = {.fd = pq->PQsocket(db->conn), .events = events};
    int n = poll(&fd, 1, left_ms < TICK_MS ? (int)left_ms + 1 : TICK_MS);
    if (n <= 0 && e->tick) {
        e->tick(e->tick_context);
    }
    *is_ready = n > 0;
    return n >= 0 || errno == EINTR;
}

bool postgres_wait_input(postgres_database *db, int64_t until_ns)
{
    bool is_ready = false;
    while (!is_ready && look(db, POLLIN, until_ns, &is_ready)) {
    }
    return is_ready;
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

void postgres_wait_socket(const postgres_api *pq,
                          const PGconn *conn,
                          bool to_read)
{
    struct pollfd fd = {.fd = pq->PQsocket(conn),
                        .events = to_read ? POLLIN : POLLOUT};
    poll(&fd, 1, CONNECT_MS);
}

static bool reach(postgres_database *db)
{
    const postgres_api *pq = postgres_api_of(db);
    static const char *const keys[] = {"dbname", "fallback_application_name",
                                       "client_encoding", NULL};
    const char *values[] = {db->url.ptr, "assay", "UTF8", NULL};
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

static bool command(postgres_database *db, const char *sql)
{
    const postgres_api *pq = postgres_api_of(db);
    PGresult *r = pq->PQexec(db->conn, sql);
    bool ok = pq->PQresultStatus(r) == PGRES_COMMAND_OK
              || pq->PQresultStatus(r) == PGRES_TUPLES_OK;
    pq->PQclear(r);
    return ok;
}

static bool prepare_session(postgres_database *db, arena scratch)
{
    const postgres_api *pq = postgres_api_of(db);
    const engine_limits *limits = &db->base.owner->options.limits;
    str settings = arena_printf(
        &scratch,
        "SET statement_timeout=%lld; SET DateStyle=ISO; SET TimeZone=UTC;"
        "SET IntervalStyle=postgres; SET bytea_output=hex;"
        "SET extra_float_digits=%d; SET standard_conforming_strings=on",
        (long long)limits->timeout_ms,
        pq->PQserverVersion(db->conn) >= 120000 ? 1 : 3);
    // Not every server of this protocol knows the ones that follow.
    command(db, "SET idle_in_transaction_session_timeout=0");
    command(db, "SET client_connection_check_interval=1000");
    const char *is_superuser = pq->PQparameterStatus(db->conn, "is_superuser");
    if (is_superuser && strcmp(is_superuser, "on") == 0) {
        command(db, "SET ROLE pg_read_all_data");
    }
    if (!command(db, settings.ptr) || !command(db, POSTGRES_BEGIN)) {
        return false;
    }
    db->again = S("ROLLBACK AND CHAIN;");
    if (!command(db, db->again.ptr)) {
        db->again = S("ROLLBACK;" POSTGRES_BEGIN ";");
        command(db, db->again.ptr);
    }
    return pq->PQsetnonblocking(db->conn, 1) == 0;
}

static void make_room(engine *e)
{
    postgres_database *oldest = NULL;
    int n = 0;
    for (ptrdiff_t i = 0; i < e->databases.len; i++) {
        postgres_database *db = (postgres_database *)e->databases.ptr[i];
        if (db && db->conn) {
            n++;
            bool is_older = !oldest || db->last_use_ns < oldest->last_use_ns;
            oldest = is_older ? db : oldest;
        }
    }
    if (n >= MOST_CONNECTIONS) {
        postgres_close(oldest);
    }
}

static void drop_notice(void *ignored, const PGresult *notice)
{
    (void)ignored;
    (void)notice;
}

bool postgres_open(postgres_database *db, diag *d, arena scratch)
{
    const postgres_api *pq = postgres_api_of(db);
    make_room(db->base.owner);
    bool is_reached = reach(db);
    if (is_reached) {
        pq->PQsetNoticeReceiver(db->conn, drop_notice, NULL);
    }
    if (is_reached && prepare_session(db, scratch)) {
        db->last_use_ns = clock_ns();
        db->is_open = false;
        return true;
    }
    str why = db->conn ? error_text(db, d->a) : S("out of memory");
    diag_add(d, (diag_place){.file = url_show(d->a, db->url)}, "%.*s",
             STR_ARG(why.len > 0 ? why : S("no answer in 10 s")));
    postgres_close(db);
    return false;
}

void postgres_close(postgres_database *db)
{
    postgres_engine *e = (postgres_engine *)db->base.owner;
    if (db->conn) {
        e->api.PQfinish(db->conn);
        db->conn = NULL;
    }
    if (e->last == db) {
        e->last = NULL;
    }
}

bool postgres_command(postgres_database *db, str sql)
{
    const postgres_api *pq = postgres_api_of(db);
    int64_t until = clock_ns() + (int64_t)REST_MS * 1000000;
    bool ok = pq->PQsendQuery(db->conn, sql.ptr);
    PGresult *r = NULL;
    while (ok && (ok = postgres_wait(db, until))
           && (r = pq->PQgetResult(db->conn))) {
        pq->PQclear(r);
    }
    return ok && pq->PQstatus(db->conn) == CONNECTION_OK;
}

void postgres_rest(postgres_database *db)
{
    if (db->conn && db->is_open && !postgres_command(db, db->again)) {
        postgres_close(db);
    }
    db->is_open = false;
}

PGresult *postgres_ask(postgres_database *db, const char *sql)
{
    const postgres_api *pq = postgres_api_of(db);
    postgres_rest(db);
    if (!db->conn) {
        return NULL;
    }
    db->is_open = true;
    PGresult *r = pq->PQexec(db->conn, sql);
    if (pq->PQresultStatus(r) != PGRES_TUPLES_OK) {
        pq->PQclear(r);
        r = NULL;
    }
    return r;
}
