// t_map.c - names to numbers, and the hashes that they are found by.
#include "base/hash.h"
#include "base/map.h"
#include "check.h"

static void map_numbers_keys_in_order(void **state)
{
    arena *a = check_arena(state);
    map m = {0};
    assert_int_equal(map_find(&m, S("a")), -1);
    for (int i = 0; i < 3000; i++) {
        str key = arena_printf(a, "key %d", i);
        assert_int_equal(map_add(&m, a, key), i);
        assert_int_equal(map_add(&m, a, key), i);
    }
    assert_int_equal(map_count(&m), 3000);
    assert_int_equal(map_add(&m, a, S("")), 3000);
    assert_int_equal(map_find(&m, S("")), 3000);
    assert_int_equal(map_find(&m, S("key 2999")), 2999);
    assert_int_equal(map_find(&m, S("key 3000")), -1);
    check_text(map_key_at(&m, 17), "key 17");
}

static void map_may_ignore_case(void **state)
{
    arena *a = check_arena(state);
    map m = {.ignores_case = true};
    for (int i = 0; i < 300; i++) {  // up to 307 bytes
        assert_int_equal(map_add(&m, a, arena_printf(a, "Key %0*d", i, i)), i);
    }
    for (int i = 0; i < 300; i++) {
        str key = arena_printf(a, "kEY %0*d", i, i);
        assert_int_equal(map_add(&m, a, key), i);
        assert_int_equal(map_find(&m, key), i);
    }
    check_text(map_key_at(&m, 17), "Key 00000000000000017");
    assert_int_equal(map_add(&m, a, S("\xc3\xa9")), 300);
    assert_int_equal(map_find(&m, S("\xc3\x89")), -1);  // ASCII only
    assert_int_equal(map_find(&m, S("")), -1);
}

static void hash_depends_on_all(void **state)
{
    (void)state;
    assert_true(hash64(S("a")) != hash64(S("b")));
    assert_true(hash64((str){0}) == hash64(S("")));
    assert_true(hash_mix(1, 2) != hash_mix(2, 1));
    char hex[17];
    hash64_hex(0xabc, hex);
    assert_string_equal(hex, "0000000000000abc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(map_numbers_keys_in_order),
        CHECK_TEST(map_may_ignore_case),
        CHECK_TEST(hash_depends_on_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
