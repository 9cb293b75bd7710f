/*
 * postgres_dump.c - databases made for one run: created, loaded from a dump or
 * copied from one that was, dropped.
 */
#include "engine/dump_split.h"
#include "engine/engine_postgres.h"
#include "engine/url.h"
#include "sql/name.h"

// A connection of our own that may write; NULL with a message.
static PGconn *admin(engine *e, str url, diag *d, arena scratch)
{
    postgres_database db = {
        .base = {.owner = e, .path = str_from(arena_cstr(&scratch, url))}};
    if (!postgres_reach(&db, d)) {
        postgres_close(&db.base);
    }
    return db.conn;
}

static bool is_fine(const postgres_api *pq, const PGresult *r)
{
    ExecStatusType s = pq->PQresultStatus(r);
    return s == PGRES_COMMAND_OK || s == PGRES_TUPLES_OK
           || s == PGRES_EMPTY_QUERY;
}

// Runs one statement; false with a message at `place`.
static bool execute(const postgres_api *pq,
                    PGconn *conn,
                    const dump_statement *s,
                    diag_place place,
                    diag *d,
                    arena scratch)
{
    PGresult *r = pq->PQexec(conn, arena_cstr(&scratch, s->sql));
    if (pq->PQresultStatus(r) == PGRES_COPY_IN) {
        pq->PQclear(r);
        str rest = s->rows;
        while (rest.len > 0) {
            str piece = str_sub(rest, 0, 1 << 20);
            pq->PQputCopyData(conn, piece.ptr, (int)piece.len);
            rest = str_skip(rest, piece.len);
        }
        pq->PQputCopyEnd(conn, NULL);
        r = pq->PQgetResult(conn);
        pq->PQclear(pq->PQgetResult(conn));
    }
    bool ok = is_fine(pq, r) || s->is_optional;
    if (!ok) {
        const char *why = pq->PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
        diag_add(d, place, "cannot load the dump: %s",
                 why ? why : pq->PQerrorMessage(conn));
    }
    pq->PQclear(r);
    return ok;
}

static bool run_one(const postgres_api *pq,
                    PGconn *conn,
                    str sql,
                    diag_place place,
                    diag *d,
                    arena scratch)
{
    dump_statement s = {.sql = sql};
    return execute(pq, conn, &s, place, d, scratch);
}

static bool load(const postgres_api *pq,
                 PGconn *conn,
                 const engine_dump *dump,
                 diag *d,
                 arena scratch)
{
    static const char settings[] =
        "SET synchronous_commit=off; SET client_min_messages=error;"
        "SET TimeZone=UTC";
    pq->PQclear(pq->PQexec(conn, settings));
    dump_split split = dump_split_new(dump->text, DIALECT_POSTGRES);
    dump_statement s;
    bool ok = true;
    while (ok && dump_split_next(&split, &s)) {
        ok = execute(pq, conn, &s,
                     diag_locate(dump->path, dump->text, s.offset), d, scratch);
    }
    return ok;
}

bool postgres_make(engine *e,
                   str server,
                   str url,
                   const engine_dump *dump,
                   diag *d,
                   arena scratch)
{
    const postgres_api *pq = &((postgres_engine *)e)->api;
    PGconn *conn = admin(e, server, d, scratch);
    if (!conn) {
        return false;
    }
    diag_place place = {.file = url_show(d->a, server)};
    bool has_model = dump->model.len > 0;
    str sql = name_statement(
        &scratch,
        has_model ? "CREATE DATABASE $0 TEMPLATE $1" : "CREATE DATABASE $0",
        (str[]){dump->name, dump->model}, DIALECT_POSTGRES);
    bool ok = run_one(pq, conn, sql, place, d, scratch);
    pq->PQfinish(conn);
    if (!ok || has_model) {
        return ok;
    }
    conn = admin(e, url, d, scratch);
    ok = conn && load(pq, conn, dump, d, scratch);
    if (conn) {
        pq->PQfinish(conn);
    }
    return ok;
}

// A worker that was killed may have left the server copying a database, which
// goes on without it and would appear after all others were dropped.
static void end_copies(const postgres_api *pq, PGconn *conn, str name, arena a)
{
    enum {
        LOOKS = 100,
    };
    str ask =
        arena_printf(&a,
                     "SELECT pg_catalog.pg_terminate_backend(pid),"
                     " pg_catalog.pg_sleep(0.05)"
                     " FROM pg_catalog.pg_stat_activity"
                     " WHERE usename = current_user AND pg_catalog.strpos("
                     "query, 'CREATE DATABASE \"%.*s.') = 1",
                     STR_ARG(name));
    int n = 1;
    for (int i = 0; n > 0 && i < LOOKS; i++) {
        PGresult *r = pq->PQexec(conn, ask.ptr);
        n = pq->PQntuples(r);
        pq->PQclear(r);
    }
}

// The database, and what was copied for it.
void postgres_drop(engine *e, str server, str name, arena scratch)
{
    const postgres_api *pq = &((postgres_engine *)e)->api;
    diag *ignored = engine_side_diag(&scratch);
    PGconn *conn = admin(e, server, ignored, scratch);
    if (!conn) {
        return;
    }
    end_copies(pq, conn, name, scratch);
    str sql = arena_printf(&scratch,
                           "SELECT datname FROM pg_catalog.pg_database WHERE"
                           " pg_catalog.left(datname || '.', %td) = '%.*s.'",
                           name.len + 1, STR_ARG(name));
    PGresult *names = pq->PQexec(conn, sql.ptr);
    for (int i = 0; i < pq->PQntuples(names); i++) {
        str one = str_from(pq->PQgetvalue(names, i, 0));
        sql =
            name_statement(&scratch, "DROP DATABASE IF EXISTS $0 WITH (FORCE)",
                           &one, DIALECT_POSTGRES);
        pq->PQclear(pq->PQexec(conn, sql.ptr));
    }
    pq->PQclear(names);
    pq->PQfinish(conn);
}
