/*
 * scratch_sqlite.c - scratch databases in memory.
 *
 * Method      One transaction a filling, which is never committed: queries run
 *             in it, the next filling rolls it back, which costs less than to
 *             delete rows one by one. Statements are prepared once and stay
 *             good, because nothing that expires them (a pragma, another
 *             authorizer) happens between two fillings: our own statements
 *             pass the authorizer by a flag. Tables are filled parents first,
 *             so that SQLite itself checks every foreign key; rows that refer
 *             to later rows of their own table (a shuffled filling) wait until
 *             those are there.
 *
 *             Tables have few rows: small pages are less to journal, to copy
 *             into an image and to read from it. SQLite makes no indexes of
 *             its own: they take longer than they save on so few rows, and the
 *             filter before such an index goes by the lengths of texts, so
 *             that 'a ' is not found for 'a' by RTRIM (3.40).
 *
 *             Steps are counted by the progress handler. Its counter lives in
 *             the statement, so that it is set back before each run: the same
 *             query on the same rows stops at the same step.
 */
#include "base/clock.h"
#include "engine/engine_sqlite.h"
#include "engine/scratch_driver.h"

#include <assert.h>
#include <limits.h>

enum {
    STEPS_PER_LOOK = 1000,
};

typedef struct scratch_table {
    sqlite3_stmt *insert;  // NULL: not yet needed
    int32_t *stored;       // columns that are inserted
    bool *is_bound;        // to what is no NULL, of these
    int n_stored;
} scratch_table;

typedef struct sqlite_scratch {
    scratch_db head;
    sqlite_database base;  // its connection
    int64_t steps_left;    // of the running query
    bool is_reversed;
    bool is_connected;      // to the virtual tables that need no CREATE
    bool is_filled;         // in a transaction, unless SQLite ended that
    scratch_table *tables;  // by table of the schema
    sqlite3_stmt *begin;
    sqlite3_stmt *rollback;
} sqlite_scratch;

typedef struct sqlite_scratch_query {
    scratch_query head;
    sqlite3_stmt *statement;
} sqlite_scratch_query;

static int count_steps(void *context)
{
    sqlite_scratch *s = context;
    int64_t now = clock_limit_ns();
    if (s->base.deadline_ns == 0) {
        s->base.deadline_ns =
            now + s->head.engine->options.limits.timeout_ms * 1000000;
    }
    s->steps_left -= STEPS_PER_LOOK;
    return s->steps_left < 0 || now > s->base.deadline_ns;
}

// What SQLite gets no memory for is not the fault of a query: the work ends as
// when an arena is full, but does not abort the host of the library.
static void end_without_memory(const sqlite_scratch *s)
{
    if (sqlite3_errcode(s->base.db) == SQLITE_NOMEM
        && arena_has_hook(s->head.a)) {
        arena_is_full(s->head.a);
    }
}

// SQLite's words about the last failure.
static bool failed(sqlite_scratch *s, diag *d)
{
    end_without_memory(s);
    return diag_add(d, (diag_place){0}, "%s", sqlite3_errmsg(s->base.db));
}

static sqlite3_stmt *own(sqlite_scratch *s, str sql, diag *d)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v3(s->base.db, sql.ptr, (int)sql.len,
                                SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    if (rc != SQLITE_OK) {
        failed(s, d);
    }
    return statement;
}

static void allow(sqlite_scratch *s, bool is_own)
{
    s->base.is_own = is_own;
    s->base.deadline_ns = 0;  // most end before the first look
    s->steps_left = is_own ? INT64_MAX : s->head.limits.steps;
}

// Virtual tables connect before the text that names them is compiled; see
// sqlite_connect_virtual(). Few texts do.
static void connect_named(sqlite_scratch *s, str sql)
{
    if (!s->is_connected && str_find_fold(sql, S("json_"), 0) >= 0) {
        s->is_connected = true;
        allow(s, true);
        sqlite_connect_virtual(&s->base);
    }
}

// A guarded connection, with the steps of its queries counted.
static bool connect(sqlite_scratch *s, const char *name, int flags, diag *d)
{
    int rc = sqlite3_open_v2(name, &s->base.db, flags | SQLITE_OPEN_NOMUTEX,
                             ((sqlite_engine *)s->head.engine)->vfs_name);
    if (rc != SQLITE_OK) {
        return diag_add(d, (diag_place){0}, "%s", sqlite3_errstr(rc));
    }
    s->is_connected = flags & SQLITE_OPEN_READONLY;  // what a file may hold
    if (s->is_connected) {
        sqlite_connect_virtual(&s->base);
    }
    sqlite_guard(&s->base);
    sqlite3_progress_handler(s->base.db, STEPS_PER_LOOK, count_steps, s);
    if (s->head.limits.max_bytes > 0 && s->head.limits.max_bytes < 1 << 28) {
        sqlite3_limit(s->base.db, SQLITE_LIMIT_LENGTH,
                      (int)s->head.limits.max_bytes);
    }
    return true;
}

static bool create_tables(sqlite_scratch *s, str ddl, diag *d)
{
    if (!connect(s, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                 d)) {
        return false;
    }
    // A table's definition may be as long as its text.
    int longest = (int)(ddl.len > 1000000 ? ddl.len : 1000000);
    sqlite3_limit(s->base.db, SQLITE_LIMIT_SQL_LENGTH, longest);
    arena scratch = *s->head.a;
    int rc = sqlite3_exec(s->base.db,
                          "PRAGMA page_size=1024;"
                          "PRAGMA temp_store=MEMORY;"
                          "PRAGMA automatic_index=OFF;"
                          "PRAGMA foreign_keys=ON",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK) {
        connect_named(s, ddl);
        rc = sqlite3_exec(s->base.db, arena_cstr(&scratch, ddl), NULL, NULL,
                          NULL);
    }
    if (rc != SQLITE_OK) {
        return failed(s, d);
    }
    s->begin = own(s, S("BEGIN"), d);
    s->rollback = own(s, S("ROLLBACK"), d);
    return s->begin && s->rollback;
}

static bool sqlite_open(scratch_db *base, str ddl, diag *d)
{
    sqlite_scratch *s = (sqlite_scratch *)base;
    s->base.base.owner = base->engine;
    s->tables = arena_new(base->a, scratch_table, base->schema->n_tables);
    allow(s, true);
    bool ok = create_tables(s, ddl, d);
    s->base.is_own = false;
    return ok;
}

static void sqlite_show(scratch_db *base, str image)
{
    sqlite_engine *e = (sqlite_engine *)base->engine;
    if (e->shown.ptr != image.ptr) {
        e->shown = image;
        e->n_shown++;
    }
}

static bool sqlite_open_image(scratch_db *base, str image, diag *d)
{
    sqlite_scratch *s = (sqlite_scratch *)base;
    s->base.base.owner = base->engine;
    sqlite_show(base, image);
    allow(s, true);
    bool ok = connect(s, "shown", SQLITE_OPEN_READONLY, d)
              && (sqlite3_exec(s->base.db,
                               "PRAGMA temp_store=MEMORY;"
                               "PRAGMA automatic_index=OFF;"
                               "PRAGMA foreign_keys=ON;"
                               "PRAGMA mmap_size=1099511627776;"
                               "SELECT count(*) FROM sqlite_master",
                               NULL, NULL, NULL)
                      == SQLITE_OK
                  || failed(s, d));
    s->base.is_own = false;
    return ok;
}

static void sqlite_close(scratch_db *base)
{
    sqlite_scratch *s = (sqlite_scratch *)base;
    sqlite3_stmt *statement = NULL;
    while (s->base.db && (statement = sqlite3_next_stmt(s->base.db, NULL))) {
        sqlite3_finalize(statement);
    }
    sqlite3_close(s->base.db);
    sqlite3_free(s->base.broken);
    s->base.broken = NULL;
}

static scratch_query *sqlite_prepare(scratch_db *base,
                                     str sql,
                                     execution *failed,
                                     arena *a)
{
    sqlite_scratch *s = (sqlite_scratch *)base;
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    connect_named(s, sql);
    allow(s, false);
    s->base.reads_clock = false;
    s->base.reads_random = false;
    s->base.reads_state = false;
    s->base.was_refused = false;
    sqlite3_stmt *statement =
        sqlite_query(&s->base, sql, SQLITE_PREPARE_PERSISTENT, &x, a);
    if (!statement) {
        end_without_memory(s);
        *failed = x;
        return NULL;
    }
    sqlite_read_names(statement, &x, a);
    sqlite_scratch_query *q = arena_new(a, sqlite_scratch_query, 1);
    *q = (sqlite_scratch_query){
        .head = {.owner = base,
                 .names = x.result.names,
                 .n_columns = x.result.n_columns,
                 .reads_clock = s->base.reads_clock,
                 .reads_random = s->base.reads_random,
                 .reads_state = s->base.reads_state},
        .statement = statement,
    };
    return &q->head;
}

static void sqlite_forget(scratch_query *q)
{
    sqlite3_finalize(((sqlite_scratch_query *)q)->statement);
}

static bool step(sqlite3_stmt *statement)
{
    int rc = sqlite3_step(statement);
    sqlite3_reset(statement);
    return rc == SQLITE_DONE;
}

// Takes the filling back. SQLite may have done so, for want of memory.
static void empty(sqlite_scratch *s)
{
    if (!sqlite3_get_autocommit(s->base.db)) {
        step(s->rollback);
    }
    s->is_filled = false;
    s->head.is_lost = false;
}

// A statement that lists the program of the query; NULL: it cannot be had.
static sqlite3_stmt *listing_of(sqlite_scratch *s, const scratch_query *q)
{
    sqlite3_stmt *of = ((const sqlite_scratch_query *)q)->statement;
    arena scratch = *s->head.a;
    sqlite3_stmt *listing = NULL;
    str sql = arena_printf(&scratch, "EXPLAIN %s", sqlite3_sql(of));
    sqlite3_prepare_v2(s->base.db, sql.ptr, (int)sql.len, &listing, NULL);
    return listing;
}

static str listed(sqlite3_stmt *listing, int column)
{
    const char *text = (const char *)sqlite3_column_text(listing, column);
    return text ? (str){text, sqlite3_column_bytes(listing, column)} : (str){0};
}

// Of these a listing does not show all there is: 16 digits of a number.
static bool is_shown_in_part(str opcode)
{
    return str_equal(opcode, S("Real")) || str_equal(opcode, S("Blob"));
}

// An instruction is its name and what it works on: p1 to p5.
static bool is_same_step(sqlite3_stmt *a, sqlite3_stmt *b)
{
    enum {
        OPCODE = 1,
        P1,
        P4 = 5,
        P5,
    };
    bool same = true;
    for (int c = P1; same && c <= P5; c++) {
        same =
            c == P4 || sqlite3_column_int64(a, c) == sqlite3_column_int64(b, c);
    }
    str opcode = listed(a, OPCODE);
    return same && str_equal(opcode, listed(b, OPCODE))
           && str_equal(listed(a, P4), listed(b, P4))
           && !is_shown_in_part(opcode);
}

static bool is_listed_alike(sqlite_scratch *s,
                            const scratch_query *q,
                            const scratch_query *other)
{
    sqlite3_stmt *a = listing_of(s, q);
    sqlite3_stmt *b = listing_of(s, other);
    bool same = a && b;
    bool ends = false;
    while (same && !ends) {
        int rc = sqlite3_step(a);
        ends = rc == SQLITE_DONE;
        same = rc == sqlite3_step(b)
               && (ends || (rc == SQLITE_ROW && is_same_step(a, b)));
    }
    sqlite3_finalize(a);
    sqlite3_finalize(b);
    return same;
}

// What a query does first: its steps, and whether it comes to a row.
static int64_t first_steps(const scratch_query *q)
{
    sqlite3_stmt *of = ((const sqlite_scratch_query *)q)->statement;
    sqlite3_stmt_status(of, SQLITE_STMTSTATUS_VM_STEP, 1);
    int64_t rc = sqlite3_step(of);
    sqlite3_reset(of);
    return rc << 32 | sqlite3_stmt_status(of, SQLITE_STMTSTATUS_VM_STEP, 0);
}

// Most programs that differ take unlike numbers of steps on empty tables, which
// is known long before they are listed.
static bool sqlite_is_one_program(scratch_query *q, scratch_query *other)
{
    sqlite_scratch *s = (sqlite_scratch *)q->owner;
    allow(s, true);
    empty(s);
    allow(s, false);
    bool may_be = first_steps(q) == first_steps(other);
    allow(s, true);
    bool is_one = may_be && is_listed_alike(s, q, other);
    s->base.is_own = false;
    return is_one;
}

// SQLite ends a transaction in which it got no memory: the rows are gone.
static bool lost_filling(const sqlite_scratch *s)
{
    return s->is_filled && sqlite3_get_autocommit(s->base.db);
}

static execution sqlite_run_again(scratch_query *q, engine_stop stop, arena *a)
{
    assert(((sqlite_scratch_query *)q)->statement);
    sqlite_scratch *s = (sqlite_scratch *)q->owner;
    sqlite3_stmt *statement = ((sqlite_scratch_query *)q)->statement;
    execution x = {
        .offset = -1,
        .stop = stop,
        .reads_clock = q->reads_clock,
        .reads_random = q->reads_random,
    };
    if (lost_filling(s)) {
        engine_fails(&x, REASON_MEMORY, S("another query ran out of memory"));
        return x;
    }
    allow(s, false);
    if (q->reads_random) {
        sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED,
                             s->head.engine->options.seed, (sqlite3 *)NULL);
    }
    x.result.names = q->names;
    x.result.n_columns = q->n_columns;
    sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
    sqlite_read_rows(&s->base, statement, &x, a);
    x.work =
        (uint32_t)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
    if (sqlite3_reset(statement) == SQLITE_NOMEM) {
        end_without_memory(s);
    }
    s->head.is_lost = lost_filling(s);
    return x;
}

// The statements of a table, made when it is first filled.
static bool open_table(sqlite_scratch *s, int32_t no, diag *d)
{
    assert(no >= 0 && no < s->head.schema->n_tables);
    scratch_table *t = &s->tables[no];
    const schema_table *from = &s->head.schema->tables[no];
    if (t->insert) {
        return true;
    }
    t->stored = arena_new(s->head.a, int32_t, from->n_columns);
    t->is_bound = arena_new(s->head.a, bool, from->n_columns);
    t->n_stored = 0;
    arena scratch = *s->head.a;
    buf insert = buf_new(&scratch);
    instance_add_insert(&insert, from, DIALECT_SQLITE);
    instance_add_columns(&insert, from, DIALECT_SQLITE);
    buf_add(&insert, S(" VALUES "));
    for (int32_t c = 0; c < from->n_columns; c++) {
        if (!from->columns[c].generated) {
            buf_add(&insert, t->n_stored == 0 ? S("(?") : S(",?"));
            t->stored[t->n_stored++] = c;
        }
    }
    buf_char(&insert, ')');
    t->insert = own(s, buf_str(&insert), d);
    return t->insert != NULL;
}

static void bind(sqlite3_stmt *statement, int place, value v)
{
    assert(place >= 1);
    str bytes = value_bytes(v);
    assert(bytes.len <= INT_MAX);
    switch ((value_kind)v.kind) {
    case VALUE_NULL: sqlite3_bind_null(statement, place); break;
    case VALUE_INT:
    case VALUE_BOOL: sqlite3_bind_int64(statement, place, v.i); break;
    case VALUE_REAL: sqlite3_bind_double(statement, place, v.real); break;
    case VALUE_BLOB:
        sqlite3_bind_blob(statement, place, bytes.len > 0 ? bytes.ptr : "",
                          (int)bytes.len, SQLITE_STATIC);
        break;
    case VALUE_TEXT:
    case VALUE_DECIMAL:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT:
    case VALUE_OTHER:
        sqlite3_bind_text(statement, place, bytes.len > 0 ? bytes.ptr : "",
                          (int)bytes.len, SQLITE_STATIC);
        break;
    }
}

static bool insert_row(scratch_table *t, const value *row)
{
    assert(t->insert);
    for (int c = 0; c < t->n_stored; c++) {
        value v = row[t->stored[c]];
        bool is_bound = !value_is_null(v);
        if (is_bound || t->is_bound[c]) {  // most columns nobody reads
            bind(t->insert, c + 1, v);
        }
        t->is_bound[c] = is_bound;
    }
    return step(t->insert);
}

// Tries the pending rows once; those that wait for a parent stay. False when
// one fails for another reason, or none got in.
static bool insert_pending(sqlite_scratch *s,
                           int32_t no,
                           const instance_table *rows)
{
    assert(no >= 0 && no < s->head.schema->n_tables);
    scratch_table *t = &s->tables[no];
    ptrdiff_t width = s->head.schema->tables[no].n_columns;
    ptrdiff_t n = s->head.pending.len;
    s->head.pending.len = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t row = s->head.pending.ptr[i];
        if (insert_row(t, rows->cells + row * width)) {
            continue;
        }
        end_without_memory(s);
        if (sqlite3_extended_errcode(s->base.db)
            != SQLITE_CONSTRAINT_FOREIGNKEY) {
            return false;
        }
        s->head.pending.ptr[s->head.pending.len++] = row;
    }
    return s->head.pending.len < n;
}

static bool fill_table(sqlite_scratch *s,
                       int32_t no,
                       const instance_table *rows,
                       scratch_order order,
                       diag *d)
{
    if (rows->n_rows == 0) {
        return true;
    }
    if (!open_table(s, no, d)) {
        return false;
    }
    scratch_line_up(&s->head, no, rows->n_rows, order);
    while (s->head.pending.len > 0) {
        if (!insert_pending(s, no, rows)) {
            str name = s->head.schema->tables[no].name;
            return diag_add(d, (diag_place){0}, "%.*s: %s", STR_ARG(name),
                            sqlite3_errmsg(s->base.db));
        }
    }
    return true;
}

static bool reverse(sqlite_scratch *s, bool is_reversed, diag *d)
{
    if (s->is_reversed == is_reversed) {
        return true;
    }
    s->is_reversed = is_reversed;
    return sqlite_reverse(&s->base, is_reversed) == SQLITE_OK || failed(s, d);
}

// Ends a filling that did or did not go well.
static bool settle(sqlite_scratch *s, bool ok)
{
    s->is_filled = ok;
    if (!ok) {
        empty(s);
    }
    s->base.is_own = false;
    return ok;
}

// Keys of a cycle are deferred, and nothing is ever committed.
static bool has_all_parents(sqlite_scratch *s, diag *d)
{
    int n_broken = 0;
    int ignored = 0;
    sqlite3_db_status(s->base.db, SQLITE_DBSTATUS_DEFERRED_FKS, &n_broken,
                      &ignored, 0);
    return n_broken == 0
           || diag_add(d, (diag_place){0}, "a row of a cycle has no parent");
}

static bool sqlite_fill(scratch_db *base,
                        const instance *rows,
                        scratch_order order,
                        diag *d)
{
    sqlite_scratch *s = (sqlite_scratch *)base;
    allow(s, true);
    empty(s);
    bool ok = reverse(s, order.reversed, d);
    ok = ok && (step(s->begin) || failed(s, d));
    for (ptrdiff_t i = 0; ok && i < s->head.order.n; i++) {
        int32_t no = s->head.order.tables[i];
        ok = fill_table(s, no, &rows->tables[no], order, d);
    }
    return settle(s, ok && has_all_parents(s, d));
}

static bool sqlite_load(scratch_db *base, str sql, diag *d)
{
    sqlite_scratch *s = (sqlite_scratch *)base;
    arena scratch = *base->a;
    const char *text = arena_cstr(&scratch, sql);
    allow(s, true);
    empty(s);
    bool ok = (step(s->begin)
               && sqlite3_exec(s->base.db, text, NULL, NULL, NULL) == SQLITE_OK)
              || failed(s, d);
    return settle(s, ok && has_all_parents(s, d));
}

static str sqlite_image(scratch_db *base, arena *a)
{
    sqlite_scratch *s = (sqlite_scratch *)base;
    sqlite3_int64 size = 0;
    allow(s, true);  // it asks for the number of pages by a pragma
    unsigned char *bytes = sqlite3_serialize(s->base.db, "main", &size, 0);
    str image = {0};
    if (!bytes && size > 0 && arena_has_hook(a)) {
        arena_is_full(a);
    }
    if (bytes) {
        image = arena_str(a, (str){(const char *)bytes, (ptrdiff_t)size});
    }
    sqlite3_free(bytes);
    s->base.is_own = false;
    return image;
}

const scratch_driver scratch_sqlite = {
    .size = sizeof(sqlite_scratch),
    .open = sqlite_open,
    .open_image = sqlite_open_image,
    .show = sqlite_show,
    .close = sqlite_close,
    .prepare = sqlite_prepare,
    .forget = sqlite_forget,
    .is_one_program = sqlite_is_one_program,
    .run = sqlite_run_again,
    .fill = sqlite_fill,
    .load = sqlite_load,
    .image = sqlite_image,
};
