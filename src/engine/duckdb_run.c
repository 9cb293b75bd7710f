/*
 * duckdb_run.c - one query on DuckDB, under limits.
 *
 * Method      prepare, look at what kinds of statements it is, work at it task
 *             by task (between tasks the worker may send what is finished),
 *             then take its rows chunk by chunk as they are made. A timer
 *             thread interrupts what runs too long.
 */
#include "base/clock.h"
#include "engine/engine_duckdb.h"
#include "engine/query_guard.h"
#include "engine/row_sink.h"
#include "sql/name.h"

// DuckDB's words, and what they mean. The first that the message holds counts.
static const struct {
    str words;
    reason status;
} meanings[] = {
    {S_INIT("INTERRUPT Error"), REASON_TIMEOUT},
    {S_INIT("Out of Memory Error"), REASON_MEMORY},
    {S_INIT("Memory allocation failure"), REASON_MEMORY},
    {S_INIT("std::bad_alloc"), REASON_MEMORY},
    {S_INIT("Permission Error"), REASON_FORBIDDEN},
    {S_INIT("configuration has been locked"), REASON_FORBIDDEN},
    {S_INIT("Parser Error"), REASON_SYNTAX_ERROR},
    {S_INIT("Syntax Error"), REASON_SYNTAX_ERROR},
    {S_INIT("Max expression depth"), REASON_TOO_COMPLEX},
    {S_INIT("Table with name"), REASON_NO_SUCH_TABLE},
    {S_INIT("Referenced table"), REASON_NO_SUCH_TABLE},
    {S_INIT("Table Function with name"), REASON_NO_SUCH_FUNCTION},
    {S_INIT("Function with name"), REASON_NO_SUCH_FUNCTION},
    {S_INIT("Ambiguous reference"), REASON_AMBIGUOUS_COLUMN},
    {S_INIT("Referenced column"), REASON_NO_SUCH_COLUMN},
    {S_INIT("does not have a column named"), REASON_NO_SUCH_COLUMN},
    {S_INIT("No function matches"), REASON_INVALID_QUERY},
};

// Errors of the library's own, after which it runs nothing more; and what it
// then says of all that comes.
static bool ends_database(str message)
{
    return str_starts(message, S("INTERNAL Error"))
           || str_starts(message, S("FATAL Error"))
           || str_find(message, S("database has been invalidated"), 0) >= 0;
}

static void failed(duckdb_database *db,
                   execution *x,
                   const char *words,
                   bool is_prepared,
                   arena *a)
{
    str message = str_from(words ? words : "failed without a message");
    x->message = engine_said(a, duckdb_first_line(message));
    x->status = is_prepared ? REASON_RUNTIME_ERROR : REASON_INVALID_QUERY;
    x->result = (table){0};
    for (ptrdiff_t i = 0; i < countof(meanings); i++) {
        if (str_find(message, meanings[i].words, 0) >= 0) {
            x->status = meanings[i].status;
            break;
        }
    }
    if (x->status == REASON_MEMORY) {
        x->message = S("DuckDB ran out of memory");  // no two runs alike
    }
    db->is_broken = db->is_broken || ends_database(message);
}

static void read_names(const duckdb_api *api,
                       duck_result *result,
                       execution *x,
                       arena *a)
{
    str *names = row_sink_columns(x, (ptrdiff_t)api->column_count(result), a);
    for (ptrdiff_t c = 0; c < x->result.n_columns; c++) {
        names[c] =
            arena_str(a, str_from(api->column_name(result, (uint64_t)c)));
    }
}

// One chunk into the sink; false when no more is wanted.
static bool read_chunk(const duckdb_api *api,
                       void *chunk,
                       row_sink *sink,
                       execution *x,
                       arena *a)
{
    uint64_t n_columns = (uint64_t)x->result.n_columns;
    uint64_t n_rows = api->data_chunk_get_size(chunk);
    void **vectors = arena_new(a, void *, (ptrdiff_t)n_columns);
    void **types = arena_new(a, void *, (ptrdiff_t)n_columns);
    for (uint64_t c = 0; c < n_columns; c++) {
        vectors[c] = api->data_chunk_get_vector(chunk, c);
        types[c] = api->vector_get_column_type(vectors[c]);
    }
    bool goes_on = true;
    for (uint64_t r = 0; goes_on && r < n_rows; r++) {
        for (uint64_t c = 0; c < n_columns; c++) {
            row_sink_add(sink, duckdb_cell(api, vectors[c], types[c], r,
                                           &x->has_unknown_types, a));
        }
        goes_on = row_sink_end_row(sink);
    }
    for (uint64_t c = 0; c < n_columns; c++) {
        api->destroy_logical_type(&types[c]);
    }
    return goes_on;
}

static void read_rows(duckdb_database *db,
                      duck_result *result,
                      execution *x,
                      arena *a)
{
    const duckdb_api *api = duckdb_api_of(db);
    row_sink sink = row_sink_new(x, &db->base.owner->options.limits, a);
    bool goes_on = true;
    void *chunk = NULL;
    while (goes_on && (chunk = api->fetch_chunk(*result))) {
        goes_on = read_chunk(api, chunk, &sink, x, a);
        api->destroy_data_chunk(&chunk);
    }
    const char *error = goes_on ? api->result_error(result) : NULL;
    if (error && *error) {
        failed(db, x, error, true, a);
    }
    if (x->status == REASON_NONE) {
        row_sink_done(&sink);
    }
}

static void work(duckdb_database *db, void *statement, execution *x, arena *a)
{
    const engine *e = db->base.owner;
    const duckdb_api *api = duckdb_api_of(db);
    duck_result result = {0};
    void *pending = NULL;
    int state = api->pending_prepared_streaming(statement, &pending)
                    ? DUCK_PENDING_ERROR
                    : DUCK_PENDING_READY + 1;
    while (state != DUCK_PENDING_READY && state != DUCK_PENDING_ERROR) {
        state = api->pending_execute_task(pending);
        if (e->tick) {
            e->tick(e->tick_context);
        }
    }
    if (state == DUCK_PENDING_ERROR) {
        failed(db, x, api->pending_error(pending), true, a);
    } else if (api->execute_pending(pending, &result) != 0) {
        failed(db, x, api->result_error(&result), true, a);
    } else {
        read_names(api, &result, x, a);
        read_rows(db, &result, x, a);
        if (api->result_return_type(result) != DUCK_RETURNS_ROWS) {
            x->result = (table){0};  // how many rows were changed
        }
    }
    api->destroy_result(&result);
    api->destroy_pending(&pending);
}

// Statements of some kinds, by bit, and what is said of others.
typedef struct duck_kinds {
    uint64_t bits;    // of the last statement
    uint64_t before;  // of those before it
    bool is_undone;   // what those make is taken back
    str refusal;
} duck_kinds;

#define KIND(name) ((uint64_t)1 << DUCK_STATEMENT_##name)

static const duck_kinds queries = {KIND(SELECT), KIND(CREATE), true,
                                   S_INIT("not a query")};

// DuckDB puts BEGIN and COMMIT around what PIVOT becomes; inside a transaction
// settings, which are locked.
#define WRITES                                                                \
    (KIND(SELECT) | KIND(INSERT) | KIND(UPDATE) | KIND(DELETE) | KIND(CREATE) \
     | KIND(ALTER) | KIND(TRANSACTION) | KIND(DROP) | KIND(MERGE))

static const duck_kinds writing = {WRITES, WRITES, false,
                                   S_INIT("such a statement is not allowed")};

// A query made ready. PIVOT without IN becomes several statements: before the
// query, types of the values that its columns are made of. They live as long as
// the transaction around all of them, which is never committed.
typedef struct duck_prepared {
    void *texts;      // the statements, as DuckDB reads them
    void *statement;  // the last one, the query
    bool is_open;     // a transaction is
} duck_prepared;

static void done(duckdb_database *db, duck_prepared *p)
{
    const duckdb_api *api = duckdb_api_of(db);
    duck_result ignored = {0};
    api->destroy_prepare(&p->statement);
    api->destroy_extracted(&p->texts);
    if (p->is_open) {
        api->query(db->conn, "ROLLBACK", &ignored);
        api->destroy_result(&ignored);
    }
}

static bool prepare_one(duckdb_database *db,
                        duck_prepared *p,
                        uint64_t i,
                        uint64_t bits,
                        str refusal,
                        execution *x,
                        arena *a)
{
    const duckdb_api *api = duckdb_api_of(db);
    if (api->prepare_extracted_statement(db->conn, p->texts, i, &p->statement)
        != 0) {
        failed(db, x, api->prepare_error(p->statement), false, a);
    } else if (!(bits >> api->prepared_statement_type(p->statement) & 1)) {
        engine_fails(x, REASON_FORBIDDEN, refusal);
    }
    return x->status == REASON_NONE;
}

// What goes before the query: types, and nothing else; or, in a script, before
// what writes.
static bool make_types(duckdb_database *db,
                       duck_prepared *p,
                       uint64_t n,
                       duck_kinds kinds,
                       execution *x,
                       arena *a)
{
    arena words = *a;
    p->is_open = kinds.is_undone && n > 0
                 && duckdb_execute(db, (str){0}, S("BEGIN TRANSACTION"),
                                   engine_side_diag(&words));
    for (uint64_t i = 0; x->status == REASON_NONE && i < n; i++) {
        execution made = {.offset = -1, .stop = ENGINE_READ_ALL};
        if (prepare_one(db, p, i, kinds.before, kinds.refusal, x, a)) {
            work(db, p->statement, &made, a);
            x->status = made.status;
            x->message = made.message;
        }
        duckdb_api_of(db)->destroy_prepare(&p->statement);
    }
    return x->status == REASON_NONE;
}

// done() comes in either case; false with the reason in *x.
static bool prepare(duckdb_database *db,
                    str sql,
                    duck_kinds kinds,
                    duck_prepared *p,
                    execution *x,
                    arena *a)
{
    const duckdb_api *api = duckdb_api_of(db);
    uint64_t n =
        api->extract_statements(db->conn, arena_cstr(a, sql), &p->texts);
    if (n == 0) {
        failed(db, x, api->extract_statements_error(p->texts), false, a);
        return false;
    }
    return make_types(db, p, n - 1, kinds, x, a)
           && prepare_one(db, p, n - 1, kinds.bits, kinds.refusal, x, a);
}

static void prepare_and_work(duckdb_database *db,
                             str sql,
                             duck_kinds kinds,
                             execution *x,
                             arena *a)
{
    duck_prepared p = {0};
    if (prepare(db, sql, kinds, &p, x, a)) {
        work(db, p.statement, x, a);
    }
    done(db, &p);
}

bool duckdb_ask(duckdb_database *db, str sql, execution *x, arena *a)
{
    *x = (execution){.offset = -1, .stop = ENGINE_READ_ALL};
    prepare_and_work(db, sql, queries, x, a);
    return x->status == REASON_NONE;
}

// What DuckDB thinks of a text that assay does not let pass: when it is wrong
// there, too, that is the better reason. What cannot be read is parsed and no
// more; a function that is not known is looked up.
static void ask_library(duckdb_database *db,
                        guard_answer guard,
                        str sql,
                        execution *x,
                        arena *a)
{
    const duckdb_api *api = duckdb_api_of(db);
    void *made = NULL;
    x->offset = -1;
    if (guard == GUARD_NOT_LISTED) {
        if (api->prepare(db->conn, arena_cstr(a, sql), &made) != 0) {
            failed(db, x, api->prepare_error(made), false, a);
        }
        api->destroy_prepare(&made);
        return;
    }
    uint64_t n = api->extract_statements(db->conn, arena_cstr(a, sql), &made);
    if (n == 0) {
        failed(db, x, api->extract_statements_error(made), false, a);
    }
    api->destroy_extracted(&made);
}

// Who asks the catalogue, and in how many macros of each other.
typedef struct duck_asker {
    duckdb_database *db;
    const query_guard *g;
    int depth;
} duck_asker;

static guard_said ask_catalogue(void *context,
                                str home,
                                str name,
                                bool is_quoted,
                                arena scratch);

static guard_own own_of(duck_asker *asker)
{
    return (guard_own){.ask = ask_catalogue, .context = asker};
}

// Does a macro of the owner's call nothing that a query may not?
static bool macro_computes(const duck_asker *asker, str text, arena *a)
{
    enum {
        MOST_DEEP = 8
    };
    duck_asker inside = {asker->db, asker->g, asker->depth + 1};
    guard_own own = own_of(&inside);
    execution unheard = {0};
    return inside.depth < MOST_DEEP
           && guard_check_calls(asker->g, &own, text, NULL, &unheard, a)
                  == GUARD_SENDS;
}

// A name that no function has is a word of the grammar, or an alias.
static guard_said ask_catalogue(void *context,
                                str home,
                                str name,
                                bool is_quoted,
                                arena scratch)
{
    (void)home;
    (void)is_quoted;
    const duck_asker *asker = context;
    str text = name_literal(&scratch, name);
    str sql = name_statement(&scratch,
                             "SELECT DISTINCT CASE WHEN internal THEN NULL ELSE"
                             " macro_definition END FROM duckdb_functions()"
                             " WHERE lower(function_name) = lower(#0)",
                             &text, DIALECT_DUCKDB);
    execution found;
    if (!duckdb_ask(asker->db, sql, &found, &scratch)) {
        return GUARD_SAYS_NOTHING;
    }
    guard_said said = GUARD_SAYS_NONE;
    for (ptrdiff_t i = 0; i < found.result.n_rows; i++) {
        value v = table_at(&found.result, i, 0);
        if (v.kind == VALUE_NULL) {
            return GUARD_SAYS_NOTHING;  // on no list
        }
        bool computes = said != GUARD_SAYS_MORE
                        && macro_computes(asker, value_bytes(v), &scratch);
        said = computes ? GUARD_SAYS_COMPUTES : GUARD_SAYS_MORE;
    }
    return said;
}

// May the text be sent? *x has what the guard saw, or why not.
static bool is_let_through(duckdb_database *db,
                           const query_guard *g,
                           str sql,
                           execution *x,
                           arena *a)
{
    duck_asker asker = {.db = db, .g = g};
    guard_own own = own_of(&asker);
    guard_answer guard = query_guard_check(g, &own, sql, x, a);
    if (guard != GUARD_SENDS && guard != GUARD_REFUSES) {
        ask_library(db, guard, sql, x, a);
    }
    return guard == GUARD_SENDS;
}

// Who broke the database pays for opening it anew.
static bool mend(duckdb_database *db, execution *x, arena scratch)
{
    arena side = scratch;
    diag *d = engine_side_diag(&side);
    if (duckdb_mend(db, d, side)) {
        return true;
    }
    return engine_fails(
        x, REASON_CONNECTION_LOST,
        S("DuckDB invalidated the database, and it cannot be reopened"));
}

static void mend_after(duckdb_database *db, arena scratch)
{
    diag *ignored = engine_side_diag(&scratch);
    duckdb_mend(db, ignored, scratch);
}

bool duckdb_compile(duckdb_database *db, str sql, execution *x, arena *a)
{
    const duckdb_api *api = duckdb_api_of(db);
    duck_prepared p = {0};
    if (mend(db, x, *a) && is_let_through(db, &guard_duckdb, sql, x, a)
        && prepare(db, sql, queries, &p, x, a)) {
        ptrdiff_t n =
            (ptrdiff_t)api->prepared_statement_column_count(p.statement);
        str *names = row_sink_columns(x, n, a);
        for (ptrdiff_t c = 0; c < n; c++) {
            char *name =
                api->prepared_statement_column_name(p.statement, (uint64_t)c);
            names[c] = arena_str(a, str_from(name ? name : ""));
            api->free(name);
        }
    }
    done(db, &p);
    mend_after(db, *a);
    return x->status == REASON_NONE;
}

static void interrupt(void *context)
{
    duckdb_database *db = context;
    duckdb_api_of(db)->interrupt(db->conn);
}

void duckdb_seed(duckdb_database *db, arena *a)
{
    execution seeded;
    double seed = (double)(db->base.owner->options.seed % 1000) / 1000;
    duckdb_ask(db, arena_printf(a, "SELECT setseed(%.3f)", seed), &seeded, a);
}

static void run_until(duckdb_database *db,
                      str sql,
                      duck_kinds kinds,
                      int64_t deadline_ns,
                      execution *x,
                      arena *a)
{
    query_timer *timer = &((duckdb_engine *)db->base.owner)->timer;
    query_timer_arm(timer, deadline_ns, interrupt, db);
    prepare_and_work(db, sql, kinds, x, a);
    // Memory may end while the interrupt is under way.
    if (query_timer_disarm(timer) && x->status != REASON_NONE
        && x->status != REASON_MEMORY) {
        x->status = REASON_TIMEOUT;
    }
}

execution duckdb_run(database *base, str sql, engine_stop stop, arena *a)
{
    duckdb_database *db = (duckdb_database *)base;
    execution x = {.offset = -1, .stop = stop};
    if (!mend(db, &x, *a) || !is_let_through(db, &guard_duckdb, sql, &x, a)) {
        mend_after(db, *a);
        return x;
    }
    int64_t start = clock_ns();
    if (x.reads_random) {
        duckdb_seed(db, a);
    }
    run_until(db, sql, queries,
              clock_limit_ns()
                  + base->owner->options.limits.timeout_ms * 1000000,
              &x, a);
    x.ns = clock_ns() - start;
    mend_after(db, *a);
    return x;
}

execution duckdb_run_statement(database *base,
                               str sql,
                               int64_t deadline_ns,
                               arena *a)
{
    duckdb_database *db = (duckdb_database *)base;
    query_guard guard = guard_duckdb;
    guard.is_script = true;
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    if (is_let_through(db, &guard, sql, &x, a)) {
        run_until(db, sql, writing, deadline_ns, &x, a);
    }
    return x;
}
