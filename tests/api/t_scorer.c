// t_scorer.c - the contract of assay_scorer: each ticket has one reply,
// whatever the query does; nothing is left behind.
#include "check.h"

#include <assay/assay.h>

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define HANG                                                           \
    "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) " \
    "SELECT count(*) FROM r"

enum {
    N = 200,
    N_THREADS = 4,
};

static assay_str text(const char *s)
{
    return (assay_str){s, strlen(s)};
}

static assay_scorer *open_shop(const char *timeout)
{
    const char *words[] = {"--jobs",    "2",      "--timeout",
                           timeout,     "--work", "none",
                           "--metrics", "exec",   NULL};
    assay_scorer_options options = {.db = "examples/shop/shop.sql",
                                    .words = words};
    assay_scorer *s = NULL;
    assay_error err = {0};
    assert_int_equal(assay_scorer_open(&s, &options, &err), ASSAY_OK);
    return s;
}

static uint64_t submit(assay_scorer *s, const char *pred, uint32_t deadline_ms)
{
    uint64_t ticket = 0;
    assay_request r = {.gold = text("SELECT count(*) FROM customers"),
                       .pred = text(pred)};
    assert_int_equal(assay_scorer_submit(s, &r, 1, deadline_ms, &ticket, NULL),
                     ASSAY_OK);
    return ticket;
}

static assay_reply *next(assay_scorer *s, int timeout_ms)
{
    assay_reply *r = NULL;
    assert_int_equal(assay_scorer_next(s, &r, timeout_ms, NULL), ASSAY_OK);
    return r;
}

static int n_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int n = 0;
    while (readdir(folder)) {
        n++;
    }
    closedir(folder);
    return n;
}

static void test_batch(void **state)
{
    (void)state;
    int before = n_files();
    assay_scorer *s = open_shop("30");
    assay_request requests[N];
    char preds[N][64];
    bool seen[N] = {0};
    for (int i = 0; i < N; i++) {
        snprintf(preds[i], sizeof preds[i], "```sql\nSELECT %d\n```", i % 20);
        requests[i] =
            (assay_request){.gold = text("SELECT count(*) FROM customers"),
                            .pred = text(preds[i])};
    }
    uint64_t first = 0;
    assert_int_equal(assay_scorer_submit(s, requests, N, 0, &first, NULL),
                     ASSAY_OK);
    assert_int_equal(first, 1);
    for (int i = 0; i < N; i++) {
        assay_reply *r = next(s, -1);
        assert_non_null(r);
        uint64_t at = assay_reply_ticket(r) - first;
        assert_true(at < N && !seen[at]);
        seen[at] = true;
        assert_int_equal(assay_reply_answer(r, "exec"),
                         at % 20 == 12 ? ASSAY_YES : ASSAY_NO);
        assert_int_equal(assay_reply_reason(r, "exec").len == 0, at % 20 == 12);
        assert_int_equal(assay_reply_json(r).ptr[0], '{');
        assert_int_equal(assay_reply_answer(r, "nope"), ASSAY_UNKNOWN);
        assay_reply_free(r);
    }
    assert_null(next(s, -1));  // nothing is under way
    assay_scorer_close(s);
    assert_int_equal(n_files(), before);
}

static void test_hang_cancel_deadline(void **state)
{
    (void)state;
    assay_scorer *s = open_shop("1");
    uint64_t hang = submit(s, HANG, 0);
    uint64_t cancelled = submit(s, "SELECT 3", 0);
    uint64_t right = submit(s, "SELECT 12", 0);
    assay_scorer_cancel(s, cancelled);
    assay_scorer_cancel(s, 77);
    for (int i = 0; i < 2; i++) {
        assay_reply *r = next(s, -1);
        bool is_hang = assay_reply_ticket(r) == hang;
        assert_true(is_hang || assay_reply_ticket(r) == right);
        assert_int_equal(assay_reply_answer(r, "exec"),
                         is_hang ? ASSAY_NO : ASSAY_YES);
        if (is_hang) {
            assert_memory_equal(assay_reply_reason(r, "exec").ptr, "timeout",
                                7);
        }
        assay_reply_free(r);
    }
    assert_null(next(s, -1));
    assay_scorer_close(s);

    // More than there are workers: what is cancelled makes room.
    s = open_shop("600");
    for (int i = 0; i < 8; i++) {
        assay_scorer_cancel(s, submit(s, HANG, 0));
    }
    right = submit(s, "SELECT 12", 0);
    assay_reply *after = next(s, -1);
    assert_int_equal(assay_reply_ticket(after), right);
    assay_reply_free(after);
    assay_scorer_close(s);

    s = open_shop("30");
    hang = submit(s, HANG, 200);
    struct pollfd ready = {.fd = assay_scorer_fd(s), .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 20000), 1);
    assay_reply *r = next(s, 20000);
    assert_int_equal(assay_reply_ticket(r), hang);
    assert_int_equal(assay_reply_answer(r, "exec"), ASSAY_UNKNOWN);
    assert_memory_equal(assay_reply_reason(r, "exec").ptr, "not_run", 7);
    assay_reply_free(r);
    assay_scorer_close(s);  // although the query still runs
}

static void test_errors(void **state)
{
    (void)state;
    assay_scorer *s = NULL;
    assay_reply *r = NULL;
    assay_error err;
    const char *words[] = {"--metrics", "nonsense", NULL};
    assay_scorer_options options = {.db = "examples/shop", .program = "/nope"};
    assert_int_equal(assay_scorer_open(&s, &options, &err), ASSAY_ERR_ENGINE);
    assert_null(s);
    assert_int_equal(assay_scorer_open(&s, NULL, &err), ASSAY_ERR_USAGE);
    options = (assay_scorer_options){.db = "examples/shop", .words = words};
    assert_int_equal(assay_scorer_open(&s, &options, &err), ASSAY_OK);
    submit(s, "SELECT 1", 0);
    assert_int_equal(assay_scorer_next(s, &r, -1, &err), ASSAY_ERR_ENGINE);
    assert_non_null(strstr(err.message, "nonsense"));
    assay_scorer_close(s);
    assay_scorer_close(NULL);
    assay_reply_free(NULL);

    s = open_shop("30");
    uint64_t first = 1;
    assay_request big = {.pred = {"x", (size_t)9 << 20}};
    assert_int_equal(assay_scorer_submit(s, &big, 1, 0, &first, &err),
                     ASSAY_ERR_USAGE);
    assert_int_equal(first, 0);
    submit(s, "", 0);  // no prediction
    r = next(s, -1);
    assert_int_equal(assay_reply_answer(r, "exec"), ASSAY_NO);
    assay_reply_free(r);
    assay_scorer_close(s);
}

static void *work(void *scorer)
{
    size_t n_yes = 0;
    for (int i = 0; i < N; i++) {
        submit(scorer, "SELECT 12", 0);
    }
    for (int i = 0; i < N; i++) {
        assay_reply *r = next(scorer, -1);
        n_yes += assay_reply_answer(r, "exec") == ASSAY_YES;
        assay_reply_free(r);
    }
    return (void *)n_yes;
}

static void test_threads(void **state)
{
    (void)state;
    assay_scorer *s = open_shop("30");
    pthread_t threads[N_THREADS];
    size_t n_yes = 0;
    for (int i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, s), 0);
    }
    for (int i = 0; i < N_THREADS; i++) {
        void *n = NULL;
        pthread_join(threads[i], &n);
        n_yes += (size_t)n;
    }
    assert_int_equal(n_yes, N_THREADS * N);
    assay_scorer_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(test_batch),
        CHECK_TEST(test_hang_cancel_deadline),
        CHECK_TEST(test_errors),
        CHECK_TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
