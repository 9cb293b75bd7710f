/*
 * scratch.c - see scratch.h.
 *
 * Method      One transaction a filling; statements are prepared once and stay
 *             good, because nothing that expires them (a pragma, another
 *             authorizer) happens between two fillings: our own statements
 *             pass the authorizer by a flag. Tables are emptied children first
 *             and filled parents first, so that SQLite itself checks every
 *             foreign key; rows that refer to later rows of their own table
 *             (a shuffled filling) wait until those are there.
 *
 *             Steps are counted by the progress handler. Its counter lives in
 *             the statement, so that it is set back before each run: the same
 *             query on the same rows stops at the same step.
 */
#include "engine/scratch.h"

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine_sqlite.h"

enum {
    STEPS_PER_LOOK = 1000,
};

typedef struct scratch_table {
    sqlite3_stmt *insert;  // NULL: not yet needed
    sqlite3_stmt *clear;
    int32_t *stored;  // columns that are inserted
    int n_stored;
    bool is_filled;
} scratch_table;

struct scratch_db {
    engine *engine;
    sqlite_database base;  // its connection
    const schema *schema;
    scratch_limits limits;
    int64_t steps_left;  // of the running query
    bool is_reversed;
    int32_t *order;  // of tables, parents first
    ptrdiff_t n_order;
    scratch_table *tables;  // by table of the schema
    sqlite3_stmt *begin;
    sqlite3_stmt *commit;
    sqlite3_stmt *rollback;
    struct {
        ptrdiff_t *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } pending;  // rows of the table that is being filled
    arena *a;
};

struct scratch_query {
    scratch_db *owner;
    sqlite3_stmt *statement;
    const str *names;
    ptrdiff_t n_columns;
    bool reads_clock;
    bool reads_random;
    bool reads_state;
};

static int count_steps(void *context)
{
    scratch_db *s = context;
    s->steps_left -= STEPS_PER_LOOK;
    return s->steps_left < 0 || clock_ns() > s->base.deadline_ns;
}

// SQLite's words about the last failure.
static bool failed(scratch_db *s, diag *d)
{
    return diag_add(d, (diag_place){0}, "%s", sqlite3_errmsg(s->base.db));
}

static sqlite3_stmt *own(scratch_db *s, str sql, diag *d)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v3(s->base.db, sql.ptr, (int)sql.len,
                                SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    if (rc != SQLITE_OK) {
        failed(s, d);
    }
    return statement;
}

static bool create_tables(scratch_db *s, str ddl, diag *d)
{
    int rc = sqlite3_open_v2(":memory:", &s->base.db,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                 | SQLITE_OPEN_NOMUTEX,
                             ((sqlite_engine *)s->engine)->vfs_name);
    if (rc != SQLITE_OK) {
        return diag_add(d, (diag_place){0}, "%s", sqlite3_errstr(rc));
    }
    sqlite_guard(&s->base);
    sqlite3_progress_handler(s->base.db, STEPS_PER_LOOK, count_steps, s);
    if (s->limits.max_bytes > 0 && s->limits.max_bytes < 1 << 28) {
        sqlite3_limit(s->base.db, SQLITE_LIMIT_LENGTH,
                      (int)s->limits.max_bytes);
    }
    // A table's definition may be as long as its text.
    int longest = (int)(ddl.len > 1000000 ? ddl.len : 1000000);
    sqlite3_limit(s->base.db, SQLITE_LIMIT_SQL_LENGTH, longest);
    arena scratch = *s->a;
    rc = sqlite3_exec(s->base.db,
                      "PRAGMA temp_store=MEMORY;"
                      "PRAGMA foreign_keys=ON",
                      NULL, NULL, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(s->base.db, arena_cstr(&scratch, ddl), NULL, NULL,
                          NULL);
    }
    if (rc != SQLITE_OK) {
        return failed(s, d);
    }
    s->begin = own(s, S("BEGIN"), d);
    s->commit = own(s, S("COMMIT"), d);
    s->rollback = own(s, S("ROLLBACK"), d);
    return s->begin && s->commit && s->rollback;
}

static void allow(scratch_db *s, bool is_own)
{
    s->base.is_own = is_own;
    s->base.deadline_ns =
        clock_ns() + s->engine->options.limits.timeout_ms * 1000000;
    s->steps_left = is_own ? INT64_MAX : s->limits.steps;
}

scratch_db *scratch_open(arena *a,
                         const schema *tables,
                         str ddl,
                         const engine_options *options,
                         scratch_limits limits,
                         diag *d)
{
    engine_options of_sqlite = *options;
    of_sqlite.driver = NULL;
    engine *e = engine_open(&of_sqlite, d);
    if (!e) {
        return NULL;
    }
    e->options.limits.max_rows = limits.max_rows;
    e->options.limits.max_bytes = limits.max_bytes;
    scratch_db *s = arena_new(a, scratch_db, 1);
    s->engine = e;
    s->base.base.owner = e;
    s->schema = tables;
    s->limits = limits;
    s->a = a;
    s->tables = arena_new(a, scratch_table, tables->n_tables);
    s->n_order = instance_order(&s->order, a, tables);
    allow(s, true);
    if (!create_tables(s, ddl, d)) {
        scratch_close(s);
        return NULL;
    }
    s->base.is_own = false;
    return s;
}

void scratch_close(scratch_db *s)
{
    if (!s) {
        return;
    }
    sqlite3_stmt *statement = NULL;
    while (s->base.db && (statement = sqlite3_next_stmt(s->base.db, NULL))) {
        sqlite3_finalize(statement);
    }
    sqlite3_close(s->base.db);
    engine_close(s->engine);
}

scratch_query *scratch_prepare(scratch_db *s,
                               str sql,
                               execution *failed,
                               arena *a)
{
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    allow(s, false);
    s->base.reads_clock = false;
    s->base.reads_random = false;
    s->base.reads_state = false;
    s->base.was_refused = false;
    sqlite3_stmt *statement =
        sqlite_query(&s->base, sql, SQLITE_PREPARE_PERSISTENT, &x, a);
    if (!statement) {
        *failed = x;
        return NULL;
    }
    sqlite_read_names(statement, &x, a);
    scratch_query *q = arena_new(a, scratch_query, 1);
    *q = (scratch_query){
        .owner = s,
        .statement = statement,
        .names = x.result.names,
        .n_columns = x.result.n_columns,
        .reads_clock = s->base.reads_clock,
        .reads_random = s->base.reads_random,
        .reads_state = s->base.reads_state,
    };
    return q;
}

void scratch_forget(scratch_query *q)
{
    if (q) {
        sqlite3_finalize(q->statement);
    }
}

bool scratch_reads_random(const scratch_query *q)
{
    return q->reads_random;
}

bool scratch_reads_state(const scratch_query *q)
{
    return q->reads_state;
}

ptrdiff_t scratch_columns(const scratch_query *q)
{
    return q->n_columns;
}

execution scratch_run(scratch_query *q, engine_stop stop, arena *a)
{
    scratch_db *s = q->owner;
    execution x = {
        .offset = -1,
        .stop = stop,
        .reads_clock = q->reads_clock,
        .reads_random = q->reads_random,
    };
    int64_t start = clock_ns();
    allow(s, false);
    if (q->reads_random) {
        sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, s->engine->options.seed,
                             (sqlite3 *)NULL);
    }
    x.result.names = q->names;
    x.result.n_columns = q->n_columns;
    sqlite3_stmt_status(q->statement, SQLITE_STMTSTATUS_VM_STEP, 1);
    sqlite_read_rows(&s->base, q->statement, &x, a);
    sqlite3_reset(q->statement);
    x.ns = clock_ns() - start;
    return x;
}

static bool step(sqlite3_stmt *statement)
{
    int rc = sqlite3_step(statement);
    sqlite3_reset(statement);
    return rc == SQLITE_DONE;
}

// The statements of a table, made when it is first filled.
static bool open_table(scratch_db *s, int32_t no, diag *d)
{
    scratch_table *t = &s->tables[no];
    const schema_table *from = &s->schema->tables[no];
    if (t->insert) {
        return true;
    }
    t->stored = arena_new(s->a, int32_t, from->n_columns);
    t->n_stored = 0;
    arena scratch = *s->a;
    buf insert = buf_new(&scratch);
    buf_add(&insert, S("INSERT INTO "));
    instance_add_name(&insert, from->name);
    for (int32_t c = 0; c < from->n_columns; c++) {
        if (!from->columns[c].generated) {
            buf_char(&insert, t->n_stored == 0 ? '(' : ',');
            instance_add_name(&insert, from->columns[c].name);
            t->stored[t->n_stored++] = c;
        }
    }
    buf_add(&insert, S(") VALUES ("));
    for (int c = 0; c < t->n_stored; c++) {
        buf_add(&insert, c == 0 ? S("?") : S(",?"));
    }
    buf_char(&insert, ')');
    t->insert = own(s, buf_str(&insert), d);
    buf clear = buf_new(&scratch);
    buf_add(&clear, S("DELETE FROM "));
    instance_add_name(&clear, from->name);
    t->clear = own(s, buf_str(&clear), d);
    return t->insert && t->clear;
}

static void bind(sqlite3_stmt *statement, int place, value v)
{
    str bytes = value_bytes(v);
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
    for (int c = 0; c < t->n_stored; c++) {
        bind(t->insert, c + 1, row[t->stored[c]]);
    }
    return step(t->insert);
}

// Tries the pending rows once; those that wait for a parent stay. False when
// one fails for another reason, or none got in.
static bool insert_pending(scratch_db *s,
                           int32_t no,
                           const instance_table *rows)
{
    scratch_table *t = &s->tables[no];
    ptrdiff_t width = s->schema->tables[no].n_columns;
    ptrdiff_t n = s->pending.len;
    s->pending.len = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t row = s->pending.ptr[i];
        if (insert_row(t, rows->cells + row * width)) {
            continue;
        }
        if (sqlite3_extended_errcode(s->base.db)
            != SQLITE_CONSTRAINT_FOREIGNKEY) {
            return false;
        }
        s->pending.ptr[s->pending.len++] = row;
    }
    return s->pending.len < n;
}

static void swap_rows(ptrdiff_t *rows, ptrdiff_t a, ptrdiff_t b)
{
    ptrdiff_t row = rows[a];
    rows[a] = rows[b];
    rows[b] = row;
}

// All rows of a table, in this order.
static void line_up(scratch_db *s, int32_t no, ptrdiff_t n, scratch_order order)
{
    s->pending.len = 0;
    for (ptrdiff_t r = 0; r < n; r++) {
        *vec_push(s->a, &s->pending) = r;
    }
    if (order.shuffle == 0) {
        return;
    }
    ptrdiff_t *rows = s->pending.ptr;
    rng random = {order.shuffle + (uint64_t)no};
    ptrdiff_t first = order.reversed ? n - 1 : 0;
    swap_rows(rows, first, order.lead % n);
    // The others, beside it.
    for (ptrdiff_t i = n - 1; i > 1; i--) {
        ptrdiff_t shift = order.reversed ? 0 : 1;
        swap_rows(rows, i - 1 + shift, rng_below(&random, i) + shift);
    }
}

static bool fill_table(scratch_db *s,
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
    s->tables[no].is_filled = true;
    line_up(s, no, rows->n_rows, order);
    while (s->pending.len > 0) {
        if (!insert_pending(s, no, rows)) {
            str name = s->schema->tables[no].name;
            return diag_add(d, (diag_place){0}, "%.*s: %s", STR_ARG(name),
                            sqlite3_errmsg(s->base.db));
        }
    }
    return true;
}

static bool clear_tables(scratch_db *s, diag *d)
{
    for (ptrdiff_t i = s->n_order - 1; i >= 0; i--) {
        scratch_table *t = &s->tables[s->order[i]];
        if (t->is_filled && t->clear && !step(t->clear)) {
            return failed(s, d);
        }
        t->is_filled = false;
    }
    return true;
}

static bool reverse(scratch_db *s, bool is_reversed, diag *d)
{
    if (s->is_reversed == is_reversed) {
        return true;
    }
    s->is_reversed = is_reversed;
    int rc = sqlite3_exec(s->base.db,
                          is_reversed ? "PRAGMA reverse_unordered_selects=ON"
                                      : "PRAGMA reverse_unordered_selects=OFF",
                          NULL, NULL, NULL);
    return rc == SQLITE_OK || failed(s, d);
}

bool scratch_fill(scratch_db *s,
                  const instance *rows,
                  scratch_order order,
                  diag *d)
{
    allow(s, true);
    bool ok = reverse(s, order.reversed, d);
    ok = ok && (step(s->begin) || failed(s, d)) && clear_tables(s, d);
    for (ptrdiff_t i = 0; ok && i < s->n_order; i++) {
        int32_t no = s->order[i];
        ok = fill_table(s, no, &rows->tables[no], order, d);
    }
    ok = ok && (step(s->commit) || failed(s, d));
    if (!ok) {
        // What was there before is back.
        step(s->rollback);
        for (ptrdiff_t i = 0; i < s->schema->n_tables; i++) {
            s->tables[i].is_filled = s->tables[i].clear != NULL;
        }
    }
    s->base.is_own = false;
    return ok;
}

str scratch_image(scratch_db *s, arena *a)
{
    sqlite3_int64 size = 0;
    allow(s, true);  // it asks for the number of pages by a pragma
    unsigned char *bytes = sqlite3_serialize(s->base.db, "main", &size, 0);
    str image = {0};
    if (bytes) {
        image = arena_str(a, (str){(const char *)bytes, (ptrdiff_t)size});
    }
    sqlite3_free(bytes);
    s->base.is_own = false;
    return image;
}
