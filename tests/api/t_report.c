/*
 * t_report.c - what reports promise beyond their texts: known intervals, and
 * memory that does not grow with the journal.
 */
#include "base/json_pull.h"
#include "check.h"
#include "report/gate.h"
#include "report/report.h"
#include "report/wilson.h"

#include <math.h>

static void check_interval(double yes, int64_t n, double low, double high)
{
    interval i = wilson_interval(yes, n);
    assert_true(fabs(i.low - low) < 1e-9);
    assert_true(fabs(i.high - high) < 1e-9);
}

// Computed apart, from the formula in wilson.c, with Python's floats.
static void wilson_known_values(void **state)
{
    (void)state;
    check_interval(8, 10, 0.4901624715366418, 0.9433178485456247);
    check_interval(811, 1034, 0.7582359728714214, 0.8083245504171243);
    check_interval(1, 1, 0.20654931437723742, 1);
    check_interval(500000, 1000000, 0.4990200198900048, 0.5009799801099952);
}

static void wilson_ends_are_exact(void **state)
{
    (void)state;
    assert_true(wilson_interval(0, 10).low == 0);
    check_interval(0, 10, 0, 0.2775327998628892);
    assert_true(wilson_interval(10, 10).high == 1);
    assert_true(wilson_interval(0, 0).low == 0);
    assert_true(wilson_interval(0, 0).high == 1);
}

static void wilson_holds_the_share(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 60; n++) {
        for (int64_t yes = 0; yes <= n; yes++) {
            interval i = wilson_interval((double)yes, n);
            double p = (double)yes / (double)n;
            assert_true(i.low >= 0 && i.low <= p && p <= i.high);
            assert_true(i.high <= 1);
        }
    }
}

// Case number i of two runs, twenty databases, two metrics.
static str journal_line(arena *a, int i)
{
    return arena_printf(
        a,
        "{\"run\":\"run%d\",\"id\":\"q%d\",\"db\":\"db%d\",\"hardness\":"
        "\"easy\",\"question\":\"a \\\"quoted\\\" one %d\",\"verdicts\":{"
        "\"exec\":{\"v\":\"%s\",\"reason\":\"rows_differ\"},\"soft_f1\":"
        "{\"v\":\"no\",\"score\":0.5}},\"gold_status\":\"ok\","
        "\"pred_status\":\"ok\"}",
        i % 2, i / 2, i % 20, i, i % 3 ? "yes" : "no");
}

static void tally_line(tally *t, str line, arena scratch)
{
    case_line read;
    assert_int_equal(case_line_read(&read, &scratch, line), CASE_LINE_CASE);
    tally_add(t, &read);
}

static void tally_memory_does_not_grow(void **state)
{
    arena *a = check_arena(state);
    tally t = tally_new(a);
    const char *after_few = NULL;
    for (int i = 0; i < 60000; i++) {
        arena scratch = check_scratch(state);
        str line = journal_line(&scratch, i);
        tally_line(&t, line, scratch);
        if (i == 1000) {
            after_few = a->next;
        }
    }
    assert_ptr_equal(a->next, after_few);
    assert_int_equal(t.by_run.ptr[1].n_cases, 30000);
    const tally_metric *m = tally_metric_at(&t, 0, 0);
    assert_int_equal(tally_total(&m->all), 30000);
    assert_int_equal(m->all.answers[ANSWER_YES], 20000);
}

static void tally_groups_are_bounded(void **state)
{
    arena *a = check_arena(state);
    tally t = tally_new(a);
    for (int i = 0; i < 3 * TALLY_GROUPS_MAX; i++) {
        arena scratch = check_scratch(state);
        str line = arena_printf(&scratch,
                                "{\"run\":\"m\",\"db\":\"d%d\",\"verdicts\":"
                                "{\"exec\":{\"v\":\"no\",\"reason\":\"r%d\"}}}",
                                i, i);
        tally_line(&t, line, scratch);
    }
    assert_int_equal(map_count(&t.groups[TALLY_BY_DB]), TALLY_GROUPS_MAX);
    assert_true(map_count(&t.words) <= TALLY_WORDS_MAX);
    // Nothing is lost: the group of the others has the rest.
    const tally_metric *m = tally_metric_at(&t, 0, 0);
    int64_t all = 0;
    for (ptrdiff_t i = 0; i < m->by[TALLY_BY_DB].len; i++) {
        all += m->by[TALLY_BY_DB].ptr[i].answers[ANSWER_NO];
    }
    assert_int_equal(all, 3 * TALLY_GROUPS_MAX);
}

static void baseline_keeps_little(void **state)
{
    arena *a = check_arena(state);
    enum {
        N = 20000
    };
    arena scratch = check_scratch(state);
    buf text = buf_new(a);
    for (int i = 0; i < N; i++) {
        arena inner = scratch;
        buf_add(&text, journal_line(&inner, i));
        buf_char(&text, '\n');
    }
    const char *before = a->next;
    baseline b;
    diag d = diag_new(a);
    const file_map old = {.path = S("old"), .bytes = buf_str(&text)};
    assert_true(baseline_read(&b, a, old, &d, scratch));
    assert_int_equal(b.cases.keys.len, N);
    assert_true(a->next - before < (ptrdiff_t)160 * N);
}

static void summary_is_json(void **state)
{
    arena *a = check_arena(state);
    tally t = tally_new(a);
    for (int i = 0; i < 50; i++) {
        arena scratch = check_scratch(state);
        tally_line(&t, journal_line(&scratch, i), scratch);
    }
    buf b = buf_new(a);
    report_summary(&b, &t, S(""), 2.5, check_scratch(state));
    json_pull s = json_pull_begin(buf_str(&b));
    json_pull_skip(&s);
    assert_true(json_pull_end(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(wilson_known_values),
        CHECK_TEST(wilson_ends_are_exact),
        CHECK_TEST(wilson_holds_the_share),
        CHECK_TEST(tally_memory_does_not_grow),
        CHECK_TEST(tally_groups_are_bounded),
        CHECK_TEST(baseline_keeps_little),
        CHECK_TEST(summary_is_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
