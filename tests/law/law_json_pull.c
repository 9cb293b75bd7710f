/*
 * law_json_pull.c - reading without a tree says what reading with one says.
 *
 * Laws        What json_parse reads, json_pull reads, and both print the same.
 *             A text with a changed, lost or added byte is never read out of
 *             bounds, and skipping it as a whole ends at its end or fails.
 *
 * Usage       law_json_pull [SEED [TEXTS]]
 */
#include "base/json.h"
#include "base/json_pull.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 4,
    DEFAULT_SEED = 4711,
    DEFAULT_TEXTS = 20000,
    STORE_BYTES = 1 << 26,
};

static void add_value(buf *b, rng *r, int depth);

// A string as a writer might write it, with every kind of escape.
static void add_string(buf *b, rng *r)
{
    static const char *const pieces[] = {
        "a",
        "é",
        "\xF0\x9F\x98\x80",
        "\\n",
        "\\\"",
        "\\\\",
        "\\/",
        "\\u0041",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\b\\f",
        "]},{",
        " ",
        "\\t\\r",
        "\\u0000",
    };
    buf_char(b, '"');
    for (ptrdiff_t n = rng_below(r, 5); n > 0; n--) {
        buf_add(b, str_from(pieces[rng_below(r, countof(pieces))]));
    }
    buf_char(b, '"');
}

static void add_members(buf *b, rng *r, int depth, bool has_keys)
{
    ptrdiff_t n = rng_below(r, 4);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(b, i > 0 ? S(" ,") : S(""));
        if (has_keys) {
            // Keys that differ: of equal ones json_parse keeps one.
            buf_printf(b, "\"k%td\\u0041\" :", i);
        }
        add_value(b, r, depth + 1);
    }
}

static void add_value(buf *b, rng *r, int depth)
{
    static const char *const scalars[] = {"null", "true", "false", "0",
                                          "-12",  "3.5",  "1e3",   "-2.5E-2"};
    ptrdiff_t kind = rng_below(r, depth < MAX_DEPTH ? 5 : 3);
    buf_add(b, rng_below(r, 4) == 0 ? S(" \n") : S(""));
    if (kind == 4) {
        buf_char(b, '{');
        add_members(b, r, depth, true);
        buf_char(b, '}');
    } else if (kind == 3) {
        buf_char(b, '[');
        add_members(b, r, depth, false);
        buf_add(b, S(" ]"));
    } else if (kind == 2) {
        add_string(b, r);
    } else {
        buf_add(b, str_from(scalars[rng_below(r, countof(scalars))]));
    }
}

// Reads the next value and prints it as json_add would.
static void print_pulled(buf *b, json_pull *s, arena *a, int depth)
{
    char next = json_pull_peek(s);
    if (depth > 2 * MAX_DEPTH) {
        json_pull_skip(s);
    } else if (next == '{') {
        buf_char(b, '{');
        for (json_pull_open(s, '{'); json_pull_next(s, '}');) {
            json_key(b, json_pull_key(s, a));
            print_pulled(b, s, a, depth + 1);
        }
        buf_char(b, '}');
    } else if (next == '[') {
        buf_char(b, '[');
        for (json_pull_open(s, '['); json_pull_next(s, ']');) {
            json_next(b);
            print_pulled(b, s, a, depth + 1);
        }
        buf_char(b, ']');
    } else if (next == '"') {
        json_add_text(b, json_pull_scalar(s, a));
    } else if (next == '-' || is_digit(next)) {
        json_add_double(b, json_pull_number(s, 0));
    } else {
        str word = json_pull_scalar(s, a);
        buf_add(b, word.len > 0 ? word : S("null"));
    }
}

// As json_add, but all numbers as decimals.
static void print_tree(buf *b, const json *j)
{
    bool is_list = j->kind == JSON_KIND_ARRAY;
    if (is_list || j->kind == JSON_KIND_OBJECT) {
        buf_char(b, is_list ? '[' : '{');
        for (const json *m = j->child; m; m = m->next) {
            if (is_list) {
                json_next(b);
            } else {
                json_key(b, m->key);
            }
            print_tree(b, m);
        }
        buf_char(b, is_list ? ']' : '}');
    } else if (j->kind == JSON_KIND_INT) {
        json_add_double(b, j->real);
    } else {
        json_add(b, j);
    }
}

typedef struct world {
    rng random;
    arena_store store;
    arena_store other;
    arena_store page;
} world;

static bool same_reading(world *w, str text)
{
    arena a = arena_store_clear(&w->other);
    arena page = arena_store_clear(&w->page);
    json_error error;
    const json *tree = json_parse(&a, text, &error);
    if (!tree) {
        printf("json_parse refuses: %s\n", error.message);
        return false;
    }
    buf wanted = buf_new(&page);
    print_tree(&wanted, tree);
    str want = arena_str(&a, buf_str(&wanted));
    buf got = buf_new(&page);
    json_pull s = json_pull_begin(text);
    print_pulled(&got, &s, &a, 0);
    json_pull skipped = json_pull_begin(text);
    json_pull_skip(&skipped);
    return json_pull_end(&s) && json_pull_end(&skipped)
           && str_equal(want, buf_str(&got));
}

// One byte changed, lost or doubled, in memory of exactly that size.
static void read_broken(world *w, str text)
{
    arena a = arena_store_clear(&w->other);
    arena page = arena_store_clear(&w->page);
    ptrdiff_t at = rng_below(&w->random, text.len);
    ptrdiff_t from = rng_below(&w->random, 3);
    char byte = "\"\\{}[],:x0u\n"[rng_below(&w->random, 12)];
    char *copy = malloc((size_t)text.len + 1);
    if (!copy) {
        abort();
    }
    memcpy(copy, text.ptr, (size_t)at);
    copy[at] = byte;
    ptrdiff_t rest = at + from > text.len ? text.len : at + from;
    memcpy(copy + at + 1, text.ptr + rest, (size_t)(text.len - rest));
    str broken = {copy, at + 1 + text.len - rest};
    json_pull s = json_pull_begin(broken);
    buf out = buf_new(&page);
    print_pulled(&out, &s, &a, 0);
    s = json_pull_begin(broken);
    json_pull_skip(&s);
    (void)json_pull_end(&s);
    free(copy);
}

static bool open_stores(world *w)
{
    return arena_store_open(&w->store, STORE_BYTES)
           && arena_store_open(&w->other, STORE_BYTES)
           && arena_store_open(&w->page, STORE_BYTES);
}

int main(int argc, char **argv)
{
    int64_t seed = DEFAULT_SEED;
    int64_t texts = DEFAULT_TEXTS;
    if ((argc > 1 && !str_to_int(str_from(argv[1]), &seed))
        || (argc > 2 && !str_to_int(str_from(argv[2]), &texts))) {
        fputs("usage: law_json_pull [SEED [TEXTS]]\n", stderr);
        return 1;
    }
    world w = {.random = {(uint64_t)seed}};
    if (!open_stores(&w)) {
        return 1;
    }
    long failures = 0;
    for (int64_t i = 0; i < texts; i++) {
        arena a = arena_store_clear(&w.store);
        buf b = buf_new(&a);
        add_value(&b, &w.random, 0);
        if (!same_reading(&w, buf_str(&b))) {
            printf("differs: %.*s\n", STR_ARG(buf_str(&b)));
            failures++;
        }
        read_broken(&w, buf_str(&b));
    }
    printf("seed %lld: %lld texts, %ld failures\n", (long long)seed,
           (long long)texts, failures);
    return failures == 0 ? 0 : 1;
}
