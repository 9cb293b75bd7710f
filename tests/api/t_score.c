// t_score.c - the contract of the public header: statuses, ownership, getters.
#define _DEFAULT_SOURCE  // mkstemps
#include "check.h"
#include "temporary.h"

#include <assay/assay.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static assay_str text(const char *s)
{
    return (assay_str){s, strlen(s)};
}

static void check_word(assay_str got, const char *want)
{
    assert_int_equal(got.len, strlen(want));
    assert_memory_equal(got.ptr, want, got.len);
}

// A database with three rows; the caller closes it.
static assay_db *open_people_within(const assay_limits *limits)
{
    char path[TEMPORARY_SIZE];
    temporary_pattern(path, ".sql");
    static const char sql[] =
        "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, age INTEGER);"
        "INSERT INTO people VALUES(1,'ann',30),(2,'bob',NULL),(3,'cid',30);";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, sql, sizeof sql - 1), sizeof sql - 1);
    close(fd);
    assay_db *db = NULL;
    assay_error err;
    assert_int_equal(assay_db_open(&db, path, limits, &err), ASSAY_OK);
    assert_non_null(db);
    unlink(path);
    return db;
}

static assay_db *open_people(void)
{
    return open_people_within(NULL);
}

static void yes_names_the_variant(void **state)
{
    (void)state;
    assay_db *db = open_people();
    assay_verdict *v = NULL;
    assert_int_equal(assay_score(&v, db, text("SELECT {id,name} FROM people"),
                                 text("SELECT name FROM people"), NULL,
                                 ASSAY_EXEC | ASSAY_SUBSET, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_verdict_answer(v, ASSAY_EXEC), ASSAY_YES);
    assert_int_equal(assay_verdict_variant(v, ASSAY_EXEC), 1);
    assert_int_equal(assay_verdict_answer(v, ASSAY_SUBSET), ASSAY_YES);
    check_word(assay_verdict_reason(v, ASSAY_EXEC), "");
    assert_true(assay_verdict_score(v, ASSAY_EXEC) == 1.0);
    assay_verdict_free(v);
    assay_db_close(db);
}

static void no_has_a_reason_and_survives_the_next_call(void **state)
{
    (void)state;
    assay_db *db = open_people();
    assay_verdict *first = NULL;
    assay_verdict *second = NULL;
    assert_int_equal(assay_score(&first, db, text("SELECT name FROM people"),
                                 text("SELECT nme FROM people"), NULL,
                                 ASSAY_EXEC, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_score(&second, db, text("SELECT name FROM people"),
                                 text("SELECT name FROM people WHERE id > 1"),
                                 NULL, ASSAY_EXEC, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_verdict_answer(first, ASSAY_EXEC), ASSAY_NO);
    check_word(assay_verdict_reason(first, ASSAY_EXEC), "no_such_column");
    check_word(assay_verdict_detail(first, ASSAY_EXEC),
               "no column 'nme' in people; did you mean 'name'?");
    check_word(assay_verdict_reason(second, ASSAY_EXEC), "missing_rows");
    assay_db_close(db);
    // A verdict outlives its database.
    check_word(assay_verdict_detail(first, ASSAY_EXEC),
               "no column 'nme' in people; did you mean 'name'?");
    assay_verdict_free(first);
    assay_verdict_free(second);
}

static void a_no_shows_both_results(void **state)
{
    (void)state;
    assay_db *db = open_people();
    assay_verdict *v = NULL;
    assert_int_equal(assay_score(&v, db, text("SELECT 1"), text("SELECT 2"),
                                 NULL, ASSAY_EXEC | ASSAY_SUBSET, NULL),
                     ASSAY_OK);
    check_word(assay_verdict_gold_result(v, ASSAY_EXEC), "(1)");
    check_word(assay_verdict_pred_result(v, ASSAY_EXEC), "(2)");
    check_word(assay_verdict_gold_result(v, ASSAY_SUBSET), "");
    assay_verdict_free(v);
    assay_db_close(db);
}

static void metrics_that_were_not_asked_for_are_unknown(void **state)
{
    (void)state;
    assay_db *db = open_people();
    assay_verdict *v = NULL;
    assert_int_equal(assay_score(&v, db, text("SELECT 1"), text("select 1"),
                                 NULL, ASSAY_STRING, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_verdict_answer(v, ASSAY_STRING), ASSAY_YES);
    assert_int_equal(assay_verdict_answer(v, ASSAY_EXEC), ASSAY_UNKNOWN);
    assert_int_equal(assay_verdict_variant(v, ASSAY_EXEC), -1);
    assay_verdict_free(v);
    assay_db_close(db);
}

static void the_gold_is_to_blame_for_what_it_does(void **state)
{
    (void)state;
    assay_db *db = open_people();
    assay_verdict *v = (assay_verdict *)1;
    assay_error err;
    assert_int_equal(assay_score(&v, db, text("SELECT nope FROM people"),
                                 text("SELECT 1"), NULL, ASSAY_EXEC, &err),
                     ASSAY_ERR_ENGINE);
    assert_null(v);
    assert_int_equal(err.status, ASSAY_ERR_ENGINE);
    assert_non_null(strstr(err.message, "no such column: nope"));
    assert_int_equal(assay_score(&v, db, text("SELECT {a FROM people"),
                                 text("SELECT 1"), NULL, ASSAY_EXEC, &err),
                     ASSAY_ERR_ENGINE);
    assay_db_close(db);
}

static void impossible_calls_are_refused(void **state)
{
    (void)state;
    assay_error err;
    assay_db *db = NULL;
    assay_verdict *v = NULL;
    assert_int_equal(assay_db_open(NULL, "x", NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_db_open(&db, NULL, NULL, NULL), ASSAY_ERR_USAGE);
    assert_int_equal(assay_db_open(&db, "/nowhere/at.all", NULL, &err),
                     ASSAY_ERR_ENGINE);
    assert_null(db);
    assert_true(strlen(err.message) > 0);
    db = open_people();
    assert_int_equal(
        assay_score(&v, db, text(""), text("SELECT 1"), NULL, ASSAY_EXEC, &err),
        ASSAY_ERR_USAGE);
    assert_int_equal(
        assay_score(&v, db, text("SELECT 1"), text("SELECT 1"), NULL, 0, &err),
        ASSAY_ERR_USAGE);
    assert_int_equal(assay_score(&v, NULL, text("SELECT 1"), text("SELECT 1"),
                                 NULL, ASSAY_EXEC, &err),
                     ASSAY_ERR_USAGE);
    // Bits between those of the header belong to metrics of the program.
    for (unsigned bit = 7; bit < 32; bit += bit == 8 ? 2 : 1) {
        assert_int_equal(assay_score(&v, db, text("SELECT 1"), text("SELECT 1"),
                                     NULL, ASSAY_EXEC | 1u << bit, &err),
                         ASSAY_ERR_USAGE);
    }
    assay_db_close(db);
    assay_db_close(NULL);
    assay_verdict_free(NULL);
}

static void no_limit_can_be_asked_for(void **state)
{
    (void)state;
    assay_limits most = {.timeout_ms = UINT32_MAX,
                         .max_bytes = UINT64_MAX,
                         .max_rows = UINT64_MAX};
    assay_db *db = open_people_within(&most);
    assay_verdict *v = NULL;
    assert_int_equal(assay_score(&v, db, text("SELECT 1"), text("SELECT 1"),
                                 NULL, ASSAY_EXEC, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_verdict_answer(v, ASSAY_EXEC), ASSAY_YES);
    assay_verdict_free(v);
    assay_db_close(db);
}

static void limits_are_verdicts(void **state)
{
    (void)state;
    char path[TEMPORARY_SIZE];
    temporary_pattern(path, ".sql");
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "CREATE TABLE t(x);", 18), 18);
    close(fd);
    assay_limits limits = {.timeout_ms = 1000, .max_rows = 1000};
    assay_db *db = NULL;
    assert_int_equal(assay_db_open(&db, path, &limits, NULL), ASSAY_OK);
    unlink(path);
    assay_verdict *v = NULL;
    assert_int_equal(
        assay_score(&v, db, text("SELECT 1"),
                    text("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT "
                         "n+1 FROM r) SELECT max(n) FROM r"),
                    NULL, ASSAY_EXEC, NULL),
        ASSAY_OK);
    check_word(assay_verdict_reason(v, ASSAY_EXEC), "timeout");
    assay_verdict_free(v);
    assay_db_close(db);
}

// Results that max_bytes allows one by one, and the case has no room for.
static void full_memory_is_an_error_and_the_next_call_works(void **state)
{
    (void)state;
    const assay_limits limits = {.timeout_ms = 120000,
                                 .max_bytes = (uint64_t)330 << 20,
                                 .max_rows = 10000000};
    char path[TEMPORARY_SIZE];
    temporary_pattern(path, ".sql");
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "CREATE TABLE t(x);", 18), 18);
    close(fd);
    assay_db *db = NULL;
    assert_int_equal(assay_db_open(&db, path, &limits, NULL), ASSAY_OK);
    assay_verdict *v = NULL;
    assay_error err = {0};
    // Seven variants, each with a value of 200 MB.
    const assay_str many =
        text("SELECT {substr(name, 1), lower(name), upper(name)}, "
             "zeroblob(200000000) FROM (SELECT 'x' AS name)");
    const assay_str also = text("SELECT 1");
    assert_int_equal(assay_score(&v, db, many, also, NULL, ASSAY_EXEC, &err),
                     ASSAY_ERR_LIMIT);
    assert_null(v);
    assert_int_equal(assay_score(&v, db, text("SELECT 1"), text("SELECT 1"),
                                 NULL, ASSAY_EXEC, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_verdict_answer(v, ASSAY_EXEC), ASSAY_YES);
    assay_verdict_free(v);
    assay_db_close(db);
    unlink(path);
}

static void sql_is_taken_out_of_an_answer(void **state)
{
    static const struct {
        const char *answer;
        const char *sql;
        const char *note;
    } answers[] = {
        {"SELECT name FROM people", "SELECT name FROM people", ""},
        {"<think>ages?</think>\n```sql\nSELECT age FROM people\n```",
         "SELECT age FROM people", "think block, markdown fence"},
        {"I do not know", "I do not know", "no SQL found"},
        {"", "", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        assay_extraction *e = NULL;
        assert_int_equal(assay_extract(&e, text(answers[i].answer), NULL),
                         ASSAY_OK);
        check_word(assay_extraction_sql(e), answers[i].sql);
        check_word(assay_extraction_note(e), answers[i].note);
        assay_extraction_free(e);
    }
    assay_error err;
    assert_int_equal(assay_extract(NULL, text(""), &err), ASSAY_ERR_USAGE);
    assay_extraction *e = NULL;
    assay_str long_one = {"", ((size_t)1 << 30) + 1};  // is not looked at
    assert_int_equal(assay_extract(&e, long_one, &err), ASSAY_ERR_USAGE);
    assert_null(e);
    assay_extraction_free(NULL);
}

// Each quotation is unescaped to see whether SQL is in it; of those in which
// none is nothing may stay in memory.
static void what_is_unescaped_in_vain_takes_no_memory(void **state)
{
    (void)state;
    static const char begin[] = "| a |\n\\'";
    static const char quotation[] = "sql = 'SELECT\\x";
    static const char end[] = ")\\boxed{";
    enum {
        COUNT = 2000,
        SIZE = sizeof begin + COUNT * sizeof quotation + sizeof end
    };
    char *answer = malloc(SIZE);
    assert_non_null(answer);
    memcpy(answer, begin, sizeof begin);
    char *at = answer + sizeof begin - 1;
    for (int i = 0; i < COUNT; i++) {
        memcpy(at, quotation, sizeof quotation);
        at += sizeof quotation - 1;
    }
    memcpy(at, end, sizeof end);
    assay_extraction *e = NULL;
    assert_int_equal(assay_extract(&e, text(answer), NULL), ASSAY_OK);
    assay_extraction_free(e);
    free(answer);
}

// A million bytes of fences: who reads the rest again at each takes hours.
static void a_long_answer_is_read_in_one_pass(void **state)
{
    (void)state;
    static const char fence[] = "```sql\nSELECT age FROM people\n```\n";
    enum {
        N = 30000,
        LENGTH = sizeof fence - 1
    };
    char *answer = malloc((size_t)N * LENGTH);
    assert_non_null(answer);
    for (size_t i = 0; i < N; i++) {
        memcpy(answer + i * LENGTH, fence, LENGTH);
    }
    assay_extraction *e = NULL;
    assay_str all = {answer, (size_t)N * LENGTH};
    assert_int_equal(assay_extract(&e, all, NULL), ASSAY_OK);
    check_word(assay_extraction_sql(e), "SELECT age FROM people");
    assay_extraction_free(e);
    free(answer);
}

// Results that come from elsewhere are compared as those of queries are.
static void results_are_compared(void **state)
{
    (void)state;
    const assay_value ann = {.type = ASSAY_TEXT, .bytes = text("ann")};
    const assay_value bob = {.type = ASSAY_TEXT, .bytes = text("bob")};
    const assay_value one = {.type = ASSAY_INTEGER, .integer = 1};
    const assay_value real_one = {.type = ASSAY_REAL, .real = 1.0};
    const assay_value none = {.type = ASSAY_NULL};
    const assay_value gold_cells[] = {one, ann, none, bob};
    const assay_value turned_cells[] = {bob, none, ann, real_one};
    const assay_value wide_cells[] = {one, ann, ann, none, bob, ann};
    const assay_value wrong_cells[] = {one, ann, one, bob};
    const assay_table gold = {2, 2, gold_cells, NULL};
    const assay_table turned = {2, 2, turned_cells, NULL};
    const assay_table wide = {2, 3, wide_cells, NULL};
    const assay_table wrong = {2, 2, wrong_cells, NULL};
    const assay_table empty = {0, 2, NULL, NULL};
    const assay_compare_options strict = {.rules = ASSAY_RULES_STRICT};
    const assay_compare_options bird = {.rules = ASSAY_RULES_BIRD};
    const assay_compare_options ordered = {.is_ordered = 1};
    const assay_compare_options in_place = {.same_column_order = 1};
    const struct {
        const assay_table *pred;
        const assay_compare_options *options;
        assay_answer exec;
        const char *reason;
        assay_answer subset;
    } cases[] = {
        {&gold, NULL, ASSAY_YES, "", ASSAY_YES},
        {&turned, NULL, ASSAY_YES, "", ASSAY_YES},
        {&turned, &strict, ASSAY_NO, "rows_differ", ASSAY_NO},
        {&turned, &ordered, ASSAY_NO, "order_differs", ASSAY_NO},
        {&turned, &in_place, ASSAY_NO, "columns_differ", ASSAY_NO},
        {&wide, NULL, ASSAY_NO, "columns_differ", ASSAY_YES},
        {&wrong, NULL, ASSAY_NO, "null_handling", ASSAY_NO},
        {&gold, &bird, ASSAY_YES, "", ASSAY_UNKNOWN},
        {&empty, NULL, ASSAY_NO, "missing_rows", ASSAY_NO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_verdict *v = NULL;
        assert_int_equal(assay_compare(&v, &gold, cases[i].pred,
                                       cases[i].options,
                                       ASSAY_EXEC | ASSAY_SUBSET | ASSAY_CELL_F1
                                           | ASSAY_SOFT_F1,
                                       NULL),
                         ASSAY_OK);
        assert_int_equal(assay_verdict_answer(v, ASSAY_EXEC), cases[i].exec);
        check_word(assay_verdict_reason(v, ASSAY_EXEC), cases[i].reason);
        assert_int_equal(assay_verdict_answer(v, ASSAY_SUBSET),
                         cases[i].subset);
        assert_true((assay_verdict_score(v, ASSAY_CELL_F1) == 1.0)
                    == (cases[i].pred == &gold || cases[i].pred == &turned));
        assay_verdict_free(v);
    }
}

static void impossible_results_are_refused(void **state)
{
    (void)state;
    const assay_value odd = {.type = (assay_type)9};
    const assay_table tables[] = {
        {1, 0, NULL, NULL},
        {1, 1, NULL, NULL},
        {1, 1, &odd, NULL},
        {(size_t)-1, 2, &odd, NULL},
    };
    const assay_table good = {0, 1, NULL, NULL};
    const assay_compare_options defog = {.rules = ASSAY_RULES_DEFOG};
    assay_verdict *v = NULL;
    assay_error err;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_int_equal(
            assay_compare(&v, &good, &tables[i], NULL, ASSAY_EXEC, &err),
            ASSAY_ERR_USAGE);
        assert_null(v);
    }
    assert_int_equal(assay_compare(&v, &good, NULL, NULL, ASSAY_EXEC, &err),
                     ASSAY_ERR_USAGE);
    assert_int_equal(assay_compare(&v, &good, &good, &defog, ASSAY_EXEC, &err),
                     ASSAY_ERR_USAGE);
    assert_int_equal(assay_compare(&v, &good, &good, NULL, ASSAY_SET, &err),
                     ASSAY_ERR_USAGE);
    assert_int_equal(assay_compare(&v, &good, &good, NULL, ASSAY_EXEC, &err),
                     ASSAY_OK);
    assay_verdict_free(v);
}

int main(void)
{
    temporary_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yes_names_the_variant),
        cmocka_unit_test(no_has_a_reason_and_survives_the_next_call),
        cmocka_unit_test(a_no_shows_both_results),
        cmocka_unit_test(metrics_that_were_not_asked_for_are_unknown),
        cmocka_unit_test(the_gold_is_to_blame_for_what_it_does),
        cmocka_unit_test(impossible_calls_are_refused),
        cmocka_unit_test(no_limit_can_be_asked_for),
        cmocka_unit_test(limits_are_verdicts),
        cmocka_unit_test(sql_is_taken_out_of_an_answer),
        cmocka_unit_test(a_long_answer_is_read_in_one_pass),
        cmocka_unit_test(what_is_unescaped_in_vain_takes_no_memory),
        cmocka_unit_test(results_are_compared),
        cmocka_unit_test(impossible_results_are_refused),
        cmocka_unit_test(full_memory_is_an_error_and_the_next_call_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
