// t_journal.c - journals read by the library, whole, cut and of others.
#define _DEFAULT_SOURCE  // mkstemps
#include "check.h"
#include "temporary.h"

#include <assay/assay.h>

#include <stdlib.h>
#include <unistd.h>

static const char head[] = "{\"journal\":2,\"assay\":\"0.1.0\"}\n";
static const char first[] =
    "{\"run\":\"a\",\"id\":\"q1\",\"db\":\"shop\",\"question\":\"How "
    "\\u00e9?\","
    "\"gold\":\"SELECT 1\",\"pred\":\"SELECT 2\",\"verdicts\":{"
    "\"exec\":{\"v\":\"no\",\"reason\":\"rows_differ\","
    "\"detail\":\"row 1: 1 != 2\"},"
    "\"edit\":{\"v\":\"no\",\"similarity\":0.5},"
    "\"exec:bird\":{\"v\":\"yes\"}},"
    "\"gold_status\":\"ok\",\"pred_status\":\"ok\"}\n";
static const char second[] =
    "{\"run\":\"a\",\"id\":7,\"verdicts\":{\"exec\":{\"v\":\"unknown\","
    "\"reason\":\"gold_failed\"}}}\n";

static void check_word(assay_str got, const char *want)
{
    check_str(((str){got.ptr, (ptrdiff_t)got.len}), str_from(want));
}

static void write_text(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

// What assay_journal_open says of a file with these lines.
static assay_status open_lines(assay_journal **out,
                               const char *const *lines,
                               assay_error *err)
{
    char path[TEMPORARY_SIZE];
    temporary_pattern(path, ".jsonl");
    int fd = mkstemps(path, 6);
    assert_true(fd >= 0);
    for (; *lines; lines++) {
        write_text(fd, *lines);
    }
    close(fd);
    assay_status status = assay_journal_open(out, path, err);
    unlink(path);
    return status;
}

static void cases_come_one_by_one(void **state)
{
    (void)state;
    const char *lines[] = {head, first, "\n", second, NULL};
    assay_journal *j = NULL;
    assay_case *c = NULL;
    assay_case *last = NULL;
    assert_int_equal(open_lines(&j, lines, NULL), ASSAY_OK);
    check_word(assay_journal_head(j), "{\"journal\":2,\"assay\":\"0.1.0\"}");
    assert_int_equal(assay_journal_next(j, &c, NULL), ASSAY_OK);
    assert_int_equal(assay_journal_next(j, &last, NULL), ASSAY_OK);
    check_word(assay_case_text(last, "id"), "7");
    check_word(assay_case_text(last, "db"), "");
    assert_int_equal(assay_case_answer(last, "exec"), ASSAY_UNKNOWN);
    check_word(assay_case_reason(last, "exec"), "gold_failed");
    assay_case_free(last);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(assay_journal_next(j, &last, NULL), ASSAY_OK);
        assert_null(last);
    }
    assay_journal_close(j);
    // A case does without its journal.
    check_word(assay_case_text(c, "run"), "a");
    check_word(assay_case_text(c, "id"), "q1");
    check_word(assay_case_text(c, "question"), "How \xc3\xa9?");
    check_word(assay_case_text(c, "pred"), "SELECT 2");
    check_word(assay_case_text(c, "pred_status"), "ok");
    check_word(assay_case_text(c, "verdicts"), "");
    assert_int_equal(assay_case_answer(c, "exec"), ASSAY_NO);
    check_word(assay_case_reason(c, "exec"), "rows_differ");
    check_word(assay_case_detail(c, "exec"), "row 1: 1 != 2");
    assert_true(assay_case_score(c, "exec") == 0.0);
    assert_true(assay_case_score(c, "edit") == 0.5);
    assert_int_equal(assay_case_answer(c, "exec:bird"), ASSAY_YES);
    assert_true(assay_case_score(c, "exec:bird") == 1.0);
    assert_int_equal(assay_case_answer(c, "suite"), ASSAY_UNKNOWN);
    check_word(assay_case_reason(c, "suite"), "");
    assert_int_equal(assay_case_json(c).len, sizeof first - 2);
    assert_memory_equal(assay_case_json(c).ptr, first, sizeof first - 2);
    assay_case_free(c);
    assay_case_free(NULL);
    assay_journal_close(NULL);
}

// The line is named, and what stands behind it can be read.
static void broken_lines_are_errors(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *message;
    } cases[] = {
        {"{\"run\":\"a\",\n", "line 3: not a line of a journal"},
        {"[]\n", "line 3: not a line of a journal"},
        {head, "line 3: another journal begins here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *lines[] = {head, first, cases[i].line, second, NULL};
        assay_journal *j = NULL;
        assay_case *c = NULL;
        assay_error err;
        assert_int_equal(open_lines(&j, lines, &err), ASSAY_OK);
        assert_int_equal(assay_journal_next(j, &c, &err), ASSAY_OK);
        assay_case_free(c);
        assert_int_equal(assay_journal_next(j, &c, &err), ASSAY_ERR_ENGINE);
        assert_null(c);
        assert_true(
            strncmp(err.message, cases[i].message, strlen(cases[i].message))
            == 0);
        assert_int_equal(assay_journal_next(j, &c, &err), ASSAY_OK);
        check_word(assay_case_text(c, "id"), "7");
        assay_case_free(c);
        assay_journal_close(j);
    }
}

static void other_files_are_no_journals(void **state)
{
    (void)state;
    const char *sql[] = {"SELECT 1;\n", NULL};
    const char *none[] = {NULL};
    const char *headless[] = {second, NULL};
    assay_journal *j = NULL;
    assay_case *c = NULL;
    assay_error err;
    assert_int_equal(open_lines(&j, sql, &err), ASSAY_ERR_ENGINE);
    assert_null(j);
    assert_string_equal(
        err.message,
        "line 1: this is not a journal; assay score --out writes one");
    assert_int_equal(assay_journal_open(&j, "no/such.jsonl", &err),
                     ASSAY_ERR_ENGINE);
    assert_string_equal(err.message, "cannot open: No such file or directory");
    assert_int_equal(assay_journal_open(&j, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_journal_next(NULL, &c, &err), ASSAY_ERR_USAGE);
    assert_int_equal(open_lines(&j, none, &err), ASSAY_OK);
    assert_int_equal(assay_journal_next(j, &c, &err), ASSAY_OK);
    assert_null(c);
    assay_journal_close(j);
    assert_int_equal(open_lines(&j, headless, &err), ASSAY_OK);
    check_word(assay_journal_head(j), "");
    assert_int_equal(assay_journal_next(j, &c, &err), ASSAY_OK);
    check_word(assay_case_text(c, "id"), "7");
    assay_case_free(c);
    assay_journal_close(j);
}

int main(void)
{
    temporary_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_come_one_by_one),
        cmocka_unit_test(broken_lines_are_errors),
        cmocka_unit_test(other_files_are_no_journals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
