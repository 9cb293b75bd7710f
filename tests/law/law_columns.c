/*
 * law_columns.c - tables whose columns look alike are still decided, exactly
 * and soon: identical columns, columns that are permutations of each other,
 * truth values, latin squares.
 *
 * Each case is a gold table and two predictions made from it with rows and
 * columns shuffled: one that is equal, and one that is not although each
 * column alone is found in it. Both are also widened by columns of noise, for
 * subset. None may end as unknown.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "base/rng.h"
#include "evaluators/evaluator.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_COLUMNS = 40,
    MAX_ROWS = 4096,
    NOISE = 6,  // columns
};

typedef struct grid {
    int n_rows;
    int n_columns;
    int *cells;
} grid;

typedef struct world {
    rng random;
    arena memory;
    arena_store scratch;
    int failures;
} world;

static grid grid_new(world *w, int n_rows, int n_columns)
{
    return (grid){n_rows, n_columns,
                  arena_new(&w->memory, int, (ptrdiff_t)n_rows *n_columns)};
}

static int *cell(const grid *g, int r, int c)
{
    return &g->cells[r * g->n_columns + c];
}

static void shuffle(world *w, int *numbers, int n)
{
    for (int i = 0; i < n; i++) {
        numbers[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        int k = (int)rng_below(&w->random, i + 1);
        int swap = numbers[i];
        numbers[i] = numbers[k];
        numbers[k] = swap;
    }
}

// Rows and columns in another order, `noise` columns of small numbers among
// them.
static grid shuffled(world *w, const grid *g, int noise)
{
    int rows[MAX_ROWS];
    int columns[MAX_COLUMNS];
    grid out = grid_new(w, g->n_rows, g->n_columns + noise);
    shuffle(w, rows, out.n_rows);
    shuffle(w, columns, out.n_columns);
    for (int r = 0; r < out.n_rows; r++) {
        for (int c = 0; c < out.n_columns; c++) {
            *cell(&out, rows[r], columns[c]) =
                c < g->n_columns ? *cell(g, r, c)
                                 : (int)rng_below(&w->random, 2);
        }
    }
    return out;
}

static table table_of(world *w, const grid *g)
{
    value *cells =
        arena_new(&w->memory, value, (ptrdiff_t)g->n_rows * g->n_columns);
    for (int i = 0; i < g->n_rows * g->n_columns; i++) {
        cells[i] = value_int(g->cells[i]);
    }
    return (table){.n_rows = g->n_rows,
                   .n_columns = g->n_columns,
                   .names = arena_new(&w->memory, str, g->n_columns),
                   .cells = cells};
}

static void expect(world *w,
                   const char *what,
                   const grid *gold,
                   const grid *pred,
                   answer expected)
{
    const compare_options o = {0};
    table g = table_of(w, gold);
    table p = table_of(w, pred);
    arena scratch = arena_store_clear(&w->scratch);
    int64_t start = clock_cpu_ns();
    verdict v =
        gold->n_columns == pred->n_columns
            ? compare_exec(RULES_ASSAY, &g, &p, &o, &w->memory, scratch)
            : compare_subset(RULES_ASSAY, &g, &p, &o, &w->memory, scratch);
    double ms = (double)(clock_cpu_ns() - start) / 1e6;
    str word = answer_word(v.v);
    printf("%-4s %5d x %d, %d %7.1f ms  %s: %.*s\n",
           v.v == expected ? "ok" : "FAIL", gold->n_rows, gold->n_columns,
           pred->n_columns, ms, what, STR_ARG(word));
    w->failures += v.v != expected;
}

static void check(world *w,
                  const char *what,
                  const grid *gold,
                  const grid *other)
{
    arena start = w->memory;
    for (int noise = 0; noise <= NOISE; noise += NOISE) {
        grid same = shuffled(w, gold, noise);
        expect(w, what, gold, &same, ANSWER_YES);
        grid different = shuffled(w, other, noise);
        expect(w, what, gold, &different, ANSWER_NO);
    }
    w->memory = start;
}

static void check_identical(world *w)
{
    grid gold = grid_new(w, 1000, 20);
    grid other = grid_new(w, 1000, 20);
    for (int r = 0; r < 1000; r++) {
        for (int c = 0; c < 20; c++) {
            *cell(&gold, r, c) = r + 2;
            // In one column the rows are turned round.
            *cell(&other, r, c) = c == 7 ? 1001 - r : r + 2;
        }
    }
    check(w, "identical columns", &gold, &other);
}

static void check_facing_pairs(world *w)
{
    grid gold = grid_new(w, 2, 26);
    grid other = grid_new(w, 2, 26);
    for (int c = 0; c < 26; c++) {
        *cell(&gold, 0, c) = 2 + (c < 13);
        *cell(&gold, 1, c) = 3 - (c < 13);
        *cell(&other, 0, c) = 2 + (c < 12);
        *cell(&other, 1, c) = 3 - (c < 12);
    }
    check(w, "two rows, columns either way", &gold, &other);
}

static void check_one_hot(world *w)
{
    grid gold = grid_new(w, 26, 26);
    grid other = grid_new(w, 26, 26);
    for (int c = 0; c < 26; c++) {
        *cell(&gold, c, c) = 5;
        *cell(&other, c == 3 ? 4 : c, c) = 5;
    }
    check(w, "a single mark in each column", &gold, &other);
}

static void check_truth_values(world *w)
{
    grid gold = grid_new(w, 300, 26);
    grid other = grid_new(w, 300, 26);
    for (int i = 0; i < 300 * 26; i++) {
        gold.cells[i] = (int)rng_below(&w->random, 2);
        other.cells[i] = gold.cells[i];
    }
    // Two different cells of one column change places.
    int r = 1;
    while (*cell(&other, r, 9) == *cell(&other, 0, 9)) {
        r++;
    }
    *cell(&other, 0, 9) = *cell(&gold, r, 9);
    *cell(&other, r, 9) = *cell(&gold, 0, 9);
    check(w, "random truth values", &gold, &other);
}

// The tables of two groups of 16 elements: cyclic, and of order two.
static void check_latin_squares(world *w)
{
    grid gold = grid_new(w, 16, 16);
    grid other = grid_new(w, 16, 16);
    for (int r = 0; r < 16; r++) {
        for (int c = 0; c < 16; c++) {
            *cell(&gold, r, c) = 2 + (r + c) % 16;
            *cell(&other, r, c) = 2 + (r ^ c);
        }
    }
    check(w, "latin squares", &gold, &other);
}

// All rows of an even, and of an odd number of ones: any eleven columns of the
// two are equal.
static void check_parity(world *w)
{
    grid gold = grid_new(w, 1 << 11, 12);
    grid other = grid_new(w, 1 << 11, 12);
    for (int r = 0; r < 1 << 11; r++) {
        for (int c = 0; c < 12; c++) {
            int bit = c < 11 ? r >> c & 1 : __builtin_parity((unsigned)r);
            *cell(&gold, r, c) = 2 + bit;
            *cell(&other, r, c) = 2 + (c < 11 ? bit : 1 - bit);
        }
    }
    check(w, "even and odd rows", &gold, &other);
}

int main(void)
{
    world w = {.random.state = 20231};
    arena_store memory;
    if (!arena_store_open(&memory, 1 << 28)
        || !arena_store_open(&w.scratch, 1 << 28)) {
        return 2;
    }
    w.memory = arena_store_clear(&memory);
    check_identical(&w);
    check_facing_pairs(&w);
    check_one_hot(&w);
    check_truth_values(&w);
    check_latin_squares(&w);
    check_parity(&w);
    arena_store_close(&memory);
    arena_store_close(&w.scratch);
    return w.failures == 0 ? 0 : 1;
}
