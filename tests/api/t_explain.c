// t_explain.c - verdicts in words: of journals and of replies.
#include "check.h"

#include <assay/assay.h>

static const char line[] =
    "{\"run\":\"a\",\"id\":\"q1\",\"db\":\"shop\",\"question\":\"How many?\","
    "\"gold\":\"select a from t\",\"pred\":\"select b from t\","
    "\"verdicts\":{\"edit\":{\"v\":\"no\",\"similarity\":0.75},"
    "\"exec\":{\"v\":\"no\",\"reason\":\"rows_differ\","
    "\"detail\":\"row 1: 1 != \\u001b[2J\"}},"
    "\"gold_status\":\"ok\",\"pred_status\":\"ok\"}\n";

static str explain(assay_explanation **e,
                   const char *text,
                   const assay_explain_options *options)
{
    *e = NULL;
    assert_int_equal(assay_explain(e, assay_text(text), options, NULL),
                     ASSAY_OK);
    assay_str s = assay_explanation_text(*e);
    return (str){s.ptr, (ptrdiff_t)s.len};
}

static ptrdiff_t place_of(str text, const char *what)
{
    return str_find(text, str_from(what), 0);
}

static bool says(str text, const char *what)
{
    return place_of(text, what) >= 0;
}

static void a_case_is_explained(void **state)
{
    (void)state;
    assay_explanation *e = NULL;
    str text = explain(&e, line, NULL);
    assert_true(says(text, "How many?"));
    assert_true(says(text, "\n  + SELECT a\n"));
    assert_true(says(text, "\n  - SELECT b\n"));
    assert_true(says(text, "rows_differ: "));
    assert_true(says(text, "row 1: 1 != "));
    assert_false(says(text, "\033"));
    assert_false(says(text, "run again"));
    assert_true(place_of(text, "\nexec ") < place_of(text, "\nedit "));
    assay_explanation_free(e);
    assay_explain_options options = {
        .head = assay_text("{\"journal\":2,\"gold\":{\"file\":\"g.jsonl\"}}"),
        .metric = assay_text("edit"),
        .dialect = ASSAY_DIALECT_POSTGRES,
        .width = 40,
    };
    ptrdiff_t len = text.len;
    text = explain(&e, line, &options);
    assert_true(place_of(text, "\nexec ") > place_of(text, "\nedit "));
    assert_true(text.len != len);
    assert_true(says(text, "run again: assay score --gold g.jsonl"));
    assay_explanation_free(e);
    assay_explanation_free(NULL);
}

// What a reply does not say of its request is added, and what it says stays.
static void a_reply_is_explained(void **state)
{
    (void)state;
    const char *reply =
        "{\"id\":3,\"db\":\"other\",\"verdicts\":{\"exec\":{\"v\":\"yes\"}},"
        "\"gold_status\":\"ok\",\"pred_status\":\"ok\"}";
    assay_request request = {.db = assay_text("shop"),
                             .gold = assay_text("select 11"),
                             .pred = assay_text("select 12"),
                             .question = assay_text("Which one?")};
    assay_explain_options options = {.request = &request};
    assay_explanation *e = NULL;
    str text = explain(&e, reply, &options);
    assert_true(says(text, "SELECT 11"));
    assert_true(says(text, "SELECT 12"));
    assert_true(says(text, "Which one?"));
    assert_true(says(text, "other"));
    assert_false(says(text, "shop"));
    assay_explanation_free(e);
    text = explain(&e, reply, NULL);
    assert_true(says(text, "(no SQL)"));
    assay_explanation_free(e);
}

static void a_verdict_is_explained(void **state)
{
    (void)state;
    assay_question question = {.text = assay_text("Who is from France?")};
    assay_explanation *e = NULL;
    assay_verdict *v = NULL;
    assay_db *db = NULL;
    assert_int_equal(assay_db_open(&db, "examples/shop/shop.sql", NULL, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_score(&v, db,
                                 assay_text("select name from customers"
                                            " where country = 'France'"),
                                 assay_text("select name from customers"),
                                 &question, ASSAY_EXEC | ASSAY_SUBSET, NULL),
                     ASSAY_OK);
    assay_db_close(db);
    str text = {assay_verdict_json(v).ptr,
                (ptrdiff_t)assay_verdict_json(v).len};
    assert_true(says(text, "\"question\":\"Who is from France?\""));
    assert_true(says(text, "\"reason\":\"extra_rows\""));
    assert_int_equal(assay_explain(&e, assay_verdict_json(v), NULL, NULL),
                     ASSAY_OK);
    assay_str s = assay_explanation_text(e);
    text = (str){s.ptr, (ptrdiff_t)s.len};
    assert_true(says(text, "\n  + WHERE country = 'France'\n"));
    assert_true(says(text, "extra_rows: "));
    assert_true(says(text, "('Luc Moreau')"));
    assay_explanation_free(e);
    assay_verdict_free(v);
    const assay_table empty = {0, 1, NULL, NULL};
    assert_int_equal(assay_compare(&v, &empty, &empty, NULL, ASSAY_EXEC, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_verdict_json(v).len, 0);
    assay_verdict_free(v);
}

static void what_is_no_case_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "SELECT 1",
        "{\"journal\":2}",
        "{\"id\":1,\"error\":\"no gold\"}",
        "{\"verdicts\":{\"exec\":{\"v\":\"no\"}",
    };
    assay_explanation *e = NULL;
    assay_error err;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        err = (assay_error){ASSAY_OK, ""};
        assert_int_equal(assay_explain(&e, assay_text(lines[i]), NULL, &err),
                         ASSAY_ERR_USAGE);
        assert_null(e);
        assert_string_equal(err.message,
                            "the line is no case of a journal and no reply");
    }
    const assay_explain_options odd = {.dialect = (assay_dialect)7};
    assert_int_equal(assay_explain(&e, assay_text(line), &odd, &err),
                     ASSAY_ERR_USAGE);
    assert_int_equal(assay_explain(NULL, assay_text(line), NULL, &err),
                     ASSAY_ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_is_explained),
        cmocka_unit_test(a_reply_is_explained),
        cmocka_unit_test(a_verdict_is_explained),
        cmocka_unit_test(what_is_no_case_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
