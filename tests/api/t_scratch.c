// t_scratch.c - the contract of the scratch database: legal fillings only, the
// same result for the same rows, limits in steps.
#include "check.h"
#include "engine/scratch.h"

#include <stdio.h>
#include <unistd.h>

static const schema_column parent_columns[] = {
    {.name = S_INIT("id"), .affinity = AFFINITY_INTEGER, .is_rowid = true},
    {.name = S_INIT("order"), .affinity = AFFINITY_TEXT},
};

static const schema_column child_columns[] = {
    {.name = S_INIT("id"), .affinity = AFFINITY_INTEGER, .is_rowid = true},
    {.name = S_INIT("parent"), .affinity = AFFINITY_INTEGER},
    {.name = S_INIT("before"), .affinity = AFFINITY_INTEGER},
};

static const schema_table tables[] = {
    {.name = S_INIT("child"), .columns = child_columns, .n_columns = 3},
    {.name = S_INIT("a parent"), .columns = parent_columns, .n_columns = 2},
};

static const int32_t second[] = {1};
static const int32_t third[] = {2};
static const int32_t first[] = {0};

static const schema_key keys[] = {
    {.child = 0,
     .parent = 1,
     .columns = second,
     .targets = first,
     .n = 1,
     .is_sound = true},
    {.child = 0,
     .parent = 0,
     .columns = third,
     .targets = first,
     .n = 1,
     .is_sound = true},
};

static const schema family = {.tables = tables,
                              .n_tables = 2,
                              .keys = keys,
                              .n_keys = 2,
                              .dialect = DIALECT_SQLITE};

static const str ddl =
    S_INIT("CREATE TABLE child(id INTEGER PRIMARY KEY, parent INTEGER"
           " REFERENCES \"a parent\"(id), before INTEGER"
           " REFERENCES child(id));"
           "CREATE TABLE \"a parent\"(id INTEGER PRIMARY KEY,"
           " \"order\" TEXT NOT NULL)");

static const scratch_limits limits = {100000, 100, 1 << 20};

static scratch_db *open_family(void **state)
{
    static const engine_options options = {.limits.timeout_ms = 1000,
                                           .seed = 1};
    diag d = diag_new(check_arena(state));
    scratch_db *s =
        scratch_open(check_arena(state), &family, ddl, &options, limits, &d);
    assert_non_null(s);
    return s;
}

// Two parents, three children; the first child comes before the others.
static instance make_family(void **state)
{
    arena *a = check_arena(state);
    instance i = {&family, arena_new(a, instance_table, 2)};
    value *child = arena_new(a, value, 9);
    value *parent = arena_new(a, value, 4);
    for (ptrdiff_t r = 0; r < 3; r++) {
        child[3 * r] = value_int(r + 1);
        child[3 * r + 1] = r == 2 ? value_null() : value_int(r + 1);
        child[3 * r + 2] = r == 0 ? value_null() : value_int(r);
    }
    for (ptrdiff_t r = 0; r < 2; r++) {
        parent[2 * r] = value_int(r + 1);
        parent[2 * r + 1] = value_text(r == 0 ? S("it's") : S("b"));
    }
    i.tables[0] = (instance_table){child, 3};
    i.tables[1] = (instance_table){parent, 2};
    return i;
}

static str run_one(void **state, scratch_query *q)
{
    execution x = scratch_run(q, ENGINE_READ_ALL, check_arena(state));
    if (x.status != REASON_NONE) {
        return reason_word(x.status);
    }
    buf b = buf_new(check_arena(state));
    for (ptrdiff_t i = 0; i < x.result.n_rows * x.result.n_columns; i++) {
        instance_add_value(&b, x.result.cells[i]);
        buf_char(&b, ' ');
    }
    return buf_str(&b);
}

static void test_fill_and_run(void **state)
{
    scratch_db *s = open_family(state);
    execution failed = {0};
    diag d = diag_new(check_arena(state));
    scratch_query *q = scratch_prepare(s, S("SELECT id FROM child"), &failed,
                                       check_arena(state));
    assert_non_null(q);
    instance i = make_family(state);
    for (uint64_t k = 0; k < 20; k++) {
        scratch_order order = {k * 977, (ptrdiff_t)k, k % 2 == 1};
        assert_true(scratch_fill(s, &i, order, &d));
        check_str(run_one(state, q), k % 2 == 1 ? S("3 2 1 ") : S("1 2 3 "));
    }
    i.tables[0].n_rows = 0;
    assert_true(scratch_fill(s, &i, (scratch_order){0}, &d));
    check_text(run_one(state, q), "");
    scratch_forget(q);
    scratch_close(s);
}

static void test_illegal(void **state)
{
    scratch_db *s = open_family(state);
    diag d = diag_new(check_arena(state));
    execution failed = {0};
    scratch_query *q = scratch_prepare(s, S("SELECT count(*) FROM child"),
                                       &failed, check_arena(state));
    instance i = make_family(state);
    assert_true(scratch_fill(s, &i, (scratch_order){0}, &d));
    i.tables[0].cells[1] = value_int(9);  // no such parent
    assert_false(scratch_fill(s, &i, (scratch_order){0}, &d));
    i = make_family(state);
    i.tables[1].cells[1] = value_null();  // NOT NULL
    assert_false(scratch_fill(s, &i, (scratch_order){0}, &d));
    assert_int_equal(d.count, 2);
    // It goes on as if nothing had happened.
    i = make_family(state);
    assert_true(scratch_fill(s, &i, (scratch_order){.shuffle = 5}, &d));
    check_text(run_one(state, q), "3 ");
    scratch_close(s);
}

static void test_guarded(void **state)
{
    static const char *const refused[] = {
        "DELETE FROM child",          "PRAGMA user_version",
        "SELECT 1; SELECT 2",         "",
        "SELECT load_extension('x')", "SELECT x FROM child",
    };
    scratch_db *s = open_family(state);
    for (ptrdiff_t i = 0; i < countof(refused); i++) {
        execution failed = {0};
        assert_null(scratch_prepare(s, str_from(refused[i]), &failed,
                                    check_arena(state)));
        assert_int_not_equal(failed.status, REASON_NONE);
    }
    scratch_close(s);
}

static void test_limits(void **state)
{
    scratch_db *s = open_family(state);
    execution failed = {0};
    scratch_query *q = scratch_prepare(
        s,
        S("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
          " WHERE i < 100000) SELECT max(i) FROM n"),
        &failed, check_arena(state));
    assert_non_null(q);
    for (int k = 0; k < 3; k++) {
        check_text(run_one(state, q), "timeout");
    }
    q = scratch_prepare(s,
                        S("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
                          " SELECT i + 1 FROM n) SELECT i FROM n LIMIT 200"),
                        &failed, check_arena(state));
    check_text(run_one(state, q), "too_many_rows");
    scratch_close(s);
}

static void test_text(void **state)
{
    instance i = make_family(state);
    buf b = buf_new(check_arena(state));
    instance_to_sql(&b, &i, check_scratch(state));
    check_text(buf_str(&b), "INSERT INTO \"a parent\" VALUES (1, 'it''s');\n"
                            "INSERT INTO \"a parent\" VALUES (2, 'b');\n"
                            "INSERT INTO child VALUES (1, 1, NULL);\n"
                            "INSERT INTO child VALUES (2, 2, 1);\n"
                            "INSERT INTO child VALUES (3, NULL, 2);\n");
}

static void test_image(void **state)
{
    scratch_db *s = open_family(state);
    str image = scratch_image(s, check_arena(state));
    assert_true(str_starts(image, S("SQLite format 3")));
    assert_in_range(image.len, 1024, 8 << 10);  // small tables, small pages
    scratch_close(s);
}

// What is prepared once sees each image that is shown, and nothing of the last.
static void test_shown(void **state)
{
    static const engine_options options = {.limits.timeout_ms = 1000,
                                           .seed = 1};
    static const str wants[] = {S_INIT(""), S_INIT("3 NULL 2 'b' 1 'it''s' "),
                                S_INIT("1 'it''s' ")};
    arena *a = check_arena(state);
    scratch_db *filler = open_family(state);
    diag d = diag_new(a);
    instance i = make_family(state);
    str images[3] = {scratch_image(filler, a)};
    for (int k = 1; k < 3; k++) {
        i.tables[0].n_rows = k == 1 ? 3 : 1;
        assert_true(scratch_fill(filler, &i, (scratch_order){0}, &d));
        images[k] = scratch_image(filler, a);
    }
    scratch_close(filler);
    scratch_db *s =
        scratch_open_images(a, &family, images[0], &options, limits, &d);
    assert_non_null(s);
    execution failed = {0};
    str sql = S("SELECT c.id, \"order\" FROM child c LEFT JOIN \"a parent\" p"
                " ON p.id = c.parent ORDER BY c.id DESC");
    scratch_query *q = scratch_prepare(s, sql, &failed, a);
    assert_non_null(q);
    for (int k = 0; k < 7; k++) {
        scratch_show(s, images[k % 3]);
        check_str(run_one(state, q), wants[k % 3]);
        assert_null(scratch_prepare(s, S("SELECT nobody"), &failed, a));
        assert_null(scratch_prepare(s, S("DELETE FROM child"), &failed, a));
    }
    assert_int_equal(d.count, 0);
    scratch_forget(q);
    scratch_close(s);
}

// Pages of the address space.
static long pages_mapped(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld", &pages), 1);
    fclose(f);
    return pages;
}

// Workers have a limit of address space, and keep many of these.
static void test_beside(void **state)
{
    arena *a = check_arena(state);
    scratch_db *like = open_family(state);
    diag d = diag_new(a);
    scratch_db *others[16];
    long before = pages_mapped();
    for (int k = 0; k < countof(others); k++) {
        others[k] = scratch_open_beside(a, like, ddl, &d);
        assert_non_null(others[k]);
    }
    long grown = (pages_mapped() - before) * sysconf(_SC_PAGESIZE);
    assert_true(grown < 16 * (16L << 20));
    execution failed = {0};
    scratch_query *q = scratch_prepare(
        others[3], S("SELECT \"order\" FROM \"a parent\""), &failed, a);
    assert_non_null(q);
    str rows = S("INSERT INTO \"a parent\" VALUES (1, 'x');"
                 "INSERT INTO child VALUES (1, 1, NULL)");
    assert_true(scratch_load(others[3], rows, &d));
    check_text(run_one(state, q), "'x' ");
    assert_false(
        scratch_load(others[3], S("INSERT INTO child VALUES (1, 2, 3)"), &d));
    assert_int_equal(d.count, 1);
    check_text(run_one(state, q), "");
    assert_true(scratch_load(others[3], rows, &d));
    check_text(run_one(state, q), "'x' ");
    instance i = make_family(state);
    assert_true(scratch_fill(like, &i, (scratch_order){0}, &d));
    check_text(run_one(state, q), "'x' ");
    for (int k = 0; k < countof(others); k++) {
        scratch_close(others[k]);
    }
    scratch_close(like);
}

// Whether both are one program; a program is one with itself.
static bool are_one(void **state, scratch_db *s, str left, str right)
{
    arena *a = check_arena(state);
    execution failed;
    scratch_query *l = scratch_prepare(s, left, &failed, a);
    scratch_query *r = scratch_prepare(s, right, &failed, a);
    assert_non_null(l);
    assert_non_null(r);
    bool is = scratch_is_one_program(l, r);
    scratch_forget(l);
    scratch_forget(r);
    return is;
}

static void test_one_program(void **state)
{
    static const struct {
        bool is_one;
        str left;
        str right;
    } rows[] = {
        {true, S_INIT("SELECT c.id FROM child c WHERE c.parent = 1"),
         S_INIT("select ID as n from child where (parent = 1) ;")},
        {false, S_INIT("SELECT id FROM child WHERE parent = 1"),
         S_INIT("SELECT id FROM child WHERE parent = 2")},
        {false, S_INIT("SELECT id FROM child WHERE parent = 1"),
         S_INIT("SELECT id FROM child WHERE parent = 1 LIMIT 1")},
        {false, S_INIT("SELECT id FROM child WHERE parent < 'a'"),
         S_INIT("SELECT id FROM child WHERE parent < 'b'")},
        {false, S_INIT("SELECT max(parent COLLATE NOCASE) FROM child"),
         S_INIT("SELECT max(parent) FROM child")},
        // What a listing does not tell apart.
        {false, S_INIT("SELECT id + 0.1 FROM child"),
         S_INIT("SELECT id + 0.10000000000000002 FROM child")},
        {false, S_INIT("SELECT x'610061', id FROM child"),
         S_INIT("SELECT x'610062', id FROM child")},
    };
    scratch_db *s = open_family(state);
    for (ptrdiff_t i = 0; i < countof(rows); i++) {
        assert_int_equal(are_one(state, s, rows[i].left, rows[i].right),
                         rows[i].is_one);
    }
    // Listing them leaves the guard where it was.
    execution failed;
    assert_null(scratch_prepare(s, S("PRAGMA foreign_keys=OFF"), &failed,
                                check_arena(state)));
    scratch_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(test_fill_and_run), CHECK_TEST(test_illegal),
        CHECK_TEST(test_guarded),      CHECK_TEST(test_limits),
        CHECK_TEST(test_text),         CHECK_TEST(test_image),
        CHECK_TEST(test_shown),        CHECK_TEST(test_beside),
        CHECK_TEST(test_one_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
