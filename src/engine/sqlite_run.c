/*
 * sqlite_run.c - one query from its text to its rows.
 *
 * Method      prepare, look at what it is, step, copy every cell into the
 *             arena. Limits that SQLite does not keep (rows, bytes of the
 *             result) are kept by the sink of the rows.
 */
#include "base/clock.h"
#include "engine/engine_sqlite.h"
#include "engine/row_sink.h"
#include "sql/outline.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

// SQLite's words, and what they mean. The first match counts.
static const struct {
    str words;
    reason status;
} meanings[] = {
    {S_INIT("no such table"), REASON_NO_SUCH_TABLE},
    {S_INIT("no such column"), REASON_NO_SUCH_COLUMN},
    {S_INIT("no such function"), REASON_NO_SUCH_FUNCTION},
    {S_INIT("no such table-valued function"), REASON_NO_SUCH_FUNCTION},
    {S_INIT("ambiguous column name"), REASON_AMBIGUOUS_COLUMN},
    {S_INIT("not authorized"), REASON_FORBIDDEN},
    {S_INIT("prohibited"), REASON_FORBIDDEN},
    {S_INIT("may not be modified"), REASON_FORBIDDEN},
    {S_INIT("unsafe use of"), REASON_FORBIDDEN},
    {S_INIT("syntax error"), REASON_SYNTAX_ERROR},
    {S_INIT("incomplete input"), REASON_SYNTAX_ERROR},
    {S_INIT("unrecognized token"), REASON_SYNTAX_ERROR},
    {S_INIT("() - max "), REASON_INVALID_QUERY},  // arguments of a table
    {S_INIT("maximum depth"), REASON_TOO_COMPLEX},
    {S_INIT("parser stack overflow"), REASON_TOO_COMPLEX},
    {S_INIT("too many"), REASON_TOO_COMPLEX},
    {S_INIT("at most 64 tables"), REASON_TOO_COMPLEX},
};

static reason meaning_of(sqlite_database *db, int rc, bool is_prepared)
{
    switch (rc & 0xff) {
    case SQLITE_AUTH:
    case SQLITE_READONLY: return REASON_FORBIDDEN;
    case SQLITE_INTERRUPT: return REASON_TIMEOUT;
    case SQLITE_NOMEM: return REASON_MEMORY;
    case SQLITE_TOOBIG: return is_prepared ? REASON_MEMORY : REASON_TOO_LONG;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return REASON_NO_DATABASE;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: return REASON_RUNTIME_ERROR;
    default: break;
    }
    if (db->was_refused && !is_prepared) {
        return REASON_FORBIDDEN;
    }
    str message = str_from(sqlite3_errmsg(db->db));
    for (ptrdiff_t i = 0; i < countof(meanings); i++) {
        if (str_find(message, meanings[i].words, 0) >= 0) {
            return meanings[i].status;
        }
    }
    return is_prepared ? REASON_RUNTIME_ERROR : REASON_INVALID_QUERY;
}

static void failed(execution *x,
                   sqlite_database *db,
                   int rc,
                   bool is_prepared,
                   arena *a)
{
    assert(rc != SQLITE_OK);
    x->status = meaning_of(db, rc, is_prepared);
    x->code = sqlite3_extended_errcode(db->db);
    x->message = engine_said(a, str_from(sqlite3_errmsg(db->db)));
    x->offset = is_prepared ? -1 : sqlite3_error_offset(db->db);
    x->result = (table){0};
}

static str first_word(str sql)
{
    return sql_outline_of(sql, DIALECT_SQLITE).verb;
}

static bool is_query(str sql)
{
    return str_among_fold(first_word(sql), "SELECT WITH VALUES");
}

// A virtual table of the database that did not connect tries again when a query
// names it, with statements that the authorizer takes for the query's and
// refuses. Where it passes all but functions, the table fails as it did before:
// then the database is to blame. Nothing is run. Tables of pragmas would stay
// connected, and what names them is refused for itself.
static void blame_database(execution *x, sqlite_database *db, str sql, arena *a)
{
    if (!db->broken || !is_query(sql)
        || str_find_fold(sql, S("pragma_"), 0) >= 0) {
        return;
    }
    sqlite3_stmt *statement = NULL;
    db->is_own = true;
    int rc =
        sqlite3_prepare_v2(db->db, sql.ptr, (int)sql.len, &statement, NULL);
    db->is_own = false;
    sqlite3_finalize(statement);
    const char *why = sqlite3_errmsg(db->db);
    if (rc != SQLITE_OK && strstr(db->broken, why)) {
        engine_fails(x, REASON_NO_DATABASE, arena_str(a, str_from(why)));
    }
}

// SQLite refuses a part of what a statement does to its own tables; people
// asked for the statement.
static void name_refused(execution *x, str sql, arena *a)
{
    str word = first_word(sql);
    if (x->status == REASON_FORBIDDEN && word.len > 0 && !is_query(sql)) {
        x->message = arena_printf(a, "%.*s is not allowed",
                                  STR_ARG(arena_upper(a, word)));
    }
}

// Is there anything but white space, comments and `;` after the statement?
static bool has_more(sqlite_database *db, const char *tail, const char *end)
{
    while (tail < end) {
        sqlite3_stmt *next = NULL;
        const char *rest = end;
        int rc =
            sqlite3_prepare_v2(db->db, tail, (int)(end - tail), &next, &rest);
        bool is_statement = rc != SQLITE_OK || next;
        sqlite3_finalize(next);
        if (is_statement) {
            return true;
        }
        if (rest <= tail) {
            break;
        }
        tail = rest;
    }
    return false;
}

// Compiles the first statement of a text; false with why not in *x.
static bool prepare(sqlite_database *db,
                    str sql,
                    unsigned flags,
                    sqlite3_stmt **statement,
                    const char **tail,
                    execution *x,
                    arena *a)
{
    if (sql.len > INT_MAX) {
        return engine_fails(x, REASON_TOO_LONG, S("longer than 2 GiB"));
    }
    if (sql.len > 0 && memchr(sql.ptr, '\0', (size_t)sql.len)) {
        return engine_fails(x, REASON_SYNTAX_ERROR,
                            S("a NUL byte in the text"));
    }
    int rc = sqlite3_prepare_v3(db->db, sql.ptr ? sql.ptr : "", (int)sql.len,
                                flags, statement, tail);
    if (rc != SQLITE_OK) {
        failed(x, db, rc, false, a);
        name_refused(x, sql, a);
    }
    return rc == SQLITE_OK;
}

sqlite3_stmt *sqlite_query(sqlite_database *db,
                           str sql,
                           unsigned flags,
                           execution *x,
                           arena *a)
{
    assert(x->status == REASON_NONE);  // what went wrong before is not run
    sqlite3_stmt *statement = NULL;
    const char *tail = NULL;
    if (!prepare(db, sql, flags, &statement, &tail, x, a)) {
        blame_database(x, db, sql, a);
        return NULL;
    }
    if (!statement) {
        engine_fails(x, REASON_NO_PREDICTION, S("there is no statement"));
        return NULL;
    }
    if (sqlite3_stmt_isexplain(statement) || !sqlite3_stmt_readonly(statement)
        || sqlite3_column_count(statement) == 0) {
        engine_fails(x, REASON_FORBIDDEN, S("not a query"));
    } else if (has_more(db, tail, sql.ptr + sql.len)) {
        engine_fails(x, REASON_SEVERAL_STATEMENTS,
                     S("more than one statement"));
    }
    if (x->status != REASON_NONE) {
        name_refused(x, sql, a);
        sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}

sqlite3_stmt *sqlite_statement(sqlite_database *db,
                               str sql,
                               execution *x,
                               arena *a)
{
    sqlite3_stmt *statement = NULL;
    const char *tail = NULL;
    prepare(db, sql, 0, &statement, &tail, x, a);
    return statement;
}

static value copy_cell(sqlite3_stmt *statement, int column, arena *a)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return value_int(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
        return value_real(sqlite3_column_double(statement, column));
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_column_text(statement, column);
        ptrdiff_t len = sqlite3_column_bytes(statement, column);
        return value_text(arena_str(a, (str){text, len}));
    }
    case SQLITE_BLOB: {
        const char *bytes = sqlite3_column_blob(statement, column);
        ptrdiff_t len = sqlite3_column_bytes(statement, column);
        return value_blob(arena_str(a, (str){bytes, len}));
    }
    default: return value_null();
    }
}

void sqlite_read_rows(sqlite_database *db,
                      sqlite3_stmt *statement,
                      execution *x,
                      arena *a)
{
    row_sink sink = row_sink_new(x, &db->base.owner->options.limits, a);
    int n_columns = sqlite3_column_count(statement);
    int rc = SQLITE_OK;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int c = 0; c < n_columns; c++) {
            row_sink_add(&sink, copy_cell(statement, c, a));
        }
        if (sqlite3_errcode(db->db) == SQLITE_NOMEM) {
            rc = SQLITE_NOMEM;  // a text could not be converted to UTF-8
            break;
        }
        if (!row_sink_end_row(&sink)) {
            break;
        }
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
        failed(x, db, rc, true, a);
    } else if (x->status == REASON_NONE) {
        row_sink_done(&sink);
    }
}

void sqlite_read_names(sqlite3_stmt *statement, execution *x, arena *a)
{
    int n = sqlite3_column_count(statement);
    str *names = row_sink_columns(x, n, a);
    for (int c = 0; c < n; c++) {
        names[c] = arena_str(a, str_from(sqlite3_column_name(statement, c)));
    }
}

void sqlite_finish(sqlite_database *db)
{
    sqlite3_finalize(db->running);
    db->running = NULL;
}

static execution run(sqlite_database *db, str sql, engine_stop stop, arena *a)
{
    execution x = {.offset = -1, .stop = stop};
    const engine_options *options = &db->base.owner->options;
    int64_t start = clock_ns();
    db->deadline_ns = clock_limit_ns() + options->limits.timeout_ms * 1000000;
    db->timed_out = false;
    db->looks = 0;
    sqlite_engine *owner = (sqlite_engine *)db->base.owner;
    owner->is_clock_read = false;
    db->reads_clock = false;
    db->reads_random = false;
    db->was_refused = false;
    sqlite_finish(db);
    sqlite3_stmt *statement = sqlite_query(db, sql, 0, &x, a);
    if (statement) {
        db->running = statement;
        if (db->reads_random) {
            // Every run of a random query starts from the same seed.
            sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, options->seed,
                                 (sqlite3 *)NULL);
        }
        sqlite_read_names(statement, &x, a);
        sqlite_read_rows(db, statement, &x, a);
        x.work = sqlite_work(db);
        sqlite_finish(db);
    }
    x.ns = clock_ns() - start;
    // strftime() over a column is no look at the clock.
    x.reads_clock = db->reads_clock && owner->is_clock_read;
    x.reads_random = db->reads_random;
    return x;
}

execution sqlite_run(database *base, str sql, engine_stop stop, arena *a)
{
    sqlite_database *db = (sqlite_database *)base;
    db->text = db->image ? sql : (str){0};
    execution x = run(db, sql, stop, a);
    db->text = (str){0};
    return x;
}

int sqlite_reverse(sqlite_database *db, bool is_reversed)
{
    bool is_own = db->is_own;
    db->is_own = true;
    int rc = sqlite3_exec(db->db,
                          is_reversed ? "PRAGMA reverse_unordered_selects=ON"
                                      : "PRAGMA reverse_unordered_selects=OFF",
                          NULL, NULL, NULL);
    db->is_own = is_own;
    return rc;
}

execution sqlite_run_reversed(database *base, str sql, arena *a)
{
    sqlite_database *db = (sqlite_database *)base;
    sqlite_reverse(db, true);
    execution x = run(db, sql, ENGINE_READ_ALL, a);
    sqlite_reverse(db, false);
    return x;
}
