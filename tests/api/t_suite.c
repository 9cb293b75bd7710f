// t_suite.c - gold_query_ties: does a gold choose among rows that tie?
#include "check.h"
#include "suite/gold_query.h"

static const schema_column columns[] = {
    {.name = S_INIT("a"), .affinity = AFFINITY_INTEGER},
    {.name = S_INIT("b"), .affinity = AFFINITY_INTEGER},
};

static const schema_table tables[] = {
    {.name = S_INIT("t"), .columns = columns, .n_columns = countof(columns)},
};

static const schema things = {.tables = tables,
                              .n_tables = countof(tables),
                              .dialect = DIALECT_SQLITE};

// Whether the query chooses among the first n rows of t(a, b), which are `all`.
static bool chooses(void **state,
                    const char *sql,
                    const int64_t (*all)[2],
                    ptrdiff_t n)
{
    static const engine_options options = {.limits.timeout_ms = 1000,
                                           .seed = 1};
    static const scratch_limits limits = {100000, 100, 1 << 20};
    arena *a = check_arena(state);
    arena scratch = arena_half(a);
    diag d = diag_new(a);
    scratch_db *db = scratch_open(a, &things, S("CREATE TABLE t(a INT, b INT)"),
                                  &options, limits, &d);
    assert_non_null(db);
    gold_query gold;
    execution failed = {0};
    assert_true(gold_query_open(&gold, db, str_from(sql), DIALECT_SQLITE,
                                &failed, a, scratch));
    value *cells = arena_new(a, value, 2 * n);
    for (ptrdiff_t i = 0; i < 2 * n; i++) {
        cells[i] = value_int(all[i / 2][i % 2]);
    }
    instance_table rows = {cells, n};
    assert_true(
        scratch_fill(db, &(instance){&things, &rows}, (scratch_order){0}, &d));
    execution x = scratch_run(gold.query, ENGINE_READ_ALL, a);
    assert_int_equal(x.status, REASON_NONE);
    bool ties = gold_query_ties(&gold, &x.result, scratch);
    gold_query_close(&gold);
    scratch_close(db);
    return ties;
}

static void test_limit_chooses_among_rows_that_tie(void **state)
{
    // Of the rows that tie with the first, the next is alike, the third is not.
    static const int64_t all[][2] = {{1, 9}, {1, 9}, {2, 9}, {3, 8}};
    const char *first = "SELECT a FROM t ORDER BY b DESC LIMIT 1";
    assert_false(chooses(state, first, all, 2));
    assert_true(chooses(state, first, all, 3));
    assert_true(chooses(state, first, all, 4));
    assert_true(
        chooses(state, "SELECT a FROM t ORDER BY b DESC LIMIT 2", all, 4));
    assert_true(chooses(state, "SELECT a FROM t ORDER BY b DESC", all, 4));
    assert_false(
        chooses(state, "SELECT a FROM t ORDER BY b DESC, a LIMIT 1", all, 4));
    assert_false(
        chooses(state, "SELECT b FROM t ORDER BY b DESC LIMIT 1", all, 4));
}

static void test_rows_beyond_the_last_tie_do_not_count(void **state)
{
    static const int64_t all[][2] = {{1, 9}, {2, 8}, {3, 7}, {4, 7}};
    assert_false(
        chooses(state, "SELECT a FROM t ORDER BY b DESC LIMIT 1", all, 4));
    assert_false(
        chooses(state, "SELECT a FROM t ORDER BY b DESC LIMIT 2", all, 4));
    assert_true(
        chooses(state, "SELECT a FROM t ORDER BY b DESC LIMIT 3", all, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(test_limit_chooses_among_rows_that_tie),
        CHECK_TEST(test_rows_beyond_the_last_tie_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
