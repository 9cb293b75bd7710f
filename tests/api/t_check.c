// t_check.c - the contract of assay_check: statuses, ownership, answers.
#include "base/poison.h"
#include "check.h"
#include "check/checker.h"
#include "sample/expr_eval.h"
#include "schema/schema_ddl.h"
#include "schema/schema_spider.h"
#include "sql/parse.h"

#include <assay/assay.h>

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static assay_str text(const char *s)
{
    return (assay_str){s, strlen(s)};
}

static assay_checker *open_tables(const assay_check_options *options)
{
    assay_checker *c = NULL;
    assay_error err;
    assert_int_equal(
        assay_checker_open(&c, text("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"),
                           options, &err),
        ASSAY_OK);
    return c;
}

static assay_relation ask(assay_checker *c, const char *left, const char *right)
{
    assay_check_result *r = NULL;
    assert_int_equal(assay_check(&r, c, text(left), text(right), NULL),
                     ASSAY_OK);
    assay_relation answer = assay_check_answer(r);
    // A witness comes with every difference that is not of form.
    assert_true(assay_check_json(r).len > 0);
    assay_check_free(r);
    return answer;
}

static void test_answers(void **state)
{
    (void)state;
    assay_checker *c = open_tables(NULL);
    assert_int_equal(ask(c, "SELECT a FROM t", "SELECT t.a FROM t"),
                     ASSAY_EQUIVALENT);
    assert_int_equal(ask(c, "SELECT a FROM t", "SELECT DISTINCT a FROM t"),
                     ASSAY_EQUIVALENT);
    assert_int_equal(ask(c, "SELECT count(b) FROM t", "SELECT count(*) FROM t"),
                     ASSAY_DIFFERENT);
    assert_int_equal(ask(c, "SELECT nope FROM t", "SELECT a FROM t"),
                     ASSAY_DIFFERENT);
    assert_int_equal(ask(c, "SELECT random() FROM t", "SELECT a FROM t"),
                     ASSAY_RELATION_UNKNOWN);
    assay_checker_close(c);
}

static void test_witness(void **state)
{
    (void)state;
    assay_checker *c = open_tables(NULL);
    assay_check_result *r = NULL;
    assay_check(&r, c, text("SELECT count(b) FROM t"),
                text("SELECT count(*) FROM t"), NULL);
    str witness = {assay_check_witness(r).ptr,
                   (ptrdiff_t)assay_check_witness(r).len};
    str reason = {assay_check_reason(r).ptr,
                  (ptrdiff_t)assay_check_reason(r).len};
    assert_true(str_starts(witness, S("CREATE TABLE")));
    assert_true(str_find(witness, S("INSERT INTO t"), 0) > 0);
    check_text(reason, "rows_differ");
    // It outlives the checker.
    assay_checker_close(c);
    assert_int_equal(assay_check_answer(r), ASSAY_DIFFERENT);
    assay_check_free(r);
    assay_check_free(NULL);
}

static void test_options(void **state)
{
    (void)state;
    const assay_check_options options = {.assumes_nothing = 1};
    assay_checker *c = open_tables(&options);
    assert_int_equal(ask(c, "SELECT a FROM t", "SELECT DISTINCT a FROM t"),
                     ASSAY_DIFFERENT);
    assay_checker_close(c);
    assay_checker_close(NULL);
}

static void test_errors(void **state)
{
    (void)state;
    assay_checker *c = NULL;
    assay_error err;
    assert_int_equal(assay_checker_open(NULL, text(""), NULL, &err),
                     ASSAY_ERR_USAGE);
    assert_int_equal(
        assay_checker_open(&c, text("CREATE TABLE t(a"), NULL, &err),
        ASSAY_ERR_ENGINE);
    assert_null(c);
    assert_true(err.message[0] != '\0');
    assay_check_result *r = (assay_check_result *)&err;
    assert_int_equal(
        assay_check(&r, NULL, text("SELECT 1"), text("SELECT 1"), &err),
        ASSAY_ERR_USAGE);
    assert_null(r);
    assert_int_equal(
        assay_check(NULL, NULL, text("SELECT 1"), text("SELECT 1"), &err),
        ASSAY_ERR_USAGE);
}

// Leaves `bytes` of address space beside what is used. Not where a sanitizer
// needs it.
static void limit_memory(rlim_t bytes, struct rlimit *before)
{
    if (POISON_IS_ON) {
        skip();
    }
    long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lld", &pages), 1);
    fclose(f);
    assert_int_equal(getrlimit(RLIMIT_AS, before), 0);
    struct rlimit small = *before;
    small.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
}

// Little address space makes small arenas, which then are full.
static void test_full_memory_is_an_error(void **state)
{
    (void)state;
    enum {
        ROOM = 128 << 20
    };
    struct rlimit before;
    limit_memory(ROOM, &before);
    assay_checker *c = open_tables(NULL);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assay_check_result *r = NULL;
    assay_error err = {0};
    const assay_str large = text("SELECT hex(zeroblob(7000000)) FROM t");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            assay_check(&r, c, large, text("SELECT b FROM t"), &err),
            ASSAY_ERR_LIMIT);
        assert_null(r);
        assert_int_equal(err.status, ASSAY_ERR_LIMIT);
        assert_true(strstr(err.message, "memory") != NULL);
        assert_int_equal(ask(c, "SELECT a FROM t", "SELECT t.a FROM t"),
                         ASSAY_EQUIVALENT);
    }
    assay_checker_close(c);
}

// Tables without end: no checker, and nothing of it is left.
static void test_too_many_tables_are_an_error(void **state)
{
    enum {
        ROOM = 400 << 20,
        TABLES = 150000
    };
    buf ddl = buf_new(check_arena(state));
    for (int i = 0; i < TABLES; i++) {
        buf_printf(&ddl, "CREATE TABLE t%d(a);", i);
    }
    struct rlimit before;
    limit_memory(ROOM, &before);
    assay_checker *c = NULL;
    assay_error err = {0};
    const assay_str tables = {ddl.ptr, (size_t)ddl.len};
    assert_int_equal(assay_checker_open(&c, tables, NULL, &err),
                     ASSAY_ERR_LIMIT);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_null(c);
    assert_int_equal(err.status, ASSAY_ERR_LIMIT);
}

static const expr_code *look_least(const expr_reader *r, const ast *n)
{
    (void)n;
    return expr_of_value(r->a, value_int(INT64_MIN));
}

// SQLite makes a REAL of it, for there is no such integer.
static void test_least_integer_negated(void **state)
{
    parse_result r = parse_sql(check_arena(state), S("SELECT -a"),
                               DIALECT_SQLITE, check_scratch(state));
    const ast *n = r.statements->kid[SELECT_ITEMS];
    while (n->kind != AST_UNARY) {
        n = n->kid[0];
        assert_non_null(n);
    }
    arena *a = check_arena(state);
    expr_eval e = {.a = a};
    value v = expr_value(&e, expr_read(&(expr_reader){look_least, NULL, a}, n));
    assert_int_equal(v.kind, VALUE_REAL);
    assert_true(v.real == 9223372036854775808.0);
}

// Memory is linear in the columns of a tables.json: this one once took 13 GB.
static void test_many_tables(void **state)
{
    enum {
        TABLES = 2000,
        COLUMNS = 50,
        MOST = 64 << 20,
    };
    arena *a = check_arena(state);
    buf text = buf_new(a);
    buf_add(&text, S("[{\"db_id\":\"d\",\"table_names_original\":["));
    for (int t = 0; t < TABLES; t++) {
        buf_printf(&text, "%s\"t%d\"", t > 0 ? "," : "", t);
    }
    buf_add(&text, S("],\"column_names_original\":[[-1,\"*\"]"));
    for (int c = 0; c < TABLES * COLUMNS; c++) {
        buf_printf(&text, ",[%d,\"c%d\"]", c % TABLES, c);
    }
    buf_add(&text, S("]}]"));
    arena_store store;
    assert_true(arena_store_open(&store, MOST));
    arena small = arena_store_clear(&store);
    diag d = diag_new(a);
    schema_list list;
    assert_true(schema_list_read(&list, &small, S("f"), buf_str(&text), &d,
                                 check_scratch(state)));
    const schema *s = schema_list_find(&list, S("d"));
    assert_int_equal(s->n_tables, TABLES);
    assert_int_equal(s->tables[TABLES - 1].n_columns, COLUMNS);
    check_text(s->tables[1].columns[2].name, "c4001");
    arena_store_close(&store);
}

typedef struct step_count {
    int begun;
    int ended;
} step_count;

static void count_step(void *context, bool begins)
{
    step_count *n = context;
    n->begun += begins;
    n->ended += !begins;
}

// A witness found at the end of the time is made small in time of its own.
static void test_witness_has_its_time(void **state)
{
    arena *a = check_arena(state);
    diag d = diag_new(a);
    schema s;
    assert_true(schema_from_ddl(&s, a, S("ddl"), S("CREATE TABLE t(a INT)"),
                                DIALECT_SQLITE, DIALECT_SQLITE, &d,
                                check_scratch(state)));
    step_count n = {0};
    check_options o = check_default_options();
    o.step = count_step;
    o.step_context = &n;
    checker *c = checker_open(a, &s, &o, &d, check_scratch(state));
    assert_non_null(c);
    check_verdict v = checker_pair(c, S("SELECT a FROM t WHERE a > 1"),
                                   S("SELECT a FROM t WHERE a >= 1"),
                                   DIALECT_SQLITE, a, check_scratch(state));
    assert_int_equal(v.answer, CHECK_DIFFERENT);
    assert_int_equal(n.begun, 2);
    assert_int_equal(n.ended, 1);
    checker_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(test_answers),
        CHECK_TEST(test_witness),
        CHECK_TEST(test_options),
        CHECK_TEST(test_errors),
        CHECK_TEST(test_full_memory_is_an_error),
        CHECK_TEST(test_too_many_tables_are_an_error),
        CHECK_TEST(test_least_integer_negated),
        CHECK_TEST(test_many_tables),
        CHECK_TEST(test_witness_has_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
