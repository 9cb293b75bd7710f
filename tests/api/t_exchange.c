// t_exchange.c - lines of many clients into one stream: who has room, whose
// turn it is.
#define _GNU_SOURCE  // pipe2
#include "check.h"
#include "serve/exchange.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Owners are named by a letter, their clients by another.
static char names[128];

typedef struct lines {
    exchange *x;
    int out;  // what goes out is read here
    int in;   // what is written here comes in
} lines;

static lines open_lines(ptrdiff_t most, ptrdiff_t most_flight)
{
    int to[2];
    int from[2];
    assert_int_equal(pipe2(to, O_NONBLOCK), 0);
    assert_int_equal(pipe2(from, O_NONBLOCK), 0);
    exchange *x = exchange_open((exchange_options){.to = to[1],
                                                   .from = from[0],
                                                   .most = most,
                                                   .most_flight = most_flight});
    assert_non_null(x);
    return (lines){x, to[0], from[1]};
}

static void close_lines(lines l)
{
    exchange_close(l.x);
    close(l.out);
    close(l.in);
}

// "A1": of client A, its owner 1. False when there is no room.
static bool add(lines l, const char *who)
{
    void *client = &names[(unsigned char)who[0]];
    void *owner = &names[(unsigned char)who[1]];
    return exchange_has_room(l.x, client, owner)
           && exchange_add(l.x, (exchange_line){client, owner, 0, 1},
                           (str){who, 2});
}

static ptrdiff_t add_all(lines l, const char *who)
{
    ptrdiff_t n = 0;
    while (add(l, who)) {
        n++;
    }
    return n;
}

// Who goes out next, each answered at once.
static void check_order(lines l, const char *wanted)
{
    for (; *wanted; wanted += 3) {
        char text[64] = {0};
        char answer[32];
        exchange_write(l.x);
        assert_true(read(l.out, text, sizeof text - 1) > 0);
        char *rest;
        long no = strtol(text, &rest, 10);
        assert_memory_equal(rest, " 1 ", 3);
        assert_memory_equal(rest + 3, wanted, 2);
        int n = snprintf(answer, sizeof answer, "%ld ok\n", no);
        assert_int_equal(write(l.in, answer, (size_t)n), n);
        assert_true(exchange_read(l.x, NULL, NULL));
    }
}

static void clients_take_turns(void **state)
{
    (void)state;
    lines l = open_lines(100, 1);
    static const char *const come[] = {"A1", "A1", "A2", "A2",
                                       "A3", "B4", "B4", "C5"};
    for (ptrdiff_t i = 0; i < countof(come); i++) {
        assert_true(add(l, come[i]));
    }
    check_order(l, "A1 B4 C5 A2 B4 A3 A1 A2 ");
    assert_int_equal(exchange_n_waiting(l.x), 0);
    close_lines(l);
}

// Who comes while others wait has one turn of each before him.
static void who_comes_is_soon_there(void **state)
{
    (void)state;
    lines l = open_lines(100, 1);
    for (int i = 0; i < 20; i++) {
        assert_true(add(l, (char[3]){'A', (char)('a' + i), 0}));
        assert_true(add(l, (char[3]){'B', (char)('0' + i % 10), 0}));
    }
    check_order(l, "Aa ");
    assert_true(add(l, "C!"));
    check_order(l, "B0 Ab C! ");
    close_lines(l);
}

static void each_leaves_room(void **state)
{
    (void)state;
    lines l = open_lines(64, 1);
    ptrdiff_t n_a = add_all(l, "A1");
    assert_int_equal(n_a, 16);
    for (int owner = '2'; owner <= '9'; owner++) {
        n_a += add_all(l, (char[3]){'A', (char)owner, 0});
    }
    assert_int_equal(n_a, 32);  // half for all calls of one client
    assert_false(exchange_is_full(l.x));
    assert_true(add_all(l, "Bx") > 0);
    assert_true(add_all(l, "Cy") > 0);
    // What is called off gives room back.
    for (int owner = '1'; owner <= '9'; owner++) {
        exchange_forget(l.x, &names[owner]);
    }
    assert_true(add(l, "A1"));
    close_lines(l);
}

// 64 MiB of lines: a client holds half of them.
static void bytes_leave_room(void **state)
{
    arena *a = check_arena(state);
    lines l = open_lines(1000, 1);
    ptrdiff_t size = 4 << 20;
    str text = {arena_new(a, char, size), size};
    memset((char *)(uintptr_t)text.ptr, 'x', (size_t)size);
    void *client = &names['A'];
    int n = 0;
    while (exchange_has_room(l.x, client, &names[n])) {
        exchange_line line = {client, &names[n], 0, 1};
        assert_true(exchange_add(l.x, line, text));
        n++;
    }
    assert_int_equal(n, 8);
    assert_true(add(l, "Bx"));
    close_lines(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(clients_take_turns),
        CHECK_TEST(who_comes_is_soon_there),
        CHECK_TEST(each_leaves_room),
        CHECK_TEST(bytes_leave_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
