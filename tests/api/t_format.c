// t_format.c - SQL parsed and laid out by the library.
#include "check.h"

#include <assay/assay.h>

#include <stdlib.h>

static void check_word(assay_str got, const char *want)
{
    check_str(((str){got.ptr, (ptrdiff_t)got.len}), str_from(want));
}

static assay_formatted *format(const char *sql, assay_format_options options)
{
    assay_formatted *f = NULL;
    assay_error err;
    assert_int_equal(assay_format(&f, assay_text(sql), &options, &err),
                     ASSAY_OK);
    assert_non_null(f);
    return f;
}

static void sql_is_laid_out(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        assay_format_options options;
        const char *want;
    } cases[] = {
        {"select a from t -- all\nwhere b;select 1",
         {ASSAY_DIALECT_SQLITE, ASSAY_LAYOUT_PRETTY},
         "SELECT a\nFROM t -- all\nWHERE b;\n\nSELECT 1;\n"},
        {"select a from t -- all\nwhere b;select 1",
         {ASSAY_DIALECT_SQLITE, ASSAY_LAYOUT_ONE_LINE},
         "SELECT a FROM t /* all */ WHERE b;\nSELECT 1;\n"},
        {"select a",
         {ASSAY_DIALECT_SQLITE, ASSAY_LAYOUT_TREE},
         "(select (items (column a)))\n"},
        {"select a::int from t",
         {ASSAY_DIALECT_POSTGRES, ASSAY_LAYOUT_PRETTY},
         "SELECT a::INT\nFROM t;\n"},
        {"select `a` from t",
         {ASSAY_DIALECT_MYSQL, ASSAY_LAYOUT_PRETTY},
         "SELECT `a`\nFROM t;\n"},
        {"select top 3 a from [t u]",
         {ASSAY_DIALECT_TSQL, ASSAY_LAYOUT_ONE_LINE},
         "SELECT TOP 3 a FROM [t u];\n"},
        {" -- nothing\n", {0}, "-- nothing\n"},
        {"", {0}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_formatted *f = format(cases[i].sql, cases[i].options);
        check_word(assay_formatted_text(f), cases[i].want);
        size_t n = 9;
        assay_formatted_mistakes(f, &n);
        assert_int_equal(n, 0);
        assay_formatted_free(f);
    }
    assay_formatted *f = NULL;
    assert_int_equal(assay_format(&f, assay_text("values(1)"), NULL, NULL),
                     ASSAY_OK);
    check_word(assay_formatted_text(f), "VALUES (1);\n");
    assay_formatted_free(f);
    assay_formatted_free(NULL);
}

static void mistakes_have_their_place(void **state)
{
    (void)state;
    const char *sql = "select a,\n  from t;\nselect 1 from";
    for (int layout = 0; layout <= ASSAY_LAYOUT_TREE; layout++) {
        assay_format_options options = {.layout = (assay_layout)layout};
        assay_formatted *f = format(sql, options);
        size_t n = 0;
        const assay_mistake *m = assay_formatted_mistakes(f, &n);
        assert_int_equal(n, 2);
        assert_int_equal(m[0].offset, 12);
        assert_int_equal(m[0].len, 4);
        assert_int_equal(m[0].line, 2);
        assert_int_equal(m[0].column, 3);
        check_word(m[0].text, "expected a column or an expression, found FROM");
        assert_int_equal(m[1].offset, strlen(sql));
        assert_int_equal(m[1].len, 0);
        assert_int_equal(m[1].line, 3);
        assert_int_equal(m[1].column, 14);
        assert_true((assay_formatted_text(f).len > 0)
                    == (layout == ASSAY_LAYOUT_TREE));
        assay_formatted_free(f);
    }
}

static void impossible_calls_are_refused(void **state)
{
    (void)state;
    const assay_format_options odd[] = {
        {.dialect = (assay_dialect)7},
        {.dialect = (assay_dialect)-1},
        {.layout = (assay_layout)3},
    };
    const assay_str sql = assay_text("select 1");
    assay_formatted *f = NULL;
    assay_error err;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        err = (assay_error){ASSAY_OK, ""};
        assert_int_equal(assay_format(&f, sql, &odd[i], &err), ASSAY_ERR_USAGE);
        assert_null(f);
        assert_int_equal(err.status, ASSAY_ERR_USAGE);
        assert_true(err.message[0] != '\0');
    }
    assert_int_equal(assay_format(NULL, sql, NULL, &err), ASSAY_ERR_USAGE);
    const assay_str huge = {sql.ptr, (size_t)1 << 40};
    assert_int_equal(assay_format(&f, huge, NULL, &err), ASSAY_ERR_USAGE);
    assert_null(f);
}

// One that nests deeper than any tree, and one that is long.
static void large_texts_are_laid_out(void **state)
{
    (void)state;
    enum {
        N = 200000,
    };
    char *sql = malloc((size_t)2 * N);
    assert_non_null(sql);
    memset(sql, '(', N);
    assay_formatted *f = NULL;
    assert_int_equal(assay_format(&f, (assay_str){sql, N}, NULL, NULL),
                     ASSAY_OK);
    size_t n = 0;
    assay_formatted_mistakes(f, &n);
    assert_true(n > 0);
    check_word(assay_formatted_text(f), "");
    assay_formatted_free(f);
    for (char *at = sql; at < sql + (size_t)2 * N; at += 2) {
        memcpy(at, "1,", 2);
    }
    memcpy(sql, "values(2", 8);
    sql[(size_t)2 * N - 1] = ')';
    assert_int_equal(
        assay_format(&f, (assay_str){sql, (size_t)2 * N}, NULL, NULL),
        ASSAY_OK);
    assay_formatted_mistakes(f, &n);
    assert_int_equal(n, 0);
    assert_true(assay_formatted_text(f).len > (size_t)2 * N);
    assay_formatted_free(f);
    free(sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sql_is_laid_out),
        cmocka_unit_test(mistakes_have_their_place),
        cmocka_unit_test(impossible_calls_are_refused),
        cmocka_unit_test(large_texts_are_laid_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
