/*
 * t_base.c - what src/base promises.
 *
 * Where a promise is "for all", the test draws inputs with a fixed seed; the
 * seed is printed by a failing assertion's line, so a failure repeats.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/cores.h"
#include "base/diag.h"
#include "base/edit_distance.h"
#include "base/json.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "check.h"
#include "table/verdict.h"
#include "temporary.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
    RANDOM_TRIES = 20000,
};

static void str_finds_and_cuts(void **state)
{
    (void)state;
    str s = S("a,bc,,d");
    assert_int_equal(str_find(s, S(","), 0), 1);
    assert_int_equal(str_find(s, S(",,"), 0), 4);
    assert_int_equal(str_find(s, S("x"), 0), -1);
    assert_int_equal(str_find(s, S(""), 7), 7);
    assert_int_equal(str_find(s, S(""), 8), -1);
    assert_int_equal(str_find((str){0}, S("a"), 0), -1);
    assert_int_equal(str_find_fold(S("FROM t"), S("from"), 0), 0);
    check_text(str_cut(&s, ','), "a");
    check_text(str_cut(&s, ','), "bc");
    check_text(str_cut(&s, ','), "");
    check_text(str_cut(&s, ','), "d");
    assert_null(s.ptr);
    check_text(str_cut(&s, ','), "");
}

static void str_cuts_a_last_empty_part(void **state)
{
    (void)state;
    str s = S("a\n");
    check_text(str_cut(&s, '\n'), "a");
    assert_int_equal(s.len, 0);
    assert_non_null(s.ptr);
}

static void str_compares(void **state)
{
    (void)state;
    assert_true(str_equal((str){0}, S("")));
    assert_false(str_equal(S("a"), S("A")));
    assert_true(str_equal_fold(S("SeLeCt"), S("sElEcT")));
    assert_false(str_equal_fold(S("["), S("{")));
    assert_true(str_compare(S("a"), S("ab")) < 0);
    assert_true(str_compare(S("b"), S("ab")) > 0);
    assert_true(str_compare(S("\xff"), S("a")) > 0);
    assert_int_equal(str_compare((str){0}, S("")), 0);
    assert_true(str_starts(S("abc"), S("")));
    assert_false(str_ends(S("c"), S("bc")));
    check_text(str_trim(S(" \t\r\n x y \v\f")), "x y");
    check_text(str_trim(S("  ")), "");
    check_text(str_sub(S("abc"), -5, 99), "abc");
    check_text(str_sub(S("abc"), 2, 1), "");
}

static void str_reads_whole_numbers(void **state)
{
    (void)state;
    int64_t n = 0;
    assert_true(str_to_int(S("9223372036854775807"), &n));
    assert_true(n == INT64_MAX);
    assert_true(str_to_int(S("-9223372036854775808"), &n));
    assert_true(n == INT64_MIN);
    assert_false(str_to_int(S("9223372036854775808"), &n));
    assert_false(str_to_int(S("-9223372036854775809"), &n));
    assert_false(str_to_int(S(""), &n));
    assert_false(str_to_int(S("-"), &n));
    assert_false(str_to_int(S("1 "), &n));
    assert_false(str_to_int(S("+1"), &n));
    double d = 0;
    assert_true(str_to_double(S("-1.5e3"), &d));
    assert_true(d == -1500.0);
    assert_false(str_to_double(S("1.5x"), &d));
    assert_true(str_to_double(S("+1E-3"), &d));
    assert_true(d == 0.001);
    assert_false(str_to_double(S("2019-07-01"), &d));
    assert_false(str_to_double(S("1 2"), &d));
    assert_false(str_to_double(S(" 1"), &d));
    assert_false(str_to_double(S(""), &d));
}

static void buf_grows_in_place(void **state)
{
    arena *a = check_arena(state);
    buf b = buf_new(a);
    assert_int_equal(buf_str(&b).len, 0);
    for (int i = 0; i < 1000; i++) {
        buf_printf(&b, "%d,", i);
    }
    str all = buf_str(&b);
    assert_true(str_starts(all, S("0,1,2,")));
    assert_true(str_ends(all, S(",998,999,")));
    buf_repeat(&b, '-', -3);
    buf_int(&b, INT64_MIN);
    assert_true(str_ends(buf_str(&b), S(",-9223372036854775808")));
}

static void check_double(arena *a, double d, str want)
{
    buf b = buf_new(a);
    buf_double(&b, d);
    check_str(buf_str(&b), want);
}

static void doubles_print_as_python_prints_them(void **state)
{
    arena *a = check_arena(state);
    check_double(a, 0.1, S("0.1"));
    check_double(a, 0.1 + 0.2, S("0.30000000000000004"));
    check_double(a, 1, S("1.0"));
    check_double(a, -0.0, S("-0.0"));
    check_double(a, 100, S("100.0"));
    check_double(a, 1e15, S("1000000000000000.0"));
    check_double(a, 1e16, S("1e+16"));
    check_double(a, 123456789012345680.0, S("1.2345678901234568e+17"));
    check_double(a, 0.0001, S("0.0001"));
    check_double(a, 1e-5, S("1e-05"));
    check_double(a, 1.5e-7, S("1.5e-07"));
    check_double(a, 5e-324, S("5e-324"));
    check_double(a, 1.7976931348623157e308, S("1.7976931348623157e+308"));
    check_double(a, (double)INFINITY, S("inf"));
    check_double(a, (double)-INFINITY, S("-inf"));
    check_double(a, (double)NAN, S("nan"));
}

static void doubles_read_back(void **state)
{
    rng r = {.state = 1};
    for (int i = 0; i < RANDOM_TRIES; i++) {
        arena a = *check_arena(state);
        uint64_t bits = rng_next(&r);
        double d = 0;
        memcpy(&d, &bits, sizeof d);
        if (!isfinite(d)) {
            continue;
        }
        buf b = buf_new(&a);
        buf_double(&b, d);
        double back = 0;
        assert_true(str_to_double(buf_str(&b), &back));
        assert_memory_equal(&back, &d, sizeof d);
    }
}

static void rng_is_the_same_everywhere(void **state)
{
    (void)state;
    // The first numbers of splitmix64 from state 0, as published.
    rng r = {0};
    assert_true(rng_next(&r) == 0xe220a8397b1dcdafU);
    assert_true(rng_next(&r) == 0x6e789e6aa1b965f4U);
    for (int i = 0; i < 1000; i++) {
        ptrdiff_t n = rng_below(&r, 7);
        assert_true(n >= 0 && n < 7);
    }
}

static void json_reads_exactly(void **state)
{
    arena *a = check_arena(state);
    json *j = json_parse(a,
                         S(" {\"n\": 9007199254740993, \"t\": \"a\\u0000b\","
                           " \"l\": [1.5, true, null], \"n2\": -1} "),
                         NULL);
    assert_non_null(j);
    assert_int_equal(j->n, 4);
    assert_true(json_get(j, S("n"))->i == 9007199254740993);
    check_text(json_get_text(j, S("t")), "a\0b");
    assert_int_equal(json_get(j, S("l"))->n, 3);
    check_text(j->child->next->next->next->key, "n2");
    assert_null(json_get(j, S("none")));
    assert_null(json_get(NULL, S("none")));
    check_text(json_get_text(j, S("n")), "");
    str id;
    assert_true(json_scalar_text(a, json_get(j, S("n2")), &id));
    check_text(id, "-1");
    assert_false(json_scalar_text(a, json_get(j, S("l")), &id));
}

static void json_reads_one_value_at_a_time(void **state)
{
    arena *a = check_arena(state);
    str text = S("{\"a\":1}\n{\"a\":2}x");
    ptrdiff_t used = 0;
    json *j = json_parse_prefix(a, text, &used, NULL);
    assert_true(json_get(j, S("a"))->i == 1);
    assert_int_equal(used, 7);
    text = str_skip(text, used);
    j = json_parse_prefix(a, text, &used, NULL);
    assert_true(json_get(j, S("a"))->i == 2);
    check_text(str_skip(text, used), "x");
    assert_null(json_parse(a, S("{} x"), NULL));
    assert_null(json_parse_prefix(a, S(""), &used, NULL));
}

static void json_errors_have_a_place(void **state)
{
    arena *a = check_arena(state);
    json_error e = {0};
    assert_null(json_parse(a, S("{\"a\": 1,}"), &e));
    assert_true(e.offset >= 8 && e.offset <= 9);
    assert_true(e.message[0] != '\0');
    assert_null(json_parse(a, S("[\"\xff\"]"), &e));
    assert_null(json_parse(a, S("[01]"), &e));
    assert_null(json_parse(a, S("{'a': 1}"), &e));
    buf deep = buf_new(a);
    buf_repeat(&deep, '[', 100000);
    assert_null(json_parse(a, buf_str(&deep), &e));
    assert_int_equal(e.offset, 2048);
    assert_null(json_parse(a, S("[\"a\\x\"]"), &e));
    assert_int_equal(e.offset, 3);
    assert_null(json_parse(a, S("[1 2]"), &e));
    check_text(str_from(e.message), "expected ',' or ']', found '2'");
}

static void json_keeps_the_digits_of_large_numbers(void **state)
{
    arena *a = check_arena(state);
    const json *j = json_parse(a, S("[9223372036854775808, 1e400, 7]"), NULL);
    assert_non_null(j);
    check_text(j->child->text, "9223372036854775808");
    check_text(j->child->next->text, "1e400");
    str text = {0};
    assert_true(json_scalar_text(a, j->child, &text));
    check_text(text, "9223372036854775808");
    assert_int_equal(j->child->next->next->i, 7);
}

static void json_keeps_the_last_of_a_name(void **state)
{
    arena *a = check_arena(state);
    buf b = buf_new(a);
    json_add(&b, json_parse(a,
                            S("{\"a\":1,\"a\":2,\"b\":3,\"c\":4,\"a\":5,"
                              "\"c\":\"\\ud800\"}"),
                            NULL));
    check_text(buf_str(&b), "{\"a\":5,\"b\":3,\"c\":\"\xEF\xBF\xBD\"}");
}

static void json_passes_over_common_faults(void **state)
{
    arena *a = check_arena(state);
    json_repairs repairs = {0};
    buf b = buf_new(a);
    str text = S("{\"a\":[1,NaN,],\"b\":-Infinity,}");
    json_add(&b, json_parse_kindly(a, text, &repairs, NULL));
    check_text(buf_str(&b), "{\"a\":[1,null],\"b\":null}");
    assert_int_equal(repairs.commas, 2);
    assert_int_equal(repairs.words, 2);
    assert_int_equal(repairs.first, 8);
    assert_null(json_parse_kindly(a, S("[,]"), &repairs, NULL));
    assert_null(json_parse_kindly(a, S("[1,,]"), &repairs, NULL));
}

static void json_writes_what_it_reads(void **state)
{
    arena *a = check_arena(state);
    str text = S("{\"a\":[1,-2.5,1e+300,\"q\\\"\\\\\\n\\u0001\",null,true],"
                 "\"\":{\"b\":[]},\"c\":{}}");
    buf b = buf_new(a);
    json_add(&b, json_parse(a, text, NULL));
    check_str(buf_str(&b), text);
}

static void json_replaces_bad_bytes(void **state)
{
    buf b = buf_new(check_arena(state));
    json_add_text(&b, S("a\xff"
                        "b\xc3\xa9"));
    check_text(buf_str(&b), "\"a\xef\xbf\xbd"
                            "b\xc3\xa9\"");
    buf number = buf_new(check_arena(state));
    json_add_double(&number, (double)NAN);
    check_text(buf_str(&number), "null");
}

static void quotas_are_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(cores_of_quota(S("200000 100000\n")), 2);
    assert_int_equal(cores_of_quota(S("150000 100000\n")), 2);
    assert_int_equal(cores_of_quota(S("1000 100000")), 1);
    assert_int_equal(cores_of_quota(S("9223372036854775807 100000")), 0);
    static const char *const none[] = {
        "max 100000\n", "", "200000", "200000 0", "-1 100000", "x y",
    };
    for (int i = 0; i < countof(none); i++) {
        assert_int_equal(cores_of_quota(str_from(none[i])), 0);
    }
    assert_true(cores_usable() >= 1);
}

static void write_quota(const char *root, const char *group, const char *text)
{
    char path[2 * TEMPORARY_SIZE];
    snprintf(path, sizeof path, "%s%s", root, group);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s%s/cpu.max", root, group);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void the_least_quota_counts(void **state)
{
    (void)state;
    char root[TEMPORARY_SIZE];
    temporary_pattern(root, "");
    assert_non_null(mkdtemp(root));
    str inner = S("9:cpuset:/x\n0::/a/b\n");
    assert_int_equal(cores_of_groups(inner, root), 0);
    write_quota(root, "/a", "300000 100000\n");
    write_quota(root, "/a/b", "max 100000\n");
    assert_int_equal(cores_of_groups(inner, root), 3);
    write_quota(root, "/a/b", "500000 100000\n");
    assert_int_equal(cores_of_groups(inner, root), 3);
    write_quota(root, "", "150000 100000\n");
    assert_int_equal(cores_of_groups(inner, root), 2);
    assert_int_equal(cores_of_groups(S("0::/"), root), 2);
    assert_int_equal(cores_of_groups(S("0::/gone/away\n"), root), 2);
    assert_int_equal(cores_of_groups(S("1:cpu:/a\n"), root), 0);
    assert_int_equal(cores_of_groups(S(""), root), 0);
    temporary_remove(root);
}

static void check_clock(const char *text, int64_t want)
{
    int64_t ms = -1;
    assert_true(clock_parse(str_from(text), &ms));
    assert_true(ms == want);
}

static void clock_reads_dates(void **state)
{
    check_clock("1970-01-01", 0);
    check_clock("2026-11-20", 1795132800000);
    check_clock("2026-11-20T12:00:00", 1795176000000);
    check_clock("2026-11-20 12:00:00.5Z", 1795176000500);
    check_clock(" 2024-02-29 ", 1709164800000);
    check_clock("1969-12-31 23:59:59.999", -1);
    check_text(clock_format(check_arena(state), 1795176000000),
               "2026-11-20T12:00:00Z");
}

// What a program asks for may be any number; a year has four digits.
static void clock_keeps_within_years(void **state)
{
    check_text(clock_format(check_arena(state), clock_bound(INT64_MAX)),
               "9999-12-31T23:59:59Z");
    check_text(clock_format(check_arena(state), clock_bound(INT64_MIN)),
               "0001-01-01T00:00:00Z");
    assert_true(clock_bound(-1) == -1);
}

static void clock_refuses_what_is_no_date(void **state)
{
    (void)state;
    const char *const bad[] = {
        "",
        "2026",
        "2026-13-01",
        "2026-02-29",
        "1900-02-29",
        "2026-00-01",
        "2026-01-00",
        "2026-1-1",
        "2026-01-01T",
        "2026-01-01T24:00",
        "2026-01-01T12:60",
        "tomorrow",
        "2026-01-01x",
        "-026-01-01",
    };
    for (ptrdiff_t i = 0; i < countof(bad); i++) {
        int64_t ms = 0;
        if (clock_parse(str_from(bad[i]), &ms)) {
            fail_msg("read '%s' as a date", bad[i]);
        }
    }
}

static void clock_days_count_on(void **state)
{
    (void)state;
    int64_t day = clock_days(1896, 1, 1);
    for (int64_t year = 1896; year < 2106; year++) {
        assert_true(clock_days(year, 1, 1) == day);
        bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        assert_true(clock_days(year, 3, 1) == day + 59 + is_leap);
        day += 365 + is_leap;
    }
    int64_t before = clock_ns();
    assert_true(clock_ns() >= before);
    assert_true(clock_cpu_ns() > 0);
}

static void utf8_knows_what_is_valid(void **state)
{
    (void)state;
    assert_true(utf8_is_valid(S("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")));
    assert_false(utf8_is_valid(S("\xc0\x80")));          // overlong
    assert_false(utf8_is_valid(S("\xe0\x80\x80")));      // overlong
    assert_false(utf8_is_valid(S("\xed\xa0\x80")));      // surrogate
    assert_false(utf8_is_valid(S("\xf4\x90\x80\x80")));  // too large
    assert_false(utf8_is_valid(S("\xe2\x82")));          // cut off
    assert_false(utf8_is_valid(S("\x80")));
    assert_true(utf8_is_valid((str){0}));
    assert_true(utf8_is_ascii(S("abc\x7f")));
    assert_false(utf8_is_ascii(S("\xc3\xa9")));
    assert_int_equal(utf8_count(S("a\xc3\xa9\xff")), 3);
    assert_int_equal(utf8_width(S("\xe6\xbc\xa2")), 2);
    assert_int_equal(utf8_size_at(S("\xe6\xbc\xa2"), 1), 0);
}

static void utf8_shows_what_would_command_a_terminal(void **state)
{
    arena *a = check_arena(state);
    str plain = S("caf\xc3\xa9 \xff");
    assert_ptr_equal(utf8_visible(a, plain).ptr, plain.ptr);
    check_text(utf8_visible(a, S("a\x1b[2J\n\tb\x7f")),
               "a\\x1b[2J\\n\\tb\\x7f");
    check_text(utf8_visible(a, S("\xc2\x9b;")), "\\x9b;");
    check_text(utf8_visible(a, (str){"\0", 1}), "\\x00");
    // Right to left, and back: a line could be shown in another order.
    check_text(utf8_visible(a, S("a\xe2\x80\xae"
                                 "b\xe2\x81\xa6")),
               "a\\u202eb\\u2066");
}

static void what_a_terminal_gets_commands_nothing(void **state)
{
    arena *a = check_arena(state);
    str plain = S("a\n\tb \xc3\xa9 \xf0\x9f\x98\x80\r\n");
    assert_ptr_equal(utf8_harmless(a, plain).ptr, plain.ptr);
    check_text(utf8_harmless(a, S("\033[1mbold\033[0m \033[2J")),
               "\033[1mbold\033[0m \\x1b[2J");
    check_text(utf8_harmless(a, S("\033[31mred\033[0m")),
               "\\x1b[31mred\033[0m");
    check_text(utf8_harmless_colored(a, S("\033[31mred\033[0m\033[2J")),
               "\033[31mred\033[0m\\x1b[2J");
    check_text(utf8_harmless(a, S("\033]52;c;eA==\007")),
               "\\x1b]52;c;eA==\\x07");
    check_text(utf8_harmless(a, S("x\ry")), "x\\x0dy");
    check_text(utf8_harmless(a, S("\xc2\x9b;\x9b\x7f")), "\\x9b;\\x9b\\x7f");
    // Of all pairs of bytes nothing is left that a terminal obeys.
    for (int i = 0; i < 1 << 16; i++) {
        char pair[2] = {(char)(i >> 8), (char)(i & 0xff)};
        arena local = *a;
        str shown = utf8_harmless(&local, (str){pair, 2});
        for (ptrdiff_t k = 0; k < shown.len; k++) {
            unsigned char c = (unsigned char)shown.ptr[k];
            bool is_break = c == '\n' || c == '\t' || (c == '\r' && k == 0);
            assert_true(is_break || (c >= 0x20 && c != 0x7f));
        }
        bool is_c1 = shown.len == 2 && shown.ptr[0] == '\xc2'
                     && ((unsigned char)shown.ptr[1] & 0xe0) == 0x80;
        assert_false(is_c1);
    }
}

static void utf8_normalises(void **state)
{
    arena *a = check_arena(state);
    check_text(utf8_nfc(a, S("e\xcc\x81")), "\xc3\xa9");
    check_text(utf8_drop_invalid(a, S("a\xff"
                                      "b\xc3")),
               "ab");
    str ascii = S("plain");
    assert_ptr_equal(utf8_nfc(a, ascii).ptr, ascii.ptr);
    str text = S("\xc3\xa9\xc3\xa9x");
    assert_int_equal(utf8_prefix(text, 2), 4);
    assert_int_equal(utf8_prefix(text, 99), 5);
}

static void distance_of_known_pairs(void **state)
{
    arena scratch = check_scratch(state);
    assert_int_equal(edit_distance(S("kitten"), S("sitting"), scratch), 3);
    assert_int_equal(edit_distance(S(""), S("abc"), scratch), 3);
    assert_int_equal(edit_distance((str){0}, (str){0}, scratch), 0);
    assert_int_equal(edit_distance(S("ab"), S("ba"), scratch), 2);
}

// d(x,y) = d(y,x), zero only for equals, and never longer by a detour.
static void distance_is_a_metric(void **state)
{
    rng r = {.state = 2};
    char text[3][12];
    str s[3];
    for (int i = 0; i < 2000; i++) {
        for (int k = 0; k < 3; k++) {
            s[k] = (str){text[k], rng_below(&r, 12)};
            for (ptrdiff_t c = 0; c < s[k].len; c++) {
                text[k][c] = (char)('a' + rng_below(&r, 3));
            }
        }
        arena scratch = check_scratch(state);
        ptrdiff_t xy = edit_distance(s[0], s[1], scratch);
        ptrdiff_t yz = edit_distance(s[1], s[2], scratch);
        ptrdiff_t xz = edit_distance(s[0], s[2], scratch);
        assert_int_equal(xy, edit_distance(s[1], s[0], scratch));
        assert_int_equal(xy == 0, str_equal(s[0], s[1]));
        assert_true(xz <= xy + yz);
    }
}

static void diag_formats_and_locates(void **state)
{
    arena *a = check_arena(state);
    str text = S("ab\ncd\n");
    diag_place at = diag_locate(S("f.sql"), text, 4);
    assert_true(at.line == 2 && at.column == 2);
    check_text(diag_format(a, (diag_message){at, S("bad"), false}),
               "f.sql:2:2: bad");
    check_text(diag_format(a, (diag_message){{S("f"), 3, 0}, S("bad"), false}),
               "f:3: bad");
    check_text(diag_format(a, (diag_message){{{0}, 0, 0}, S("bad"), false}),
               "bad");
    diag d = diag_new(a);
    for (int i = 0; i < DIAG_MAX + 5; i++) {
        assert_false(diag_add(&d, at, "message %d", i));
    }
    assert_int_equal(d.count, DIAG_MAX + 5);
    assert_int_equal(d.messages.len, DIAG_MAX);
    check_text(d.messages.ptr[7].text, "message 7");
}

static void diag_proposes_the_nearest(void **state)
{
    arena scratch = check_scratch(state);
    const str options[] = {S("--timeout"), S("--tables"), S("--db")};
    check_text(diag_nearest(S("--tiemout"), options, 3, scratch), "--timeout");
    check_text(diag_nearest(S("--table"), options, 3, scratch), "--tables");
    check_text(diag_nearest(S("--colour"), options, 3, scratch), "");
    check_text(diag_nearest(S("--x"), options, 0, scratch), "");
}

// What is wrong with the gold, its database or the way to it is no fault of a
// prediction; a failure of its own is.
static void a_failed_setup_is_no_no(void **state)
{
    (void)state;
    for (int i = REASON_NONE + 1; i < REASON_COUNT; i++) {
        reason r = (reason)i;
        str group = reason_row_of(r)->group;
        verdict v = verdict_failed(r, S("why"));
        assert_int_equal(v.reason, r);
        if (str_equal(group, S("gold"))) {
            assert_int_equal(v.v, ANSWER_UNKNOWN);
        } else if (str_equal(group, S("pred"))) {
            assert_int_equal(v.v, r == REASON_NOT_UNDERSTOOD ? ANSWER_UNKNOWN
                                                             : ANSWER_NO);
        }
    }
    assert_int_equal(verdict_failed(REASON_NO_REFERENCE, S("")).v,
                     ANSWER_UNKNOWN);
}

int main(void)
{
    temporary_begin();
    const struct CMUnitTest tests[] = {
        CHECK_TEST(str_finds_and_cuts),
        CHECK_TEST(str_cuts_a_last_empty_part),
        CHECK_TEST(str_compares),
        CHECK_TEST(str_reads_whole_numbers),
        CHECK_TEST(buf_grows_in_place),
        CHECK_TEST(doubles_print_as_python_prints_them),
        CHECK_TEST(doubles_read_back),
        CHECK_TEST(rng_is_the_same_everywhere),
        CHECK_TEST(json_reads_exactly),
        CHECK_TEST(json_reads_one_value_at_a_time),
        CHECK_TEST(json_errors_have_a_place),
        CHECK_TEST(json_keeps_the_digits_of_large_numbers),
        CHECK_TEST(json_keeps_the_last_of_a_name),
        CHECK_TEST(json_passes_over_common_faults),
        CHECK_TEST(json_writes_what_it_reads),
        CHECK_TEST(json_replaces_bad_bytes),
        CHECK_TEST(quotas_are_rounded_up),
        CHECK_TEST(the_least_quota_counts),
        CHECK_TEST(clock_reads_dates),
        CHECK_TEST(clock_keeps_within_years),
        CHECK_TEST(clock_refuses_what_is_no_date),
        CHECK_TEST(clock_days_count_on),
        CHECK_TEST(utf8_knows_what_is_valid),
        CHECK_TEST(utf8_shows_what_would_command_a_terminal),
        CHECK_TEST(what_a_terminal_gets_commands_nothing),
        CHECK_TEST(utf8_normalises),
        CHECK_TEST(distance_of_known_pairs),
        CHECK_TEST(distance_is_a_metric),
        CHECK_TEST(diag_formats_and_locates),
        CHECK_TEST(diag_proposes_the_nearest),
        CHECK_TEST(a_failed_setup_is_no_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
