// t_server.c - URLs of servers, and dumps cut into statements.
#include "check.h"
#include "engine/dump_split.h"
#include "engine/query_guard.h"
#include "engine/url.h"
#include "sql/function.h"

#include <string.h>

static void url_has_parts(void **state)
{
    arena *a = check_arena(state);
    diag d = diag_new(a);
    url_parts u;
    assert_true(url_parse(
        &u, a,
        S("mysql://me%40x:p%3Aw@db.example:3307/sh%20op?socket=%2Fs&x=1"), &d));
    check_str(u.scheme, S("mysql"));
    check_str(u.user, S("me@x"));
    check_str(u.password, S("p:w"));
    check_str(u.host, S("db.example"));
    assert_int_equal(u.port, 3307);
    check_str(u.database, S("sh op"));
    check_str(url_option(&u, a, S("socket")), S("/s"));
    check_str(url_option(&u, a, S("x")), S("1"));
    check_str(url_option(&u, a, S("y")), S(""));
    assert_true(url_parse(&u, a, S("postgresql:///shop"), &d));
    check_str(u.host, S(""));
    check_str(u.database, S("shop"));
    assert_false(u.has_password);
    assert_false(url_parse(&u, a, S("shop.sqlite"), &d));
    assert_false(url_parse(&u, a, S("x://h:99999/d"), &d));
}

static void no_password_is_shown(void **state)
{
    static const str urls[] = {
        S_INIT("postgresql://me:s3cret@h/d"),
        S_INIT("postgresql://me:s3cret@h"),
        S_INIT("postgresql://:s3cret@h:1/d?x=y"),
        S_INIT("postgresql://me:s3/s3cret@h/d"),
        S_INIT("postgresql://me:a@s3cret@h/d"),
        S_INIT("postgresql://h/d?password=s3cret"),
        S_INIT("odbc:DSN=x;PWD=s3cret"),
    };
    for (ptrdiff_t i = 0; i < countof(urls); i++) {
        str shown = url_show(check_arena(state), urls[i]);
        assert_true(shown.len > 0);
        assert_true(str_find(shown, S("s3cret"), 0) < 0);
    }
}

static void url_takes_a_database(void **state)
{
    arena *a = check_arena(state);
    check_str(url_with_database(a, S("x://h/{db}?o={db}"), S("a b")),
              S("x://h/a%20b?o=a%20b"));
    check_str(url_replace_database(a, S("x://u@h/d?o=1"), S("e")),
              S("x://u@h/e?o=1"));
    check_str(url_replace_database(a, S("x://h"), S("e")), S("x://h/e"));
    check_str(url_replace_database(a, S("x://h/{db}"), S("e")), S("x://h/e"));
}

static void dump_is_cut(void **state)
{
    (void)state;
    dump_split d = dump_split_new(
        S("\\connect x\n-- a; b\nSELECT ';', $$ ; $$ ;;\n"
          "COPY t (a) FROM stdin;\n1;\n2\n\\.\n"
          "COPY t FROM stdin;\n\\.\nALTER TABLE t OWNER TO me; SET x = 1"),
        DIALECT_POSTGRES);
    dump_statement s;
    assert_true(dump_split_next(&d, &s));
    check_str(s.sql, S("SELECT ';', $$ ; $$ "));
    assert_false(s.is_optional);
    assert_true(dump_split_next(&d, &s));
    check_str(s.sql, S("COPY t (a) FROM stdin"));
    assert_true(s.has_rows);
    check_str(s.rows, S("1;\n2\n"));
    assert_true(dump_split_next(&d, &s));
    assert_true(s.has_rows);
    check_str(s.rows, S(""));
    assert_true(dump_split_next(&d, &s));
    assert_true(s.is_optional);
    assert_true(dump_split_next(&d, &s));
    check_str(s.sql, S("SET x = 1"));
    assert_true(s.is_optional);
    assert_false(dump_split_next(&d, &s));
    assert_false(dump_split_next(&d, &s));
}

static const struct {
    const char *systems;
    const char *names;
} functions[] = {
#define SCALAR(name, systems, ...)    {systems, name},
#define AGGREGATE(name, systems, ...) {systems, name},
#define COLLECT(name, systems, ...)   {systems, name},
#define NAMES(systems, names)         {systems, names},
#include "sql/function.def"
};

// What a query may call is nothing that the system's guard refuses.
static void no_function_is_allowed_and_refused(void **state)
{
    (void)state;
    static const query_guard *const guards[] = {&guard_postgres, &guard_mariadb,
                                                &guard_duckdb, &guard_other};
    for (ptrdiff_t g = 0; g < countof(guards); g++) {
        int n = 0;
        for (ptrdiff_t i = 0; i < countof(functions); i++) {
            str names = str_from(functions[i].names);
            bool is_there = strpbrk(functions[i].systems, guards[g]->systems);
            while (is_there && names.len > 0) {
                str name = str_cut(&names, ' ');
                assert_true(function_may_run(name, guards[g]->systems));
                assert_false(guard_is_among(name, guards[g]->refused));
                assert_false(guard_is_among(name, guards[g]->secrets));
                n++;
            }
        }
        assert_true(n > 300);
        assert_false(function_may_run(S("pg_read_file"), guards[g]->systems));
    }
}

// A column that is called as a function is tells no time, nor does a function
// that is given one.
static void guards_tell_clocks_and_dice(void **state)
{
    static const struct {
        const query_guard *guard;
        str sql;
        bool is_clock;
        bool is_random;
    } rows[] = {
        {&guard_postgres, S_INIT("SELECT age FROM t"), false, false},
        {&guard_postgres, S_INIT("SELECT age(d) FROM t"), true, false},
        {&guard_postgres, S_INIT("SELECT age (d, e) FROM t"), false, false},
        {&guard_postgres, S_INIT("SELECT localtime"), true, false},
        {&guard_postgres, S_INIT("SELECT random_normal()"), false, true},
        {&guard_postgres, S_INIT("SELECT array_shuffle(x)"), false, true},
        {&guard_mariadb, S_INIT("SELECT unix_timestamp(d)"), false, false},
        {&guard_mariadb, S_INIT("SELECT unix_timestamp()"), true, false},
        {&guard_mariadb, S_INIT("SELECT random_bytes(9)"), false, true},
        {&guard_mariadb, S_INIT("SELECT uuid_to_bin(x)"), false, false},
        {&guard_other, S_INIT("SELECT sysdatetimeoffset()"), true, false},
        {&guard_other, S_INIT("SELECT utc_date()"), true, false},
    };
    for (ptrdiff_t i = 0; i < countof(rows); i++) {
        execution x = {.offset = -1};
        guard_answer said = query_guard_check(rows[i].guard, NULL, rows[i].sql,
                                              &x, check_arena(state));
        assert_int_equal(said, GUARD_SENDS);
        assert_int_equal(x.reads_clock, rows[i].is_clock);
        assert_int_equal(x.reads_random, rows[i].is_random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(url_has_parts),
        CHECK_TEST(no_password_is_shown),
        CHECK_TEST(url_takes_a_database),
        CHECK_TEST(dump_is_cut),
        CHECK_TEST(no_function_is_allowed_and_refused),
        CHECK_TEST(guards_tell_clocks_and_dice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
