/*
 * law_names.c - names and types of random bytes, written into SQL and read
 * back.
 *
 * Laws   (1) Our own lexer reads what name_add() and name_add_quoted() wrote as
 *            one token, with the bytes that were given, in every dialect.
 *        (2) SQLite makes of the DDL of a random schema these tables with these
 *            columns and affinities, and nothing else.
 *        (3) With `postgres` or `mariadb` as its argument, on the server at
 *            $ASSAY_PG or $ASSAY_MARIADB: a result has a column of that very
 *            name; and PostgreSQL makes of the DDL of a random schema these
 *            tables and nothing else.
 *
 * Bytes are drawn from those that end something somewhere more often than
 * others. ASSAY_RUNS says how many (20000), ASSAY_SEED where to begin (1).
 */
#include "base/rng.h"
#include "engine/scratch.h"
#include "engine/url.h"
#include "law_option.h"
#include "schema/schema_build.h"
#include "schema/schema_ddl.h"
#include "sql/lex.h"
#include "sql/name.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
    RUNS = 20000,
    SERVER_RUNS = 300,
    NAME_BYTES = 24,
    COLUMNS_MAX = 4,
    FAILURES_MAX = 10,
};

typedef struct world {
    rng r;
    arena_store stores[2];
    arena a;
    arena scratch;
    bool is_text;  // valid UTF-8 only, as servers want it
    int64_t run;
    int failures;
} world;

static void fail(world *w, const char *law, str given, str written)
{
    w->failures++;
    printf("run %lld: %s\n    %.*s\n    %.*s\n", (long long)w->run, law,
           STR_ARG(given), STR_ARG(written));
}

// Anything but NUL, which no name can hold.
static str random_name(world *w)
{
    static const str bits[] = {
        S_INIT("\""), S_INIT("`"),  S_INIT("]"),      S_INIT("["),
        S_INIT("'"),  S_INIT("\\"), S_INIT(";"),      S_INIT("--"),
        S_INIT("/*"), S_INIT("*/"), S_INIT("\n"),     S_INIT("\r"),
        S_INIT(")"),  S_INIT("("),  S_INIT("$$"),     S_INIT("#"),
        S_INIT("U&"), S_INIT("a"),  S_INIT("select"), S_INIT("A"),
        S_INIT("_"),  S_INIT("1"),  S_INIT(" "),      S_INIT("\xC3\xA4"),
    };
    buf out = buf_new(&w->a);
    ptrdiff_t n = 1 + rng_below(&w->r, NAME_BYTES / 2);
    while (out.len < n) {
        if (w->is_text || rng_below(&w->r, 2) == 0) {
            buf_add(&out, bits[rng_below(&w->r, countof(bits))]);
        } else {
            buf_char(&out, (char)(1 + rng_below(&w->r, 255)));
        }
    }
    return buf_str(&out);
}

static str random_type(world *w)
{
    static const str types[] = {
        S_INIT(""),
        S_INIT("integer"),
        S_INIT("varchar(10)"),
        S_INIT("numeric(10, 2)"),
        S_INIT("TEXT); CREATE TABLE more(x); --"),
        S_INIT("TEXT NOT NULL"),
        S_INIT("text references more"),
        S_INIT("numeric(/*)"),
        S_INIT("numeric(*/ 1)"),
        S_INIT("timestamp(3) with time zone"),
        S_INIT("integer -- \r; CREATE TABLE more(x int); --"),
        S_INIT("int[]"),
        S_INIT("enum('a','b')"),
    };
    return rng_below(&w->r, 3) == 0 ? random_name(w)
                                    : types[rng_below(&w->r, countof(types))];
}

static bool reads_as(world *w, str written, str name, dialect d)
{
    lexer l = lex_begin(written, d);
    token t = lex_next(&l);
    str content = token_content(&w->a, written, t, d);
    bool is_name = t.kind == TOKEN_QUOTED_NAME || t.kind == TOKEN_STRING_OR_NAME
                   || t.kind == TOKEN_NAME;
    return is_name && t.pos == 0 && t.len == written.len
           && str_equal(content, name);
}

// Law 1.
static void try_lexer(world *w, str name)
{
    for (int d = 0; d < DIALECT_COUNT; d++) {
        buf out = buf_new(&w->a);
        name_add_quoted(&out, name, (dialect)d);
        // Our lexer leaves the escapes of BigQuery as they are.
        bool has_escapes = str_find(buf_str(&out), S("\\"), 0) >= 0;
        if (!(d == DIALECT_BIGQUERY && has_escapes)
            && !reads_as(w, buf_str(&out), name, (dialect)d)) {
            fail(w, "a quoted name reads as another", name, buf_str(&out));
        }
        buf maybe_bare = buf_new(&w->a);
        name_add(&maybe_bare, name, (dialect)d);
        if (name_is_plain(name, (dialect)d)
                ? !reads_as(w, buf_str(&maybe_bare), name, (dialect)d)
                : !str_equal(buf_str(&maybe_bare), buf_str(&out))) {
            fail(w, "a bare name reads as another", name, buf_str(&maybe_bare));
        }
    }
}

// One table; no two columns of the same name.
static schema random_schema(world *w, dialect d)
{
    schema_table *t = arena_new(&w->a, schema_table, 1);
    schema_column *columns = arena_new(&w->a, schema_column, COLUMNS_MAX);
    str after = random_name(w);
    *t = (schema_table){
        .name = arena_printf(&w->a, "t%.*s", STR_ARG(after)),
        .columns = columns,
        .has_rowid = true,
        .is_strict = d == DIALECT_SQLITE && rng_below(&w->r, 8) == 0,
    };
    ptrdiff_t n = 1 + rng_below(&w->r, COLUMNS_MAX);
    for (ptrdiff_t i = 0; i < n; i++) {
        str rest = random_name(w);
        str name = arena_printf(&w->a, "%td%.*s", i, STR_ARG(rest));
        columns[i] = schema_column_in(name, random_type(w), d);
        columns[i].is_not_null = rng_below(&w->r, 4) == 0;
    }
    t->n_columns = n;
    return (schema){.tables = t, .n_tables = 1, .dialect = d};
}

static str ddl_of(world *w, const schema *s)
{
    buf out = buf_new(&w->a);
    schema_to_ddl(&out, s, true, w->scratch);
    return buf_str(&out);
}

// The names that a query of one column gives, a line each.
static str ask(world *w, sqlite3 *db, const char *sql)
{
    buf out = buf_new(&w->a);
    sqlite3_stmt *rows = NULL;
    sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        ptrdiff_t n = sqlite3_column_bytes(rows, 0);
        buf_add(&out, (str){(const char *)sqlite3_column_text(rows, 0), n});
        buf_char(&out, '\0');
    }
    sqlite3_finalize(rows);
    return buf_str(&out);
}

// Law 2.
static void try_sqlite(world *w)
{
    schema s = random_schema(w, DIALECT_SQLITE);
    const schema_table *t = &s.tables[0];
    str ddl = ddl_of(w, &s);
    sqlite3 *db = NULL;
    sqlite3_open(":memory:", &db);
    bool made =
        sqlite3_exec(db, arena_cstr(&w->a, ddl), NULL, NULL, NULL) == SQLITE_OK;
    str tables = ask(w, db, "SELECT name FROM sqlite_master");
    // SQLite refuses the types of a STRICT table that are not its own.
    bool may_fail = t->is_strict;
    buf names = buf_new(&w->a);
    buf_add(&names, made ? t->name : S(""));
    buf_add(&names, made ? S("\0") : S(""));
    if ((!made && !may_fail) || !str_equal(tables, buf_str(&names))) {
        fail(w, "SQLite makes other tables", t->name, ddl);
    }
    names = buf_new(&w->a);
    for (ptrdiff_t c = 0; made && c < t->n_columns; c++) {
        buf_printf(&names, "%.*s %d", STR_ARG(t->columns[c].name),
                   t->columns[c].is_not_null);
        buf_char(&names, '\0');
    }
    str columns = ask(w, db,
                      "SELECT p.name || ' ' || p.\"notnull\" FROM sqlite_master"
                      " m, pragma_table_xinfo(m.name) p");
    if (!str_equal(columns, buf_str(&names))) {
        fail(w, "SQLite makes other columns", t->name, ddl);
    }
    sqlite3_close(db);
}

// Law 3: a column's name.
static void try_alias(world *w, database *db, dialect d)
{
    str inner = random_name(w);
    str name = arena_printf(&w->a, "n%.*s_", STR_ARG(inner));
    buf sql = buf_new(&w->a);
    buf_add(&sql, S("SELECT 1 AS "));
    name_add_quoted(&sql, name, d);
    execution x = engine_run(db, buf_str(&sql), ENGINE_READ_ALL, &w->a);
    if (x.status != REASON_NONE || x.result.n_columns != 1
        || !str_equal(x.result.names[0], name)) {
        fail(w, "a server reads another name", name, buf_str(&sql));
        printf("    %.*s\n", STR_ARG(x.message));
    }
}

// Law 3: the tables of a scratch database, as the server lists them.
static void try_postgres(world *w, const engine_options *options)
{
    static const scratch_limits limits = {200000, 1000, 1 << 20};
    schema s = random_schema(w, DIALECT_POSTGRES);
    str ddl = ddl_of(w, &s);
    diag d = diag_new(&w->a);
    scratch_db *db = scratch_open(&w->a, &s, ddl, options, limits, &d);
    buf sql = buf_new(&w->a);
    buf_add(&sql, S("SELECT * FROM "));
    name_add(&sql, s.tables[0].name, DIALECT_POSTGRES);
    execution failed = {0};
    scratch_query *q =
        db ? scratch_prepare(db, buf_str(&sql), &failed, &w->a) : NULL;
    execution x = {.status = REASON_SYNTAX_ERROR};
    if (q) {
        x = scratch_run(q, ENGINE_READ_ALL, &w->a);
    }
    bool same =
        x.status == REASON_NONE && x.result.n_columns == s.tables[0].n_columns;
    for (ptrdiff_t c = 0; same && c < x.result.n_columns; c++) {
        same = str_equal(x.result.names[c], s.tables[0].columns[c].name);
    }
    q = db ? scratch_prepare(db, S("SELECT 1 FROM more"), &failed, &w->a) : q;
    if (!same || q) {
        fail(w, "PostgreSQL makes other tables", s.tables[0].name, ddl);
        printf("    %.*s %.*s\n", STR_ARG(failed.message), STR_ARG(x.message));
        for (ptrdiff_t i = 0; i < d.messages.len; i++) {
            printf("    %.*s\n", STR_ARG(d.messages.ptr[i].text));
        }
    }
    scratch_close(db);
}

static void begin_run(world *w, int64_t run)
{
    w->run = run;
    w->r = (rng){(uint64_t)run * 977 + 5};
    w->a = arena_store_clear(&w->stores[0]);
    w->scratch = arena_store_clear(&w->stores[1]);
}

static int try_server(world *w, const char *word, const char *url)
{
    engine_options options = {
        .limits = {.timeout_ms = 10000, .max_rows = 1000, .max_bytes = 1 << 20},
        .driver = engine_driver_named(str_from(word)),
    };
    int64_t seed = law_option("ASSAY_SEED", 1);
    int64_t runs = law_option("ASSAY_RUNS", SERVER_RUNS);
    bool is_postgres = strcmp(word, "postgres") == 0;
    arena_store store;
    if (!url || !options.driver
        || !arena_store_open(&store, (ptrdiff_t)64 << 20)) {
        return 1;
    }
    arena a = arena_store_clear(&store);
    w->scratch = arena_store_clear(&w->stores[1]);
    w->is_text = true;
    diag d = diag_new(&a);
    str home = is_postgres ? S("postgres") : S("");
    str path = url_with_database(&a, str_from(url), home);
    engine *e = engine_open(&options, &d);
    database *db = e ? engine_database(e, path, &d, w->scratch) : NULL;
    options.scratch_url = path;
    dialect of = engine_driver_dialect(options.driver);
    for (int64_t i = 0; db && i < runs && w->failures < FAILURES_MAX; i++) {
        begin_run(w, seed + i);
        try_alias(w, db, of);
        if (is_postgres && i % 10 == 0) {
            try_postgres(w, &options);
        }
    }
    printf("1..1\n%s 1 - %s reads the names that are written\n",
           db && w->failures == 0 ? "ok" : "not ok", word);
    engine_close(e);
    arena_store_close(&store);
    return db && w->failures == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    static world w;
    if (!arena_store_open(&w.stores[0], (ptrdiff_t)256 << 20)
        || !arena_store_open(&w.stores[1], (ptrdiff_t)256 << 20)) {
        return 1;
    }
    if (argc > 1) {
        bool is_postgres = strcmp(argv[1], "postgres") == 0;
        return try_server(&w, argv[1],
                          getenv(is_postgres ? "ASSAY_PG" : "ASSAY_MARIADB"));
    }
    int64_t seed = law_option("ASSAY_SEED", 1);
    int64_t runs = law_option("ASSAY_RUNS", RUNS);
    for (int64_t i = 0; i < runs && w.failures < FAILURES_MAX; i++) {
        begin_run(&w, seed + i);
        try_lexer(&w, random_name(&w));
        try_sqlite(&w);
    }
    printf("%lld runs, %d broken laws\n", (long long)runs, w.failures);
    return w.failures == 0 ? 0 : 1;
}
