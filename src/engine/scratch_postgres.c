/*
 * scratch_postgres.c - scratch databases on a PostgreSQL server.
 *
 * Method      Temporary tables of one connection. They hide the tables of the
 *             same name, no other session sees them, they are not logged, and
 *             the server drops them when the connection ends, whatever ended
 *             it: nothing can be left behind, and a role needs no right but
 *             TEMPORARY on the database, which every role has unless it was
 *             taken away. The search path holds nothing else, so that no query
 *             reads the user's tables by accident.
 *
 *             A filling is one message: all tables that hold rows are emptied,
 *             children first, and filled by one INSERT each, parents first.
 *             DELETE, not TRUNCATE, which takes ten times as long for tables
 *             that fit on a page. Queries are prepared statements, each in a
 *             transaction of its own, which is read-only.
 *
 *             There are no steps to be counted here: the limit is a time.
 *
 *             A connection that breaks is made anew once, with the rows that
 *             were there; queries are prepared again when they are next run.
 */
#include "base/clock.h"
#include "engine/engine_postgres.h"
#include "engine/postgres_text.h"
#include "engine/scratch_driver.h"
#include "sql/name.h"

#include <assert.h>

enum {
    OWN_MS = 10000,         // for a filling, and for making the tables
    FILLINGS_A_FILE = 200,  // then tables are truncated: dead rows take room
    MOST_TEXT = 128 << 10,  // of a query
};

typedef struct postgres_scratch {
    scratch_db head;
    postgres_database *db;
    str ddl;
    int generation;    // of the connection
    int64_t n_names;   // of prepared statements, ever
    int64_t n_filled;  // fillings of this connection
    bool *is_filled;   // by table
    bool *was_filled;  // since the last TRUNCATE
    vec_of(
        int64_t) forgotten;  // numbers of statements that nobody wants any more
    scratch_texts texts;
} postgres_scratch;

typedef struct postgres_scratch_query {
    scratch_query head;
    str sql;  // as it was sent
    int64_t no;
    int generation;
} postgres_scratch_query;

// What can be done where the tables cannot be made.
static const char *advice(str state)
{
    return str_equal(state, S("42501"))
               ? "; scratch tables need the right TEMPORARY: GRANT TEMPORARY "
                 "ON DATABASE ... TO ..."
           : str_equal(state, S("25006"))
               ? "; scratch tables need a server that is not a standby"
               : "";
}

// Runs statements of our own; false with the server's words.
static bool execute(postgres_scratch *s, str sql, diag *d)
{
    int64_t until = clock_ns() + (int64_t)OWN_MS * 1000000;
    postgres_fault fault;
    bool ok = postgres_do(s->db, sql, until, NULL, d->a, &fault);
    if (!ok && fault.state.len == 0) {
        postgres_close(&s->db->base);
    }
    return ok
           || diag_add(d, (diag_place){0}, "%.*s%s", STR_ARG(fault.words),
                       advice(fault.state));
}

// Settings and tables of a connection, which was just made.
static bool set_up(postgres_scratch *s, diag *d)
{
    arena a = arena_store_clear(&s->texts.store);
    int64_t ms = scratch_limit_ms(&s->head);
    s->head.engine->options.limits.timeout_ms = ms;
    // The search path, below, leaves them out.
    s->db->own.overloads = (map){0};
    s->generation++;
    s->n_filled = 0;
    s->forgotten.len = 0;
    for (ptrdiff_t t = 0; t < s->head.schema->n_tables; t++) {
        s->is_filled[t] = false;
        s->was_filled[t] = false;
    }
    diag *side = engine_side_diag(&a);
    execute(s, S("SET jit=off"), side);
    str settings = arena_printf(
        &a,
        "SET default_transaction_read_only=on;SET search_path=pg_temp;"
        "SET synchronous_commit=off;SET client_min_messages=error;"
        "SET statement_timeout=%lld",
        (long long)ms);
    str make = arena_printf(&a, "BEGIN READ WRITE;%.*s", STR_ARG(s->ddl));
    if (execute(s, settings, d) && execute(s, make, d)) {
        return execute(s, S("COMMIT"), d);
    }
    execute(s, S("ROLLBACK"), side);
    return false;
}

static bool scratch_connect(scratch_db *base, str ddl, diag *d)
{
    postgres_scratch *s = (postgres_scratch *)base;
    s->ddl = ddl;
    s->is_filled = arena_new(base->a, bool, base->schema->n_tables);
    s->was_filled = arena_new(base->a, bool, base->schema->n_tables);
    if (!scratch_texts_open(&s->texts, d)) {
        return false;
    }
    arena scratch = arena_store_clear(&s->texts.store);
    s->db = (postgres_database *)engine_database(
        base->engine, base->engine->options.scratch_url, d, scratch);
    return s->db && set_up(s, d);
}

static void scratch_disconnect(scratch_db *base)
{
    // The engine closes the connection, which ends the tables.
    scratch_texts_close(&((postgres_scratch *)base)->texts);
}

// A new connection with the same tables and rows.
static bool revive(postgres_scratch *s)
{
    arena scratch = arena_store_clear(&s->texts.store);
    diag *ignored = engine_side_diag(&scratch);
    bool ok =
        postgres_open(&s->db->base, ignored, scratch) && set_up(s, ignored);
    if (ok && s->texts.filling.len > 0) {
        scratch = arena_store_clear(&s->texts.store);
        ignored = engine_side_diag(&scratch);
        str again = arena_printf(&scratch, "BEGIN READ WRITE;%.*sCOMMIT",
                                 STR_ARG(s->texts.filling));
        ok = execute(s, again, ignored);
    }
    s->head.is_lost = !ok;
    return ok;
}

static str name_of(int64_t no, arena *a)
{
    return arena_printf(a, "assay_%lld", (long long)no);
}

static scratch_query *scratch_compile(scratch_db *base,
                                      str sql,
                                      execution *failed,
                                      arena *a)
{
    postgres_scratch *s = (postgres_scratch *)base;
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    arena scratch = arena_store_clear(&s->texts.store);
    bool reads_state = false;
    str text = {0};
    if (sql.len > MOST_TEXT) {
        engine_fails(&x, REASON_TOO_LONG, S("longer than 128 KiB"));
    } else if (!postgres_text_for_scratch(&text, sql, base->schema,
                                          base->engine->options.clock_ms,
                                          &reads_state, a, scratch)) {
        engine_fails(&x, REASON_TOO_COMPLEX,
                     S("it names a schema, and assay cannot parse it"));
    }
    if (x.status != REASON_NONE) {
        *failed = x;
        return NULL;
    }
    s->n_names++;
    str name = name_of(s->n_names, a);
    bool ok = postgres_prepare(s->db, name, text, &x, a);
    if (x.status == REASON_CONNECTION_LOST && revive(s)) {
        x = (execution){.offset = -1, .stop = ENGINE_READ_ALL};
        ok = postgres_prepare(s->db, name, text, &x, a);
    }
    if (!ok) {
        *failed = x;
        return NULL;
    }
    postgres_scratch_query *q = arena_new(a, postgres_scratch_query, 1);
    *q = (postgres_scratch_query){
        .head = {.owner = base,
                 .names = x.result.names,
                 .n_columns = x.result.n_columns,
                 .reads_clock = x.reads_clock,
                 .reads_random = x.reads_random,
                 .reads_state = reads_state},
        .sql = text,
        .no = s->n_names,
        .generation = s->generation,
    };
    return &q->head;
}

static void scratch_drop(scratch_query *base)
{
    postgres_scratch_query *q = (postgres_scratch_query *)base;
    postgres_scratch *s = (postgres_scratch *)base->owner;
    if (q->generation == s->generation) {
        *vec_push(s->head.a, &s->forgotten) = q->no;
    }
}

static execution run_once(postgres_scratch_query *q, engine_stop stop, arena *a)
{
    postgres_scratch *s = (postgres_scratch *)q->head.owner;
    assert(q->generation <= s->generation);
    str name = name_of(q->no, a);
    execution x = {.offset = -1, .stop = stop};
    if (q->generation != s->generation && s->db->conn) {
        if (!postgres_prepare(s->db, name, q->sql, &x, a)) {
            return x;
        }
        q->generation = s->generation;
    }
    return postgres_run_prepared(s->db, name, q->sql, stop, a);
}

static execution scratch_execute(scratch_query *base,
                                 engine_stop stop,
                                 arena *a)
{
    postgres_scratch *s = (postgres_scratch *)base->owner;
    execution x = run_once((postgres_scratch_query *)base, stop, a);
    if (x.status == REASON_CONNECTION_LOST && revive(s)) {
        x = run_once((postgres_scratch_query *)base, stop, a);
    }
    s->head.is_lost = !s->db->conn;
    x.reads_clock = base->reads_clock;
    x.reads_random = base->reads_random;
    return x;
}

static void empty_tables(postgres_scratch *s, buf *out)
{
    bool anew = s->n_filled % FILLINGS_A_FILE == 0;
    int n = 0;
    for (ptrdiff_t i = s->head.order.n - 1; i >= 0; i--) {
        int32_t t = s->head.order.tables[i];
        if (anew ? s->was_filled[t] : s->is_filled[t]) {
            buf_add(out, !anew    ? S("DELETE FROM ")
                         : n == 0 ? S("TRUNCATE ")
                                  : S(","));
            name_add(out, s->head.schema->tables[t].name, DIALECT_POSTGRES);
            buf_add(out, anew ? S("") : S(";"));
            n++;
        }
    }
    // What refers to a table that is truncated must be, too; it is empty.
    buf_add(out, anew && n > 0 ? S(" CASCADE;") : S(""));
}

static void forget_statements(postgres_scratch *s, buf *out)
{
    for (ptrdiff_t i = 0; i < s->forgotten.len; i++) {
        buf_printf(out, "DEALLOCATE assay_%lld;",
                   (long long)s->forgotten.ptr[i]);
    }
    s->forgotten.len = 0;
}

static bool scratch_refill(scratch_db *base,
                           const instance *rows,
                           scratch_order order,
                           diag *d)
{
    postgres_scratch *s = (postgres_scratch *)base;
    s->texts.filling = (str){0};
    if (!s->db->conn && !revive(s)) {
        return diag_add(d, (diag_place){0}, "the server is unavailable");
    }
    arena of_filling = arena_store_clear(&s->texts.filling_store);
    buf filling = buf_new(&of_filling);
    for (ptrdiff_t i = 0; i < base->order.n; i++) {
        int32_t t = base->order.tables[i];
        scratch_add_rows(base, &filling, t, rows, order, false);
    }
    arena text = arena_store_clear(&s->texts.store);
    buf out = buf_new(&text);
    buf_add(&out, S("BEGIN READ WRITE;"));
    forget_statements(s, &out);
    empty_tables(s, &out);
    buf_add(&out, buf_str(&filling));
    buf_add(&out, S("COMMIT"));
    buf_char(&out, '\0');
    if (!execute(s, buf_str(&out), d)) {
        // What was there before is back.
        diag *side = engine_side_diag(&text);
        if (s->db->conn) {
            execute(s, S("ROLLBACK"), side);
        }
        return false;
    }
    base->is_lost = false;
    s->texts.filling = buf_str(&filling);
    bool anew = s->n_filled++ % FILLINGS_A_FILE == 0;
    for (ptrdiff_t t = 0; t < base->schema->n_tables; t++) {
        s->is_filled[t] = rows->tables[t].n_rows > 0;
        s->was_filled[t] = s->is_filled[t] || (s->was_filled[t] && !anew);
    }
    return true;
}

const scratch_driver scratch_postgres = {
    .size = sizeof(postgres_scratch),
    .open = scratch_connect,
    .close = scratch_disconnect,
    .prepare = scratch_compile,
    .forget = scratch_drop,
    .run = scratch_execute,
    .fill = scratch_refill,
};
