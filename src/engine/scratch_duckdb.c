/*
 * scratch_duckdb.c - scratch databases of DuckDB, in memory.
 *
 * Method      A database of its own for each, locked as one of a file is: no
 *             files, no extensions, settings that stay. A filling is one
 *             transaction that is never committed: queries run in it, the next
 *             filling rolls it back. A query that fails ends that transaction
 *             in DuckDB, too; the rows are then put in again before the next
 *             one runs.
 *
 *             A query is compiled for each run: what DuckDB plans may rest on
 *             the rows that were there.
 *
 *             There are no steps to be counted here: the limit is a time.
 */
#include "engine/engine_duckdb.h"
#include "engine/scratch_driver.h"
#include "sql/lex.h"

#include <assert.h>

// The library needs some for itself, however few rows there are.
static const int64_t LEAST_BYTES = (int64_t)256 << 20;

typedef struct duckdb_scratch {
    scratch_db head;
    duckdb_database base;  // its connection
    scratch_texts texts;
    bool is_filled;  // in a transaction
} duckdb_scratch;

typedef struct duckdb_scratch_query {
    scratch_query head;
    str sql;
} duckdb_scratch_query;

static bool scratch_create(scratch_db *head, str ddl, diag *d)
{
    duckdb_scratch *s = (duckdb_scratch *)head;
    engine_limits *limits = &head->engine->options.limits;
    s->base.base.owner = head->engine;
    limits->timeout_ms = scratch_limit_ms(head);
    limits->max_bytes =
        limits->max_bytes > LEAST_BYTES ? limits->max_bytes : LEAST_BYTES;
    return scratch_texts_open(&s->texts, d)
           && duckdb_open_memory(&s->base, str_from(arena_cstr(head->a, ddl)),
                                 d, arena_store_clear(&s->texts.store));
}

static void scratch_destroy(scratch_db *head)
{
    duckdb_scratch *s = (duckdb_scratch *)head;
    duckdb_close_all(&s->base);
    scratch_texts_close(&s->texts);
}

// What no list of functions shows: samples are drawn, and the catalogue is that
// of the scratch database.
static void look_at_words(scratch_query *q, str sql)
{
    static const char listing[] =
        "information_schema pg_catalog pg_attribute pg_class pg_constraint "
        "pg_database pg_index pg_namespace pg_settings pg_tables pg_type "
        "pg_views sqlite_master sqlite_schema current_catalog "
        "current_database current_schema current_setting "
        "current_connection_id txid_current";
    lexer l = lex_begin(sql, DIALECT_DUCKDB);
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        str word = token_text(sql, t);
        bool is_quoted = t.kind == TOKEN_QUOTED_NAME;
        q->reads_random |=
            token_is_word(t) && str_among_fold(word, "sample tablesample");
        word = is_quoted ? str_sub(word, 1, word.len - 1) : word;
        q->reads_state |= (is_quoted || token_is_word(t))
                          && (str_starts_fold(word, S("duckdb_"))
                              || str_among_fold(word, listing));
    }
}

static scratch_query *scratch_compile(scratch_db *head,
                                      str sql,
                                      execution *failed,
                                      arena *a)
{
    duckdb_scratch *s = (duckdb_scratch *)head;
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    if (!duckdb_compile(&s->base, sql, &x, a)) {
        *failed = x;
        return NULL;
    }
    duckdb_scratch_query *q = arena_new(a, duckdb_scratch_query, 1);
    *q = (duckdb_scratch_query){
        .head = {.owner = head,
                 .names = x.result.names,
                 .n_columns = x.result.n_columns,
                 .reads_clock = x.reads_clock,
                 .reads_random = x.reads_random},
        .sql = arena_str(a, sql),
    };
    look_at_words(&q->head, sql);
    return &q->head;
}

static void scratch_drop(scratch_query *q)
{
    (void)q;  // nothing of it is kept in DuckDB
}

// Takes the filling back.
static void empty(duckdb_scratch *s)
{
    if (s->is_filled) {
        arena scratch = arena_store_clear(&s->texts.store);
        duckdb_execute(&s->base, (str){0}, S("ROLLBACK"),
                       engine_side_diag(&scratch));
        s->is_filled = false;
    }
}

// Runs what makes the rows, in a transaction that stays open.
static bool put_in(duckdb_scratch *s, diag *d)
{
    assert(s->texts.filling.len > 0);
    empty(s);
    s->is_filled = true;
    bool ok = duckdb_execute(&s->base, (str){0}, s->texts.filling, d);
    s->head.is_lost = !ok;
    if (!ok) {
        empty(s);
    }
    return ok;
}

static execution scratch_execute(scratch_query *q, engine_stop stop, arena *a)
{
    duckdb_scratch *s = (duckdb_scratch *)q->owner;
    execution x =
        duckdb_run(&s->base.base, ((duckdb_scratch_query *)q)->sql, stop, a);
    if (x.status != REASON_NONE && s->is_filled) {
        arena scratch = arena_store_clear(&s->texts.store);
        put_in(s, engine_side_diag(&scratch));
    }
    return x;
}

static bool refers_to_itself(const schema *s, int32_t t)
{
    bool found = false;
    for (ptrdiff_t k = 0; !found && k < s->n_keys; k++) {
        found = s->keys[k].child == t && s->keys[k].parent == t;
    }
    return found;
}

static bool scratch_refill(scratch_db *head,
                           const instance *rows,
                           scratch_order order,
                           diag *d)
{
    duckdb_scratch *s = (duckdb_scratch *)head;
    arena memory = arena_store_clear(&s->texts.filling_store);
    buf text = buf_new(&memory);
    buf_add(&text, S("BEGIN TRANSACTION;"));
    for (ptrdiff_t i = 0; i < head->order.n; i++) {
        int32_t t = head->order.tables[i];
        scratch_add_rows(head, &text, t, rows, order,
                         refers_to_itself(head->schema, t));
    }
    buf_char(&text, '\0');
    s->texts.filling = buf_str(&text);
    return put_in(s, d);
}

static bool scratch_load_text(scratch_db *head, str sql, diag *d)
{
    duckdb_scratch *s = (duckdb_scratch *)head;
    arena memory = arena_store_clear(&s->texts.filling_store);
    s->texts.filling =
        arena_printf(&memory, "BEGIN TRANSACTION;%.*s", STR_ARG(sql));
    return put_in(s, d);
}

const scratch_driver scratch_duckdb = {
    .size = sizeof(duckdb_scratch),
    .open = scratch_create,
    .close = scratch_destroy,
    .prepare = scratch_compile,
    .forget = scratch_drop,
    .run = scratch_execute,
    .fill = scratch_refill,
    .load = scratch_load_text,
};
