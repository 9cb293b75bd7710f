/*
 * odbc_run.c - one query over ODBC, under limits.
 *
 * Method      The driver is told the time limit, which not every driver heeds;
 *             a timer thread cancels the statement, which not every driver does
 *             either: then the parent kills the worker. Rows are taken one by
 *             one and the cursor closed at the stop.
 */
#include "base/clock.h"
#include "engine/engine_odbc.h"
#include "engine/row_sink.h"
#include "engine/server_reason.h"

#include <stdatomic.h>
#include <string.h>

str odbc_message(const odbc_api *api,
                 SQLSMALLINT kind,
                 SQLHANDLE handle,
                 char state[6],
                 SQLINTEGER *code,
                 arena *a)
{
    SQLCHAR text[1024] = "";
    SQLSMALLINT length = 0;
    memcpy(state, "HY000", 6);
    if (!handle
        || !SQL_SUCCEEDED(api->SQLGetDiagRec(kind, handle, 1, (SQLCHAR *)state,
                                             code, text, sizeof text,
                                             &length))) {
        return S("failed without a message");
    }
    str rest = str_from((const char *)text);
    str message = str_cut(&rest, '\n');
    // "[driver][system 1.0]what it says"
    while (str_starts(message, S("[")) && str_find(message, S("]"), 0) > 0) {
        str_cut(&message, ']');
    }
    return engine_said(a, str_trim(message));
}

static void failed(execution *x,
                   const odbc_database *db,
                   SQLHSTMT statement,
                   arena *a)
{
    char state[6];
    SQLINTEGER code = 0;
    x->message = odbc_message(odbc_api_of(db), SQL_HANDLE_STMT, statement,
                              state, &code, a);
    x->code = (int)code;
    x->status = db->system->has_mysql_codes
                    ? server_reason_mysql(code, str_from(state), x->message)
                    : server_reason(str_from(state), x->message);
    if (x->status == REASON_RUNTIME_ERROR
        && str_find_fold(x->message, S("out of memory"), 0) >= 0) {
        x->status = REASON_MEMORY;  // of a driver: the state does not tell
    }
    x->result = (table){0};
}

bool odbc_describe(const odbc_api *api,
                   SQLHSTMT statement,
                   SQLSMALLINT *types,
                   execution *x,
                   arena *a)
{
    str *names = row_sink_columns(x, x->result.n_columns, a);
    bool ok = true;
    for (ptrdiff_t c = 0; ok && c < x->result.n_columns; c++) {
        SQLCHAR name[512] = "";
        SQLSMALLINT length = 0;
        SQLULEN size = 0;
        SQLSMALLINT scale = 0;
        SQLSMALLINT nullable = 0;
        ok = SQL_SUCCEEDED(api->SQLDescribeCol(
            statement, (SQLUSMALLINT)(c + 1), name, sizeof name, &length,
            &types[c], &size, &scale, &nullable));
        names[c] = arena_str(a, str_from((const char *)name));
    }
    return ok;
}

// What the timer needs to stop a query. Only a wait for the server is cut off:
// there are drivers that do not bear a cancel while they hand out values.
typedef struct running {
    const odbc_api *api;
    SQLHSTMT statement;
    int64_t deadline_ns;
    atomic_bool is_waiting;
} running;

static void cancel(void *context)
{
    running *r = context;
    if (r->is_waiting) {
        r->api->SQLCancel(r->statement);
    }
}

static SQLRETURN fetch(running *r)
{
    r->is_waiting = true;
    SQLRETURN rc = r->api->SQLFetch(r->statement);
    r->is_waiting = false;
    return rc;
}

static void read_rows(odbc_database *db, running *r, execution *x, arena *a)
{
    const engine *e = db->base.owner;
    const odbc_api *api = odbc_api_of(db);
    SQLSMALLINT *types = arena_new(a, SQLSMALLINT, x->result.n_columns);
    bool ok = odbc_describe(api, r->statement, types, x, a);
    row_sink sink = row_sink_new(x, &e->options.limits, a);
    bool goes_on = ok;
    SQLRETURN rc = SQL_SUCCESS;
    while (goes_on && SQL_SUCCEEDED(rc = fetch(r))) {
        for (ptrdiff_t c = 0; ok && c < x->result.n_columns; c++) {
            value v = value_null();
            ok = odbc_cell(api, r->statement, (SQLUSMALLINT)(c + 1), types[c],
                           &x->has_unknown_types, &v, a);
            row_sink_add(&sink, v);
        }
        goes_on = ok && row_sink_end_row(&sink);
        if (goes_on && clock_limit_ns() > r->deadline_ns) {
            engine_fails(x, REASON_TIMEOUT, S("it ran into the time limit"));
            return;
        }
        if (e->tick) {
            e->tick(e->tick_context);
        }
    }
    if (!ok || (goes_on && rc != SQL_NO_DATA)) {
        failed(x, db, r->statement, a);
    }
    if (x->status == REASON_NONE) {
        row_sink_done(&sink);
    }
}

static void run_statement(odbc_database *db,
                          SQLHSTMT statement,
                          str sql,
                          int64_t deadline_ns,
                          execution *x,
                          arena *a)
{
    odbc_engine *e = (odbc_engine *)db->base.owner;
    const odbc_api *api = &e->api;
    running r = {api, statement, deadline_ns, false};
    SQLSMALLINT n_columns = 0;
    int64_t seconds = (e->base.options.limits.timeout_ms + 999) / 1000;
    api->SQLSetStmtAttr(statement, SQL_ATTR_QUERY_TIMEOUT,
                        (SQLPOINTER)(uintptr_t)seconds, 0);
    query_timer_arm(&e->timer, deadline_ns, cancel, &r);
    r.is_waiting = true;
    SQLRETURN rc =
        api->SQLExecDirect(statement, (SQLCHAR *)arena_cstr(a, sql), SQL_NTS);
    r.is_waiting = false;
    if ((!SQL_SUCCEEDED(rc) && rc != SQL_NO_DATA)
        || !SQL_SUCCEEDED(api->SQLNumResultCols(statement, &n_columns))) {
        failed(x, db, statement, a);
    } else if (n_columns == 0) {
        engine_fails(x, REASON_FORBIDDEN, S("not a query"));
    } else {
        x->result.n_columns = n_columns;
        read_rows(db, &r, x, a);
    }
    if (query_timer_disarm(&e->timer) && x->status != REASON_NONE
        && x->status != REASON_MEMORY) {
        x->status = REASON_TIMEOUT;
    }
}

// What a system reads as a string or a comment differs, so a text for one that
// assay does not know must be harmless in all readings.
static bool check_readings(str sql, execution *x, arena *a)
{
    static const dialect readings[] = {DIALECT_POSTGRES, DIALECT_MYSQL};
    bool ok = true;
    for (ptrdiff_t i = 0; ok && i < countof(readings); i++) {
        query_guard other = guard_other;
        other.dialect = readings[i];
        other.runs_comments = readings[i] == DIALECT_MYSQL;
        execution said = {.offset = -1};
        guard_answer guard = query_guard_check(&other, NULL, sql, &said, a);
        ok = guard != GUARD_REFUSES || said.status != REASON_FORBIDDEN;
        if (!ok) {
            engine_fails(x, said.status, said.message);
        }
    }
    return ok;
}

// May the text be sent?
static bool check(const odbc_database *db, str sql, execution *x, arena *a)
{
    query_guard g = *db->system->guard;
    g.has_braces = true;
    g.dialect = db->dialect;
    guard_answer guard = query_guard_check(&g, NULL, sql, x, a);
    if (guard == GUARD_CANNOT_READ && !query_guard_reads(sql, a)) {
        x->status = REASON_SYNTAX_ERROR;  // in any dialect
    }
    if (x->status == REASON_NOT_UNDERSTOOD) {
        x->status = REASON_FORBIDDEN;  // nobody can be asked
    }
    bool is_known = db->system->guard != &guard_other;
    return guard == GUARD_SENDS && (is_known || check_readings(sql, x, a));
}

static bool is_ready(odbc_database *db, arena scratch)
{
    if (db->is_open && db->is_dirty) {
        diag *ignored = engine_side_diag(&scratch);
        odbc_disconnect(&db->base);
        odbc_connect(&db->base, ignored, scratch);
    }
    return db->is_open;
}

execution odbc_run(database *base, str sql, engine_stop stop, arena *a)
{
    odbc_database *db = (odbc_database *)base;
    const odbc_api *api = odbc_api_of(db);
    execution x = {.offset = -1, .stop = stop};
    int64_t start = clock_ns();
    SQLHSTMT statement = SQL_NULL_HSTMT;
    if (!check(db, sql, &x, a)) {
        return x;
    }
    if (!is_ready(db, *a)
        || !SQL_SUCCEEDED(
            api->SQLAllocHandle(SQL_HANDLE_STMT, db->conn, &statement))) {
        engine_fails(&x, REASON_CONNECTION_LOST,
                     S("the connection was closed"));
        return x;
    }
    db->is_dirty = db->system->guard->dialect == DIALECT_MYSQL
                   && str_find(sql, S("@"), 0) >= 0;
    int64_t limit_ms = base->owner->options.limits.timeout_ms;
    run_statement(db, statement, sql, clock_limit_ns() + limit_ms * 1000000, &x,
                  a);
    api->SQLFreeHandle(SQL_HANDLE_STMT, statement);
    if (db->has_transactions) {
        api->SQLEndTran(SQL_HANDLE_DBC, db->conn, SQL_ROLLBACK);
    }
    x.ns = clock_ns() - start;
    return x;
}
