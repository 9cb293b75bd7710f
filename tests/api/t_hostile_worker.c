/*
 * t_hostile_worker.c - what a worker sends is data of an attacker: random and
 * mutated bytes to the reader of every message, and workers that write them to
 * their stream.
 */
#define _GNU_SOURCE
#include "check.h"
#include "hostile/bend.h"
#include "job/message.h"
#include "process/supervisor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    N_MESSAGES = 1000000,
    MOST_BYTES = 2048,
    N_LIARS = 40,
};

static const codec_shape *const shapes[] = {&codec_text, &codec_number,
#define MESSAGE(name) &message_##name,
                                            JOB_MESSAGES
#undef MESSAGE
};

// What was read writes the bytes that it was read from.
static void check_whole(const codec_shape *s,
                        const void *it,
                        str bytes,
                        arena a)
{
    buf again = buf_new(&a);
    codec_write(&again, s, it);
    assert_true(str_equal(buf_str(&again), bytes));
}

// Each reader sees a copy of the very size, so that the sanitizer sees one byte
// too many.
static void readers_read_anything(void **state)
{
    (void)state;
    rng r = {7};
    ptrdiff_t n_read[countof(shapes)] = {0};
    ptrdiff_t n_sound = 0;
    arena_store store;
    assert_true(arena_store_open(&store, (ptrdiff_t)16 << 20));
    for (int i = 0; i < N_MESSAGES; i++) {
        arena a = arena_store_clear(&store);
        ptrdiff_t no = i % countof(shapes);
        const codec_shape *s = shapes[no];
        // Also what another one sends.
        str sent = bend_message(
            &r, rng_below(&r, 8) ? s : shapes[rng_below(&r, countof(shapes))],
            &a);
        char *exact = malloc(sent.len > 0 ? (size_t)sent.len : 1);
        assert_non_null(exact);
        if (sent.len > 0) {
            memcpy(exact, sent.ptr, (size_t)sent.len);
        }
        str bytes = {exact, sent.len};
        void *it = arena_alloc(&a, s->size, _Alignof(max_align_t), 1);
        if (codec_read(s, bytes, it, &a)) {
            n_read[no]++;
            check_whole(s, it, bytes, a);
            if (s == &codec_text) {
                n_sound += message_is_lines(*(const str *)it);
            }
        }
        free(exact);
    }
    for (ptrdiff_t no = 0; no < countof(shapes); no++) {
        assert_true(n_read[no] > 1000);  // and not all are refused
    }
    assert_true(n_sound > 1000);
    arena_store_close(&store);
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
static void serve_liar(worker *w, const work_request *q, void *reply)
{
    str *out = reply;
    rng r = {(uint64_t)q->item + 1};
    *out = q->item >= HONEST ? S("+honest") : S("?");
    for (int i = 0; q->item < HONEST && i < 200; i++) {
        arena a = w->memory[0];
        str s = bend_message(&r, shapes[rng_below(&r, countof(shapes))], &a);
        work_answer head = {.item = q->item, .size = s.len};
        switch (rng_below(&r, 5)) {
        case 0: head.size = bend_number(&r); break;
        case 1: head.item = (int32_t)bend_number(&r); break;
        case 2: head.item = HONEST + (int32_t)rng_below(&r, 100); break;
        default: break;
        }
        ssize_t n = 0;
        if (rng_below(&r, 4) != 0) {
            n += write(w->fd, &head, sizeof head);
        }
        n += write(w->fd, s.ptr, (size_t)s.len);
        (void)n;
    }
}

typedef struct heard {
    int n_honest;
    int n_lies;
    int n_crashed;
} heard;

static bool is_sound(const void *context, int32_t item, const void *reply)
{
    (void)context;
    return str_starts(*(const str *)reply, S("+")) && item >= HONEST;
}

static bool take(void *context, int32_t item, const void *reply)
{
    heard *h = context;
    h->n_honest +=
        item >= HONEST && str_equal(*(const str *)reply, S("+honest"));
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
        .call = {.answer = &codec_text,
                 .n_arenas = 1,
                 .arena_bytes = (ptrdiff_t)1 << 20,
                 .is_free = true,
                 .open = open_liar,
                 .serve = serve_liar},
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

// A liar for every message: what its parent takes is of the shape, or nothing.
typedef struct told {
    const codec_shape *shape;
    int n;
} told;

static void serve_bent(worker *w, const work_request *q, void *reply)
{
    const codec_shape *s = w->call->answer;
    rng r = {(uint64_t)q->item + 1};
    arena a = w->memory[0];
    work_answer head = {.item = q->item};
    bend_make(&r, s, reply, &w->memory[0]);
    if (q->item % 2 == 0) {
        return;
    }
    str bytes = bend_message(&r, s, &a);
    head.size = bytes.len;
    ssize_t n = write(w->fd, &head, sizeof head);
    n += write(w->fd, bytes.ptr, (size_t)bytes.len);
    _exit(n < 0);
}

static bool take_whole(void *context, int32_t item, const void *reply)
{
    told *t = context;
    char room[MOST_BYTES];
    arena a = {.next = room, .end = room + sizeof room};
    buf b = buf_new(&a);
    (void)item;
    codec_write(&b, t->shape, reply);
    t->n++;
    return true;
}

static bool lost(void *context, work_request *r, const work_death *death)
{
    (void)context;
    (void)r;
    (void)death;
    return false;
}

static void every_message_is_whole_or_a_crash(void **state)
{
    (void)state;
    for (ptrdiff_t i = 0; i < countof(shapes); i++) {
        arena_store store;
        assert_true(arena_store_open(&store, (ptrdiff_t)64 << 20));
        arena a = arena_store_clear(&store);
        arena scratch = arena_half(&a);
        diag d = diag_new(&a);
        told t = {.shape = shapes[i]};
        const supervisor_job job = {
            .call = {.answer = shapes[i],
                     .n_arenas = 1,
                     .arena_bytes = (ptrdiff_t)1 << 20,
                     .is_free = true,
                     .open = open_liar,
                     .serve = serve_bent},
            .n_items = 20,
            .n_workers = 2,
            .window = 1,
            .context = &t,
            .take = take_whole,
            .died = lost,
        };
        ptrdiff_t n_lost = 0;
        assert_int_equal(supervisor_run(&job, &n_lost, &d, &a, scratch),
                         SUPERVISOR_DONE);
        assert_true(t.n >= 10 && t.n + n_lost == 20);
        arena_store_close(&store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(readers_read_anything),
        CHECK_TEST(liars_crash_and_others_are_answered),
        CHECK_TEST(every_message_is_whole_or_a_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
