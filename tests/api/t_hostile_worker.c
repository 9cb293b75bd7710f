/*
 * t_hostile_worker.c - what a worker sends is data of an attacker: random and
 * mutated messages to the parent's side of every job, and workers that write
 * them to their stream.
 */
#define _GNU_SOURCE
#include "base/rng.h"
#include "check.h"
#include "job/check_run.h"
#include "job/neighbor_run.h"
#include "job/request_queue.h"
#include "job/run.h"
#include "process/supervisor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    N_MESSAGES = 100000,
    MOST_BYTES = 2048,
    N_LIARS = 40,
};

// Lengths and numbers that a reader trips over.
static const int64_t sore[] = {
    0, 1, -1, 2, 8, 32, 1 << 20, INT32_MAX, INT64_MAX, INT64_MIN, -8,
};

// A message like those that are sent, bent here and there.
static str bend(rng *r, char *out)
{
    buf b = {0};
    arena a = {.next = out, .end = out + MOST_BYTES};
    b = buf_new(&a);
    int n = (int)rng_below(r, 4);
    if (rng_below(r, 3) == 0) {
        const int64_t head[] = {(int64_t)rng_below(r, 5), n, n, n};
        buf_add(&b, (str){(const char *)head, sizeof head});
    }
    for (int i = 0; i < n; i++) {
        buf_char(&b, "gnmp+-{x"[rng_below(r, 8)]);
        worker_add_text(&b, S("a\n"));
        worker_add_text(&b, rng_below(r, 2) ? S("0123456789abcdef") : S(""));
    }
    buf_add(&b, rng_below(r, 2) ? S("{}\n") : S(""));
    for (ptrdiff_t i = rng_below(r, 4); i > 0 && b.len > 0; i--) {
        ptrdiff_t at = rng_below(r, b.len);
        int64_t v = sore[rng_below(r, countof(sore))];
        ptrdiff_t n_left = b.len - at;
        memcpy(b.ptr + at, &v,
               (size_t)(n_left < (ptrdiff_t)sizeof v ? n_left
                                                     : (ptrdiff_t)sizeof v));
    }
    ptrdiff_t cut =
        rng_below(r, 4) == 0 && b.len > 0 ? rng_below(r, b.len) : b.len;
    return (str){b.ptr, cut};
}

// Each reader sees a copy of the very size, so that the sanitizer sees one byte
// too many.
static void readers_read_anything(void **state)
{
    (void)state;
    rng r = {7};
    ptrdiff_t n_sound = 0;
    for (int i = 0; i < N_MESSAGES; i++) {
        char room[MOST_BYTES];
        str s = bend(&r, room);
        char *exact = malloc((size_t)s.len + 1);
        char *at = exact;
        if (s.len > 0) {
            memcpy(exact, s.ptr, (size_t)s.len);
            at = realloc(exact, (size_t)s.len);
            assert_non_null(at);
        }
        s.ptr = at;
        n_sound += check_run_is_sound(NULL, 0, s);
        n_sound += neighbor_run_is_sound(NULL, 0, s);
        n_sound += run_is_sound(NULL, 0, s);
        n_sound += request_queue_is_sound(NULL, 0, s);
        str rest = s;
        str text;
        ptrdiff_t n_read = 0;
        while (worker_take_text(&rest, &text)) {
            n_read += text.len + (ptrdiff_t)sizeof(int64_t);
        }
        assert_true(n_read <= s.len);
        free(at);
    }
    assert_true(n_sound > 1000);  // and not all are refused
}

/* Workers. */

enum {
    HONEST = 1000
};

static void *open_liar(const void *context, worker *w)
{
    (void)context;
    return w;
}

// Items below HONEST write to the stream themselves, past all that is ours.
static str serve_liar(void *state, const work_request *q, str payload)
{
    (void)payload;
    const worker *w = state;
    rng r = {(uint64_t)q->item + 1};
    if (q->item >= HONEST) {
        return S("+honest");
    }
    for (int i = 0; i < 200; i++) {
        char room[MOST_BYTES];
        work_answer head = {.item = q->item, .size = 4};
        switch (rng_below(&r, 5)) {
        case 0: head.size = sore[rng_below(&r, countof(sore))]; break;
        case 1: head.item = (int32_t)sore[rng_below(&r, countof(sore))]; break;
        case 2: head.item = HONEST + (int32_t)rng_below(&r, 100); break;
        default: break;
        }
        str s = rng_below(&r, 3) ? (str){(const char *)&head, sizeof head}
                                 : bend(&r, room);
        ssize_t n = write(w->fd, s.ptr, (size_t)s.len);
        n += write(w->fd, "-lie", 4);
        (void)n;
    }
    return S("?");
}

typedef struct heard {
    int n_honest;
    int n_lies;
    int n_crashed;
} heard;

static bool is_sound(const void *context, int32_t item, str bytes)
{
    (void)context;
    return bytes.len > 0 && bytes.ptr[0] == '+' && item >= HONEST;
}

static bool take(void *context, int32_t item, str bytes)
{
    heard *h = context;
    h->n_honest += item >= HONEST && str_equal(bytes, S("+honest"));
    h->n_lies += item < HONEST;
    return true;
}

static bool died(void *context, work_request *r, const work_death *death)
{
    heard *h = context;
    (void)r;
    h->n_crashed += death->why == REASON_CRASH;
    return false;
}

static void liars_crash_and_others_are_answered(void **state)
{
    (void)state;
    arena_store store;
    assert_true(arena_store_open(&store, (ptrdiff_t)64 << 20));
    arena a = arena_store_clear(&store);
    arena scratch = arena_half(&a);
    diag d = diag_new(&a);
    int32_t items[2 * N_LIARS];
    for (int i = 0; i < N_LIARS; i++) {
        items[2 * i] = i;
        items[2 * i + 1] = HONEST + i;
    }
    heard h = {0};
    const supervisor_job job = {
        .worker = {NULL, open_liar, serve_liar},
        .n_items = countof(items),
        .items = items,
        .n_workers = 2,
        .context = &h,
        .is_sound = is_sound,
        .take = take,
        .died = died,
    };
    ptrdiff_t n_lost = 0;
    assert_int_equal(supervisor_run(&job, &n_lost, &d, &a, scratch),
                     SUPERVISOR_DONE);
    assert_int_equal(h.n_lies, 0);
    assert_int_equal(h.n_honest, N_LIARS);
    assert_int_equal(h.n_crashed, N_LIARS);
    arena_store_close(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(readers_read_anything),
        CHECK_TEST(liars_crash_and_others_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
