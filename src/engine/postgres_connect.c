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
    str why = S("out of memory");
    if (db->conn) {
        // Without the line ends in and after it.
        const char *text = postgres_api_of(db)->PQerrorMessage(db->conn);
        char *line = arena_cstr(d->a, str_trim(str_from(text)));
        for (char *c = line; *c; c++) {
            *c = *c == '\n' || *c == '\t' ? ' ' : *c;
        }
        why = str_from(line);
    }
    return engine_says(&db->base, why.len > 0 ? why : S("no answer in 10 s"),
                       d);
}

bool postgres_reach(database *base, diag *d, arena scratch)
{
    postgres_database *db = (postgres_database *)base;
    (void)scratch;
    if (!connect(db)) {
        return say_why(db, d);
    }
    postgres_drop_notices(db);
    return true;
}

// As many cells as were asked for, whatever is sent.
static void add_rows(const postgres_api *pq,
                     const PGresult *r,
                     catalogue_rows *rows,
                     arena *a)
{
    int n = pq->PQnfields(r);
    n = n < CATALOGUE_MOST_COLUMNS ? n : CATALOGUE_MOST_COLUMNS;
    for (int row = 0; row < pq->PQntuples(r); row++) {
        str *cells = catalogue_add(rows, a);
        for (int c = 0; c < n; c++) {
            cells[c] = arena_str(a, str_from(pq->PQgetvalue(r, row, c)));
        }
    }
}

bool postgres_do(postgres_database *db,
                 str sql,
                 int64_t until_ns,
                 catalogue_rows *rows,
                 arena *a,
                 postgres_fault *fault)
{
    const postgres_api *pq = postgres_api_of(db);
    bool ok = db->conn && pq->PQsendQuery(db->conn, sql.ptr);
    bool failed = false;
    PGresult *r = NULL;
    *fault =
        (postgres_fault){.words = S("the connection to the server was lost")};
    while (ok && (ok = postgres_wait(db, until_ns))
           && (r = pq->PQgetResult(db->conn))) {
        if (pq->PQresultStatus(r) == PGRES_FATAL_ERROR && !failed) {
            failed = true;
            fault->state = arena_str(
                a, str_from(pq->PQresultErrorField(r, PG_DIAG_SQLSTATE)));
            fault->words = arena_str(a, str_from(pq->PQresultErrorField(
                                            r, PG_DIAG_MESSAGE_PRIMARY)));
        } else if (rows) {
            add_rows(pq, r, rows, a);
        }
        pq->PQclear(r);
    }
    return ok && !failed;
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
        return engine_says(
            &db->base,
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
    return !db->is_superuser
           || engine_tell(&db->base, S("SET ROLE pg_read_all_data"), scratch);
}

// What was asked for is what is, and no function hides one of the system's.
static bool verify_session(postgres_database *db, diag *d, arena scratch)
{
    const engine_limits *limits = &db->base.owner->options.limits;
    str wanted = arena_printf(&scratch, "%lld UTC on UTF8 on pg_catalog",
                              (long long)limits->timeout_ms);
    // Nobody is granted more memory than that; what is less stays.
    return server_bounds_memory(&db->base, POSTGRES_BOUNDS_MEMORY,
                                POSTGRES_ASKS_MEMORY,
                                server_sort_kilobytes(limits), d, scratch)
           && engine_must_be(
               &db->base,
               S("SELECT (SELECT setting FROM pg_catalog.pg_settings WHERE"
                 " name = 'statement_timeout') || ' ' ||"
                 " current_setting('TimeZone') || ' ' ||"
                 " current_setting('standard_conforming_strings') || ' ' ||"
                 " current_setting('client_encoding') || ' ' ||"
                 " current_setting('default_transaction_read_only') || ' ' ||"
                 " CASE WHEN (current_schemas(true))[1] LIKE 'pg\\_temp%'"
                 " THEN (current_schemas(true))[2]"
                 " ELSE (current_schemas(true))[1] END"),
               wanted, d, scratch);
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
    engine_tell(&db->base, S("SET client_connection_check_interval=1000"),
                scratch);
    if (!check_user(db, d, scratch)
        || !engine_tell(&db->base, settings, scratch)
        || !verify_session(db, d, scratch)) {
        return false;
    }
    if (!db->knows_own && !postgres_learn_own(db, scratch)) {
        return engine_says(
            &db->base, S("reading the catalogue takes longer than --timeout"),
            d);
    }
    return postgres_is_sound(db, false)
           && pq->PQsetnonblocking(db->conn, 1) == 0;
}

bool postgres_open(database *base, diag *d, arena scratch)
{
    postgres_database *db = (postgres_database *)base;
    postgres_engine *e = (postgres_engine *)base->owner;
    engine_make_room(base->owner);
    ptrdiff_t n_said = d->messages.len;
    if (postgres_reach(base, d, scratch) && engine_is_free(base, d, scratch)
        && prepare_session(db, d, scratch)) {
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

bool postgres_may_lock(const postgres_database *db)
{
    return map_count(&db->own.overloads) > 0;
}

void postgres_leave(postgres_database *db)
{
    str end =
        postgres_may_lock(db) ? S("ROLLBACK;" POSTGRES_UNLOCK) : S("ROLLBACK");
    arena words = arena_on_stack(4096);
    postgres_fault ignored;
    int64_t until = clock_ns() + (int64_t)REST_MS * 1000000;
    if (db->conn
        && !(postgres_do(db, end, until, NULL, &words, &ignored)
             && postgres_is_sound(db, false))) {
        postgres_close(&db->base);
    }
}
