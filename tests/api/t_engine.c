// t_engine.c - the contract of the engine: however many databases there are,
// few are open, and their schemas are there when they are asked for, with what
// SQLite knows of each table.
#define _DEFAULT_SOURCE  // mkstemps
#include "check.h"
#include "engine/engine_sqlite.h"
#include "engine/sqlite_wal.h"
#include "temporary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// One dump under many names: links to the file `first`.
static str link_to(void **state, const char *first, int no)
{
    str path = arena_printf(check_arena(state), "%s-%d.sql", first, no);
    assert_int_equal(link(first, path.ptr), 0);
    return path;
}

// A dump of this text; `path` becomes its name.
static void write_dump(char path[TEMPORARY_SIZE], str text)
{
    temporary_pattern(path, ".sql");
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text.ptr, (size_t)text.len), text.len);
    close(fd);
}

// One of `n` tables with so many columns each.
static void make_dump(void **state,
                      char path[TEMPORARY_SIZE],
                      int n,
                      int columns)
{
    buf sql = buf_new(check_arena(state));
    for (int t = 0; t < n; t++) {
        buf_printf(&sql, "CREATE TABLE t%d(", t);
        for (int c = 0; c < columns; c++) {
            buf_printf(&sql, "%sc%d TEXT CHECK(c%d <> 'x')", c > 0 ? ", " : "",
                       c, c);
        }
        buf_add(&sql, S(");\n"));
    }
    buf_add(&sql, S("INSERT INTO t0(c0) VALUES('one');\n"));
    write_dump(path, buf_str(&sql));
}

static engine *open_engine(void **state)
{
    static const engine_options options = {
        .limits = {.timeout_ms = 60000, .max_rows = 10, .max_bytes = 1 << 20}};
    diag d = diag_new(check_arena(state));
    engine *e = engine_open(&options, &d);
    assert_non_null(e);
    return e;
}

static database *look_at(void **state, engine *e, str path, int n_tables)
{
    diag d = diag_new(check_arena(state));
    arena scratch = check_scratch(state);
    database *db = engine_database(e, path, &d, scratch);
    assert_non_null(db);
    assert_int_equal(engine_schema(db)->n_tables, n_tables);
    execution x =
        engine_run(db, S("SELECT c0 FROM t0"), ENGINE_READ_ALL, &scratch);
    assert_int_equal(x.status, REASON_NONE);
    assert_int_equal(x.result.n_rows, 1);
    return db;
}

// The least used are closed: one that is asked for again and again stays open.
static void test_many_databases(void **state)
{
    enum {
        N = 600,
        MOST = 520,
    };
    char first[TEMPORARY_SIZE];
    make_dump(state, first, 1, 4);
    engine *e = open_engine(state);
    str favourite = link_to(state, first, N);
    str paths[N];
    int64_t bytes = 0;
    database *kept = look_at(state, e, favourite, 1);
    for (int i = 0; i < N; i++) {
        paths[i] = link_to(state, first, i);
        assert_false(engine_trim(e));
        look_at(state, e, paths[i], 1);
        assert_ptr_equal(look_at(state, e, favourite, 1), kept);
        unlink(paths[i].ptr);
        if (i == MOST) {
            bytes = engine_mapped_bytes(e);
        }
    }
    assert_int_equal(engine_mapped_bytes(e), bytes);
    int n = 0;
    for (int i = 0; i < N; i++) {
        n += engine_has_database(e, paths[i]);
    }
    assert_in_range(n, 1, MOST);
    assert_false(engine_has_database(e, paths[0]));
    assert_true(engine_has_database(e, paths[N - 1]));
    unlink(favourite.ptr);
    unlink(first);
    engine_close(e);
}

// All schemas are forgotten at once, and read again.
static void test_big_schemas(void **state)
{
    enum {
        N = 5,
        TABLES = 400,
    };
    char first[TEMPORARY_SIZE];
    make_dump(state, first, TABLES, 40);
    engine *e = open_engine(state);
    int n_forgotten = 0;
    database *all[N];
    for (int i = 0; i < N; i++) {
        str path = link_to(state, first, i);
        n_forgotten += engine_trim(e);
        all[i] = look_at(state, e, path, TABLES);
        unlink(path.ptr);
    }
    assert_in_range(n_forgotten, 1, N - 1);
    assert_int_equal(engine_schema(all[0])->n_tables, TABLES);
    unlink(first);
    engine_close(e);
}

// One that is large alone is read once, not for each case.
static void test_big_schema(void **state)
{
    enum {
        TABLES = 2000,
    };
    char first[TEMPORARY_SIZE];
    make_dump(state, first, TABLES, 40);
    engine *e = open_engine(state);
    str path = str_from(first);
    const schema *s = engine_schema(look_at(state, e, path, TABLES));
    assert_false(engine_trim(e));
    assert_ptr_equal(engine_schema(look_at(state, e, path, TABLES)), s);
    unlink(first);
    engine_close(e);
}

// What kind of table each is: as PRAGMA table_list has it.
static void test_kinds(void **state)
{
    char path[TEMPORARY_SIZE];
    write_dump(path, S("CREATE TABLE plain(a TEXT DEFAULT ')STRICT(');\n"
                       "CREATE TABLE keyed(a TEXT PRIMARY KEY);\n"
                       "CREATE TABLE own(a TEXT PRIMARY KEY) WITHOUT ROWID;\n"
                       "CREATE TABLE typed(a INT) STRICT;\n"
                       "CREATE TABLE both(a INT PRIMARY KEY)"
                       " WITHOUT ROWID, strict;\n"
                       "CREATE VIRTUAL TABLE words USING fts4(strict);\n"));
    engine *e = open_engine(state);
    diag d = diag_new(check_arena(state));
    database *db = engine_database(e, str_from(path), &d, check_scratch(state));
    assert_non_null(db);
    sqlite_database *own = (sqlite_database *)db;
    const schema s = *engine_schema(db);
    sqlite3_set_authorizer(own->db, NULL, NULL);
    sqlite3_stmt *rows = NULL;
    assert_int_equal(sqlite3_prepare_v2(own->db,
                                        "SELECT name, wr, strict, type ="
                                        " 'virtual' FROM pragma_table_list"
                                        " WHERE name NOT LIKE 'sqlite_%'",
                                        -1, &rows, NULL),
                     SQLITE_OK);
    int n = 0;
    for (; sqlite3_step(rows) == SQLITE_ROW; n++) {
        str name = str_from((const char *)sqlite3_column_text(rows, 0));
        const schema_table *t = &s.tables[schema_find_table(&s, name)];
        assert_int_equal(t->has_rowid, !sqlite3_column_int(rows, 1));
        assert_int_equal(t->is_strict, sqlite3_column_int(rows, 2));
        assert_int_equal(t->is_virtual, sqlite3_column_int(rows, 3));
    }
    assert_int_equal(n, s.n_tables);
    sqlite3_finalize(rows);
    unlink(path);
    engine_close(e);
}

// What queries take at least is never more than what they take; of a join
// without a condition it is most of it.
static void test_least_work(void **state)
{
    static const struct {
        const char *sql;
        bool is_seen;
    } queries[] = {
        {"SELECT big.a, count(*) FROM big JOIN small GROUP BY big.a", true},
        {"SELECT big.b FROM big, small ORDER BY small.c LIMIT 1", true},
        {"SELECT avg(x.a), max(y.b) FROM big x, big y", true},
        {"SELECT a FROM big EXCEPT SELECT big.a FROM big, small, small s",
         true},
        {"SELECT count(*) FROM big x, small, big y WHERE x.a < y.a", true},
        {"SELECT sum(x.a) FROM own x, own y ORDER BY 1", true},
        {"SELECT big.a FROM big JOIN small", false},
        {"SELECT big.a FROM big JOIN small LIMIT 3", false},
        {"SELECT count(*) FROM big, none", false},
        {"SELECT count(*) FROM none, big", false},
        {"SELECT count(*) FROM big LEFT JOIN none", false},
        {"SELECT count(*) FROM big x, big y WHERE x.a < 0", false},
        {"SELECT count(*) FROM big x, big y WHERE x.b = y.b", false},
        {"SELECT count(*) FROM big x, big y WHERE 0", false},
        {"SELECT x.b FROM big x, big y ORDER BY x.b LIMIT 1", false},
        {"SELECT x.b FROM big x, big y ORDER BY x.b DESC LIMIT 1", false},
        {"SELECT count(*) FROM big x, big y LIMIT 0", false},
        {"SELECT DISTINCT x.a FROM big x, big y LIMIT 2", false},
        {"SELECT group_concat(x.a) FROM big x, small", false},
        {"SELECT abs(-9223372036854775807 - x.a) FROM big x, big y", false},
        {"SELECT count(*) FROM big WHERE EXISTS (SELECT 1 FROM big, small)",
         false},
        {"SELECT a FROM big WHERE a = (SELECT max(x.a) FROM big x, small)",
         false},
        {"SELECT count(b) FROM big INDEXED BY few, small, own WHERE big.a > 95",
         false},
        {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
         " i < 50) SELECT count(*) FROM n, small",
         false},
        {"SELECT count(*) FROM (SELECT 1 FROM big, small LIMIT 5)", false},
        {"SELECT a, row_number() OVER (ORDER BY b) FROM big, small", false},
        {"SELECT count(*) FROM json_each('[1,2,3]'), big, small", false},
        {"SELECT max(b) FROM big", false},
        {"SELECT count(*) FROM big", false},
        {"SELECT 1", false},
        {"SELECT nope FROM big", false},
    };
    char path[TEMPORARY_SIZE];
    write_dump(path,
               S("CREATE TABLE big(a INT, b TEXT);\n"
                 "INSERT INTO big WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
                 " SELECT i + 1 FROM n WHERE i < 100) SELECT i, i % 7 FROM n;\n"
                 "CREATE INDEX by_b ON big(b);\n"
                 "CREATE INDEX few ON big(b) WHERE a > 95;\n"
                 "CREATE TABLE small(c TEXT);\n"
                 "INSERT INTO small SELECT a FROM big WHERE a < 20;\n"
                 "CREATE TABLE own(a INT PRIMARY KEY) WITHOUT ROWID;\n"
                 "INSERT INTO own SELECT a FROM big;\n"
                 "CREATE TABLE none(a);\n"));
    engine *e = open_engine(state);
    diag d = diag_new(check_arena(state));
    database *db = engine_database(e, str_from(path), &d, check_scratch(state));
    assert_non_null(db);
    for (ptrdiff_t i = 0; i < countof(queries); i++) {
        str sql = str_from(queries[i].sql);
        execution x = engine_run(db, sql, ENGINE_READ_ALL, check_arena(state));
        int64_t least = sqlite_least_work((sqlite_database *)db, sql);
        if (x.work > 0) {  // it compiled
            assert_in_range(least, 0, x.work);
        }
        assert_int_equal(least * 2 > x.work && least > 1000,
                         queries[i].is_seen);
    }
    unlink(path);
    engine_close(e);
}

static void write_there(char *image, ptrdiff_t n)
{
    if (mprotect(image, (size_t)n, PROT_READ | PROT_WRITE) == 0) {
        memset(image, 'x', (size_t)n);
    }
}

// What a worker writes into the copy of a database that is in use stays its
// own.
static void test_copies_are_nobodys(void **state)
{
    diag d = diag_new(check_arena(state));
    char path[TEMPORARY_SIZE];
    sqlite3 *writer = NULL;
    str image = {0};
    temporary_pattern(path, ".sqlite");
    close(mkstemps(path, 7));
    assert_int_equal(sqlite3_open(path, &writer), SQLITE_OK);
    assert_int_equal(sqlite3_exec(writer,
                                  "PRAGMA journal_mode=wal;"
                                  "CREATE TABLE t(a); INSERT INTO t VALUES(1)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_true(
        sqlite_wal_copy(str_from(path), &image, &d, check_scratch(state)));
    str before = arena_str(check_arena(state), image);
    assert_true(before.len > 0 && before.len % 512 == 0);
    pid_t child = fork();
    if (child == 0) {
        write_there((char *)(uintptr_t)image.ptr, image.len);
        _exit(image.ptr[0] != 'x');
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);  // and it did
    assert_true(str_equal(image, before));
    sqlite3_close(writer);
    unlink(path);
}

// Whatever passes the authorizer: no file is opened, to be read or written.
static void test_no_file_is_opened(void **state)
{
    static const int ways[] = {
        SQLITE_OPEN_READONLY,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
    };
    engine *e = open_engine(state);
    char path[TEMPORARY_SIZE];
    write_dump(path, S(""));
    for (int i = 0; i < countof(ways); i++) {
        sqlite3 *db = NULL;
        sqlite3_stmt *s = NULL;
        const char *vfs = ((sqlite_engine *)e)->vfs_name;
        int rc = sqlite3_open_v2(path, &db, ways[i], vfs);
        rc = rc != SQLITE_OK
                 ? rc
                 : sqlite3_prepare_v2(db, "SELECT count(*) FROM sqlite_schema",
                                      -1, &s, NULL);
        rc = rc != SQLITE_OK ? rc : sqlite3_step(s);
        assert_int_equal(rc, SQLITE_CANTOPEN);
        sqlite3_finalize(s);
        sqlite3_close(db);
    }
    unlink(path);
    engine_close(e);
}

int main(void)
{
    temporary_begin();
    const struct CMUnitTest tests[] = {
        CHECK_TEST(test_many_databases),    CHECK_TEST(test_big_schemas),
        CHECK_TEST(test_big_schema),        CHECK_TEST(test_kinds),
        CHECK_TEST(test_least_work),        CHECK_TEST(test_copies_are_nobodys),
        CHECK_TEST(test_no_file_is_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
