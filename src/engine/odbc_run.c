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
#include "engine/query_guard.h"
#include "engine/row_sink.h"

#include <string.h>

static const str refused[] = {
    S_INIT("set_config"),
    S_INIT("pg_advisory*"),
    S_INIT("pg_try_advisory*"),
    S_INIT("pg_read_*"),
    S_INIT("pg_ls_*"),
    S_INIT("lo_*"),
    S_INIT("dblink*"),
    S_INIT("query_to_xml*"),
    S_INIT("load_file"),
    S_INIT("get_lock"),
    S_INIT("openrowset"),
    S_INIT("openquery"),
    S_INIT("opendatasource"),
    S_INIT("url"),
    S_INIT("file"),
    S_INIT("remote*"),
    S_INIT("pg_terminate_backend"),
    S_INIT("pg_cancel_backend"),
};

static const str clocks[] = {
    S_INIT("now"),          S_INIT("current_date"),
    S_INIT("current_time"), S_INIT("current_timestamp"),
    S_INIT("getdate"),      S_INIT("sysdatetime"),
    S_INIT("getutcdate"),   S_INIT("curdate"),
    S_INIT("sysdate"),      S_INIT("today"),
};

static const str randoms[] = {
    S_INIT("rand"),  S_INIT("random"), S_INIT("newid"),
    S_INIT("uuid*"), S_INIT("randn"),
};

static const query_guard guard = {
    .dialect = DIALECT_POSTGRES,
    .refused = refused,
    .n_refused = countof(refused),
    .clocks = clocks,
    .n_clocks = countof(clocks),
    .randoms = randoms,
    .n_randoms = countof(randoms),
};

// States by their beginnings: the standard's and those that drivers pass on.
static const struct {
    str prefix;
    reason status;
} meanings[] = {
    {S_INIT("42S02"), REASON_NO_SUCH_TABLE},
    {S_INIT("42P01"), REASON_NO_SUCH_TABLE},
    {S_INIT("42S22"), REASON_NO_SUCH_COLUMN},
    {S_INIT("42703"), REASON_NO_SUCH_COLUMN},
    {S_INIT("42883"), REASON_NO_SUCH_FUNCTION},
    {S_INIT("42702"), REASON_AMBIGUOUS_COLUMN},
    {S_INIT("42501"), REASON_FORBIDDEN},
    {S_INIT("42601"), REASON_SYNTAX_ERROR},
    {S_INIT("42000"), REASON_SYNTAX_ERROR},
    {S_INIT("37000"), REASON_SYNTAX_ERROR},
    {S_INIT("42"), REASON_INVALID_QUERY},
    {S_INIT("25"), REASON_FORBIDDEN},
    {S_INIT("HYT"), REASON_TIMEOUT},
    {S_INIT("HY008"), REASON_TIMEOUT},
    {S_INIT("57014"), REASON_TIMEOUT},
    {S_INIT("70100"), REASON_TIMEOUT},
    {S_INIT("HY001"), REASON_MEMORY},
    {S_INIT("53"), REASON_MEMORY},
    {S_INIT("08"), REASON_CONNECTION_LOST},
    {S_INIT("57P"), REASON_CONNECTION_LOST},
    {S_INIT(""), REASON_RUNTIME_ERROR},
};

str odbc_message(const odbc_api *api,
                 SQLSMALLINT kind,
                 SQLHANDLE handle,
                 char state[6],
                 arena *a)
{
    SQLCHAR text[1024] = "";
    SQLINTEGER native = 0;
    SQLSMALLINT length = 0;
    memcpy(state, "HY000", 6);
    if (!handle
        || !SQL_SUCCEEDED(api->SQLGetDiagRec(kind, handle, 1, (SQLCHAR *)state,
                                             &native, text, sizeof text,
                                             &length))) {
        return S("failed without a word");
    }
    str message = str_from((const char *)text);
    ptrdiff_t line = str_find(message, S("\n"), 0);
    return arena_str(a, line < 0 ? message : str_sub(message, 0, line));
}

static void failed(execution *x,
                   const odbc_api *api,
                   SQLHSTMT statement,
                   arena *a)
{
    char state[6];
    ptrdiff_t i = 0;
    x->message = odbc_message(api, SQL_HANDLE_STMT, statement, state, a);
    while (!str_starts(str_from(state), meanings[i].prefix)) {
        i++;
    }
    x->status = meanings[i].status;
    x->result = (table){0};
}

static bool describe(const odbc_api *api,
                     SQLHSTMT statement,
                     SQLSMALLINT *types,
                     execution *x,
                     arena *a)
{
    str *names = arena_new(a, str, x->result.n_columns);
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
    x->result.names = names;
    return ok;
}

static void read_rows(odbc_database *db,
                      SQLHSTMT statement,
                      execution *x,
                      arena *a)
{
    const engine *e = db->base.owner;
    const odbc_api *api = odbc_api_of(db);
    SQLSMALLINT *types = arena_new(a, SQLSMALLINT, x->result.n_columns);
    bool ok = describe(api, statement, types, x, a);
    row_sink sink = row_sink_new(x, &e->options.limits, a);
    bool goes_on = ok;
    SQLRETURN rc = SQL_SUCCESS;
    while (goes_on && SQL_SUCCEEDED(rc = api->SQLFetch(statement))) {
        for (ptrdiff_t c = 0; ok && c < x->result.n_columns; c++) {
            value v = value_null();
            ok = odbc_cell(api, statement, (SQLUSMALLINT)(c + 1), types[c],
                           &x->has_unknown_types, &v, a);
            row_sink_add(&sink, v);
        }
        goes_on = ok && row_sink_end_row(&sink);
        if (e->tick) {
            e->tick(e->tick_context);
        }
    }
    if (!ok || (goes_on && rc != SQL_NO_DATA)) {
        failed(x, api, statement, a);
    }
    if (x->status == REASON_NONE) {
        row_sink_done(&sink);
    }
}

// What the timer needs to stop a query.
typedef struct running {
    const odbc_api *api;
    SQLHSTMT statement;
} running;

static void cancel(void *context)
{
    const running *r = context;
    r->api->SQLCancel(r->statement);
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
    running r = {api, statement};
    SQLSMALLINT n_columns = 0;
    int64_t seconds = (e->base.options.limits.timeout_ms + 999) / 1000;
    api->SQLSetStmtAttr(statement, SQL_ATTR_QUERY_TIMEOUT,
                        (SQLPOINTER)(uintptr_t)seconds, 0);
    query_timer_arm(&e->timer, deadline_ns, cancel, &r);
    SQLRETURN rc =
        api->SQLExecDirect(statement, (SQLCHAR *)arena_cstr(a, sql), SQL_NTS);
    if ((!SQL_SUCCEEDED(rc) && rc != SQL_NO_DATA)
        || !SQL_SUCCEEDED(api->SQLNumResultCols(statement, &n_columns))) {
        failed(x, api, statement, a);
    } else if (n_columns == 0) {
        x->status = REASON_FORBIDDEN;
        x->message = S("not a query");
    } else {
        x->result.n_columns = n_columns;
        read_rows(db, statement, x, a);
    }
    if (query_timer_disarm(&e->timer) && x->status != REASON_NONE) {
        x->status = REASON_TIMEOUT;
    }
}

execution odbc_run(database *base, str sql, engine_stop stop, arena *a)
{
    odbc_database *db = (odbc_database *)base;
    const odbc_api *api = odbc_api_of(db);
    execution x = {.offset = -1, .stop = stop};
    int64_t start = clock_ns();
    SQLHSTMT statement = SQL_NULL_HSTMT;
    if (!query_guard_check(&guard, sql, &x, a)) {
        return x;
    }
    if (!db->is_open
        || !SQL_SUCCEEDED(
            api->SQLAllocHandle(SQL_HANDLE_STMT, db->conn, &statement))) {
        x.status = REASON_CONNECTION_LOST;
        x.message = S("the connection was closed");
        return x;
    }
    int64_t limit_ms = base->owner->options.limits.timeout_ms;
    run_statement(db, statement, sql, start + limit_ms * 1000000, &x, a);
    api->SQLFreeHandle(SQL_HANDLE_STMT, statement);
    if (db->has_transactions) {
        api->SQLEndTran(SQL_HANDLE_DBC, db->conn, SQL_ROLLBACK);
    }
    x.ns = clock_ns() - start;
    return x;
}
