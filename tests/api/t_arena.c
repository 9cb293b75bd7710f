// t_arena.c - what arenas, their stores and growing arrays promise.
#define _DEFAULT_SOURCE  // mincore
#include "base/arena.h"
#include "base/poison.h"
#include "base/rng.h"
#include "check.h"

#include <stdint.h>
#include <sys/mman.h>

enum {
    STORE_BYTES = 1 << 30,
    FILL_BYTES = 8 << 20,
};

static void arena_zeroes_and_aligns(void **state)
{
    arena *a = check_arena(state);
    memset(arena_new(a, char, 1000), 0xff, 1000);
    arena scratch = check_scratch(state);
    for (ptrdiff_t align = 1; align <= 64; align *= 2) {
        arena_alloc(a, 1, 1, 1);
        char *p = arena_alloc(a, 3, align, 5);
        assert_int_equal((uintptr_t)p % (uintptr_t)align, 0);
        for (int i = 0; i < 15; i++) {
            assert_int_equal(p[i], 0);
        }
    }
    char *cleared = arena_new(&scratch, char, 64);
    memset(cleared, 1, 64);
    scratch = check_scratch(state);
    assert_ptr_equal(arena_new(&scratch, char, 64), cleared);
    assert_int_equal(cleared[0], 0);
}

static void scratch_copies_do_not_alarm(void **state)
{
    arena *a = check_arena(state);
    for (int round = 0; round < 100; round++) {
        arena scratch = *a;
        memset(arena_new(&scratch, char, 10 + round), 1, 10);
        memset(arena_new(&scratch, char, 7), 1, 7);
        char *kept = arena_new(a, char, 1 + round);
        memset(kept, 2, (size_t)(1 + round));
    }
}

static void take_zeroes(arena *a, rng *dice)
{
    ptrdiff_t n = rng_below(dice, (ptrdiff_t)8 << (2 * rng_below(dice, 10)));
    n = n < arena_room(a) / 2 ? n : 0;
    char *p = arena_new(a, char, n + 1);
    assert_int_equal(p[0], 0);
    assert_memory_equal(p, p + 1, (size_t)n);
    memset(p, 0xff, (size_t)n + 1);
}

// Arenas over one store, as functions cut them and hand them on.
static void use_arenas(arena a, rng *dice, int depth)
{
    arena whole = a;
    for (int i = rng_below(dice, 3) == 0; i < 2; i++) {
        take_zeroes(i == 0 ? &whole : &a, dice);
        whole = a;
    }
    arena cut =
        arena_cut(&a, arena_room(&a) / (2 + (ptrdiff_t)rng_below(dice, 3)));
    for (int i = 0; i < 3; i++) {
        take_zeroes(rng_below(dice, 2) ? &a : &cut, dice);
    }
    if (depth > 0) {
        use_arenas(cut, dice, depth - 1);
    }
    take_zeroes(&whole, dice);
}

static void arena_memory_is_zero_again(void **state)
{
    (void)state;
    rng dice = {.state = 1};
    for (int round = 0; round < 16; round++) {
        arena_store store;
        assert_true(arena_store_open(&store, (16 << 20) << (round % 4)));
        for (int i = 0; i < 10; i++) {
            use_arenas(arena_store_clear(&store), &dice, 3);
        }
        arena_store_close(&store);
    }
}

static void a_cut_of_used_memory_is_zero(void **state)
{
    (void)state;
    for (int is_cleared = 0; is_cleared < 2; is_cleared++) {
        arena_store store;
        assert_true(arena_store_open(&store, 6 << 20));
        arena a = arena_store_clear(&store);
        arena scratch = a;
        memset(arena_new(&scratch, char, 5 << 20), 0xff, 5 << 20);
        a = is_cleared ? arena_store_clear(&store) : a;
        arena cut = arena_cut(&a, 4 << 20);
        char *p = arena_new(&cut, char, 1 << 20);
        assert_int_equal(p[0], 0);
        assert_memory_equal(p, p + 1, (1 << 20) - 1);
        arena_store_close(&store);
    }
}

static void arena_poisons_what_it_did_not_hand_out(void **state)
{
    arena *a = check_arena(state);
    char *p = arena_new(a, char, 13);
    char *q = arena_new(a, char, 5);
    if (!POISON_IS_ON) {
        assert_ptr_equal(q, p + 13);
        return;
    }
    assert_false(poison_is_at(p) || poison_is_at(p + 12));
    assert_true(poison_is_at(p + 13));
    assert_true(poison_is_at(q - 1));
    assert_true(poison_is_at(q + 5));
    assert_true(poison_is_at(q + 100000));
}

// Hands out zeroed bytes and spoils them.
static void fill(arena *a)
{
    char *p = arena_new(a, char, FILL_BYTES);
    for (ptrdiff_t i = 0; i < FILL_BYTES; i += 512) {
        assert_int_equal(p[i], 0);
    }
    memset(p, 0xff, FILL_BYTES);
}

static bool is_resident(char *p)
{
    uintptr_t page = (uintptr_t)p & ~(uintptr_t)4095;
    unsigned char in_memory = 0;
    assert_int_equal(mincore((void *)page, 1, &in_memory), 0);
    return in_memory & 1;
}

static void cut_of_a_store_is_found_again_and_given_back(void **state)
{
    (void)state;
    arena_store store;
    assert_true(arena_store_open(&store, STORE_BYTES));
    char *was = NULL;
    for (int round = 0; round < 4; round++) {
        arena a = arena_store_clear(&store);
        arena_new(&a, char, 1 + 1000 * round);
        arena half = arena_half(&a);
        assert_ptr_equal(a.end, half.next);
        assert_true(!was || half.next == was);
        assert_false(is_resident(half.next + FILL_BYTES - 1));
        was = half.next;
        fill(&a);
        fill(&half);
        assert_true(is_resident(was + FILL_BYTES - 1));
    }
    arena_store_close(&store);
}

static void cuts_beyond_the_windows_are_cleared_too(void **state)
{
    (void)state;
    arena_store store;
    assert_true(arena_store_open(&store, STORE_BYTES));
    for (int round = 0; round < 2; round++) {
        arena a = arena_store_clear(&store);
        for (int i = 0; i < 50; i++) {
            arena cut = arena_cut(&a, (ptrdiff_t)2 * FILL_BYTES);
            assert_ptr_equal(a.end, cut.next);
            assert_true(arena_room(&cut) > FILL_BYTES);
            fill(&cut);
        }
    }
    arena_store_close(&store);
}

static void cut_of_what_is_small_is_exact(void **state)
{
    arena a = *check_arena(state);
    arena cut = arena_cut(&a, 100);
    arena none = arena_cut(&cut, 0);
    assert_int_equal(arena_room(&none), 0);
    assert_int_equal(arena_room(&cut), 100);
}

static void arena_of_an_array_has_no_gaps(void **state)
{
    (void)state;
    char memory[64];
    arena a = {.next = memory, .end = memory + sizeof memory};
    char *p = arena_new(&a, char, 64);
    memset(p, 1, 64);
    assert_ptr_equal(p, memory);
}

static void vec_grows_with_others_in_between(void **state)
{
    arena *a = check_arena(state);
    vec_of(int64_t) v = {0}, w = {0};
    for (int64_t i = 0; i < 5000; i++) {
        *vec_push(a, &v) = i;
        if (i % 3 == 0) {
            *vec_push(a, &w) = -i;
        }
    }
    assert_int_equal(v.len, 5000);
    for (int64_t i = 0; i < 5000; i++) {
        assert_true(v.ptr[i] == i);
        assert_true(w.ptr[i / 3] == -(i / 3 * 3));
    }
    assert_true(vec_push(a, &v)[0] == 0);
}

static void what_was_taken_away_is_zero_again(void **state)
{
    arena *a = check_arena(state);
    vec_of(int64_t) v = {0};
    *vec_push(a, &v) = 7;
    *vec_push(a, &v) = 8;
    v.len = 0;
    assert_true(vec_push(a, &v)[0] == 0);
    assert_true(vec_at(a, &v, 1)[0] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(arena_zeroes_and_aligns),
        CHECK_TEST(scratch_copies_do_not_alarm),
        CHECK_TEST(arena_memory_is_zero_again),
        CHECK_TEST(a_cut_of_used_memory_is_zero),
        CHECK_TEST(arena_poisons_what_it_did_not_hand_out),
        CHECK_TEST(cut_of_a_store_is_found_again_and_given_back),
        CHECK_TEST(cuts_beyond_the_windows_are_cleared_too),
        CHECK_TEST(cut_of_what_is_small_is_exact),
        CHECK_TEST(arena_of_an_array_has_no_gaps),
        CHECK_TEST(vec_grows_with_others_in_between),
        CHECK_TEST(what_was_taken_away_is_zero_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
