// t_bind.c - what a query reads, and what is wrong with its names.
#include "check.h"

#include <assay/assay.h>

#include <stdio.h>
#include <string.h>

static const char ddl[] =
    "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT, age INT);\n"
    "CREATE TABLE concert(id INTEGER, singer_id INTEGER, year INT,\n"
    "  decade INT AS (year / 10));\n"
    "CREATE VIEW adult AS SELECT name FROM singer WHERE age >= 18;\n";

static assay_binding *bind(const char *query, assay_dialect dialect)
{
    assay_binding *b = NULL;
    assay_error err;
    assert_int_equal(
        assay_bind(&b, assay_text(ddl), assay_text(query), dialect, &err),
        ASSAY_OK);
    assert_non_null(b);
    return b;
}

// "singer singer.name": what is read, as one text.
static void show_reads(const assay_binding *b, char *out, size_t size)
{
    size_t n = 0;
    const assay_read *reads = assay_binding_reads(b, &n);
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n && at < size; i++) {
        int wrote = snprintf(
            out + at, size - at, "%s%.*s%s%.*s", i > 0 ? " " : "",
            (int)reads[i].table.len, reads[i].table.ptr,
            reads[i].column.len > 0 ? "." : "", (int)reads[i].column.len,
            reads[i].column.len > 0 ? reads[i].column.ptr : "");
        at += (size_t)wrote;
    }
}

static void tables_and_columns_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *query;
        const char *want;
    } cases[] = {
        {"SELECT Name FROM Singer", "singer singer.name"},
        {"SELECT count(*) FROM singer", "singer"},
        {"SELECT * FROM singer WHERE age > 3",
         "singer singer.id singer.name singer.age"},
        {"SELECT 1", ""},
        {"SELECT s.name FROM singer s JOIN concert c ON c.singer_id = s.id "
         "ORDER BY s.age",
         "singer singer.id singer.name singer.age concert concert.singer_id"},
        {"SELECT 1 FROM singer s WHERE EXISTS (SELECT 1 FROM concert "
         "WHERE singer_id = s.id)",
         "singer singer.id concert concert.singer_id"},
        {"SELECT decade FROM concert", "concert concert.year"},
        {"SELECT name FROM adult", "singer singer.name singer.age adult"},
        {"WITH x AS (SELECT age AS a FROM singer) SELECT a FROM x",
         "singer singer.age"},
        {"SELECT name FROM singer UNION SELECT year FROM concert",
         "singer singer.name concert concert.year"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[300];
        size_t n = 9;
        assay_binding *b = bind(cases[i].query, ASSAY_DIALECT_SQLITE);
        show_reads(b, found, sizeof found);
        assert_string_equal(found, cases[i].want);
        assay_binding_mistakes(b, &n);
        assert_int_equal(n, 0);
        assay_binding_free(b);
    }
    assay_binding_free(NULL);
}

static void wrong_names_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *query;
        const char *reads;
        size_t line;
        size_t column;
        const char *text;
    } cases[] = {
        {"SELECT name,\n agee FROM singer", "singer singer.name", 2, 2,
         "no column 'agee' in singer; did you mean 'age'?"},
        {"SELECT name FROM singers", "", 1, 18,
         "no table 'singers'; did you mean 'singer'?"},
        {"SELECT name FROM", "", 1, 17,
         "expected a table or a subquery, found the end of the query"},
        {"SELECT 1; SELECT name FROM singer", "", 1, 11,
         "more than one statement"},
        {"DELETE FROM singer", "", 1, 1, "not a query"},
        {"", "", 1, 1, "not a query"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[300];
        size_t n = 0;
        assay_binding *b = bind(cases[i].query, ASSAY_DIALECT_SQLITE);
        const assay_mistake *m = assay_binding_mistakes(b, &n);
        assert_int_equal(n, 1);
        check_str(((str){m->text.ptr, (ptrdiff_t)m->text.len}),
                  str_from(cases[i].text));
        assert_int_equal(m->line, cases[i].line);
        assert_int_equal(m->column, cases[i].column);
        show_reads(b, found, sizeof found);
        assert_string_equal(found, cases[i].reads);
        assay_binding_free(b);
    }
}

// "Name" is another column than name there.
static void the_dialect_says_what_a_name_means(void **state)
{
    (void)state;
    const char *query = "SELECT \"Name\" FROM singer";
    size_t n = 9;
    assay_binding *b = bind(query, ASSAY_DIALECT_SQLITE);
    assay_binding_mistakes(b, &n);
    assert_int_equal(n, 0);
    assay_binding_free(b);
    b = bind(query, ASSAY_DIALECT_POSTGRES);
    assay_binding_mistakes(b, &n);
    assert_int_equal(n, 1);
    assay_binding_free(b);
}

static void impossible_calls_are_refused(void **state)
{
    (void)state;
    const assay_str query = assay_text("SELECT 1");
    const assay_str tables = assay_text(ddl);
    const assay_str huge = {ddl, (size_t)1 << 40};
    assay_binding *b = NULL;
    assay_error err;
    assert_int_equal(assay_bind(NULL, tables, query, 0, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_bind(&b, tables, query, (assay_dialect)7, &err),
                     ASSAY_ERR_USAGE);
    assert_int_equal(assay_bind(&b, huge, query, 0, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_bind(&b, tables, huge, 0, &err), ASSAY_ERR_USAGE);
    assert_int_equal(
        assay_bind(&b, assay_text("CREATE TABLE t("), query, 0, &err),
        ASSAY_ERR_ENGINE);
    assert_null(b);
    assert_int_equal(err.status, ASSAY_ERR_ENGINE);
    assert_true(err.message[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_and_columns_are_found),
        cmocka_unit_test(wrong_names_have_their_place),
        cmocka_unit_test(the_dialect_says_what_a_name_means),
        cmocka_unit_test(impossible_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
