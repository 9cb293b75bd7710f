/*
 * law_possible_results.c - whether two queries may have the same result,
 * against brute force: all results that either may have are written down and
 * looked for on the other side.
 *
 * Rows are small numbers, so that many are equal; blocks are as sort keys and
 * LIMIT make them: whole ones, and a last one that may be taken in part.
 */
#include "base/rng.h"
#include "check/possible_results.h"

#include <stdio.h>
#include <string.h>

enum {
    ROUNDS = 20000,
    MAX_ROWS = 6,
    MAX_COLUMNS = 3,
    MAX_RESULTS = 2000,
};

typedef struct result_set {
    int n;       // results
    int n_rows;  // of each
    char rows[MAX_RESULTS][MAX_ROWS * MAX_COLUMNS];
} result_set;

typedef struct world {
    rng random;
    arena_store store;
    result_set left;
    result_set right;
} world;

static possible_results random_outcome(rng *r,
                                       int n_columns,
                                       int values,
                                       arena *a)
{
    int n_rows = (int)rng_below(r, MAX_ROWS);
    int32_t *cells = arena_new(a, int32_t, n_rows * n_columns);
    for (int i = 0; i < n_rows * n_columns; i++) {
        cells[i] = (int32_t)rng_below(r, values);
    }
    result_block *blocks = arena_new(a, result_block, n_rows);
    int n_blocks = 0;
    for (int at = 0; at < n_rows;) {
        int size = 1 + (int)rng_below(r, n_rows - at);
        bool is_last = at + size == n_rows;
        int taken = is_last ? 1 + (int)rng_below(r, size) : size;
        blocks[n_blocks++] = (result_block){at, size, taken};
        at += size;
    }
    return (possible_results){
        .n_columns = n_columns,
        .n_rows = n_rows,
        .cells = cells,
        .blocks = blocks,
        .n_blocks = n_blocks,
    };
}

typedef struct listing {
    const possible_results *o;
    result_set *out;
    int rows[MAX_ROWS];  // chosen so far
    int n;
} listing;

static void list_results(listing *l, ptrdiff_t block, ptrdiff_t taken)
{
    if (block == l->o->n_blocks) {
        char *to = l->out->rows[l->out->n++ % MAX_RESULTS];
        ptrdiff_t width = l->o->n_columns;
        for (int i = 0; i < l->n; i++) {
            for (ptrdiff_t c = 0; c < width; c++) {
                to[i * width + c] = (char)l->o->cells[l->rows[i] * width + c];
            }
        }
        l->out->n_rows = l->n;
        return;
    }
    const result_block *b = &l->o->blocks[block];
    if (taken == b->taken) {
        list_results(l, block + 1, 0);
        return;
    }
    for (ptrdiff_t i = 0; i < b->supply; i++) {
        int row = (int)(b->start + i);
        bool is_free = true;
        for (int k = 0; k < l->n; k++) {
            is_free = is_free && l->rows[k] != row;
        }
        if (is_free) {
            l->rows[l->n++] = row;
            list_results(l, block, taken + 1);
            l->n--;
        }
    }
}

static void sort_rows(char *rows, int n, int width)
{
    char row[MAX_COLUMNS];
    size_t size = (size_t)width;
    for (int i = 1; i < n; i++) {
        for (int k = i;
             k > 0
             && memcmp(rows + k * width, rows + (k - 1) * width, size) < 0;
             k--) {
            memcpy(row, rows + k * width, size);
            memcpy(rows + k * width, rows + (k - 1) * width, size);
            memcpy(rows + (k - 1) * width, row, size);
        }
    }
}

static bool is_found(const char *rows, int n, int width, const result_set *in)
{
    for (int i = 0; i < in->n; i++) {
        if (memcmp(rows, in->rows[i], (size_t)(n * width)) == 0) {
            return true;
        }
    }
    return false;
}

static bool shares_result(const world *w,
                          int width,
                          bool as_lists,
                          const int *columns)
{
    static result_set sorted;
    if (w->left.n_rows != w->right.n_rows) {
        return false;
    }
    int n = w->left.n_rows;
    sorted = w->left;
    for (int i = 0; !as_lists && i < sorted.n; i++) {
        sort_rows(sorted.rows[i], n, width);
    }
    for (int i = 0; i < w->right.n; i++) {
        char rows[MAX_ROWS * MAX_COLUMNS];
        for (int k = 0; k < n * width; k++) {
            rows[k] = w->right.rows[i][k - k % width + columns[k % width]];
        }
        if (!as_lists) {
            sort_rows(rows, n, width);
        }
        if (is_found(rows, n, width, &sorted)) {
            return true;
        }
    }
    return false;
}

static bool by_brute_force(const world *w,
                           int width,
                           bool as_lists,
                           bool by_position)
{
    static const int orders[][MAX_COLUMNS] = {
        {0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0},
    };
    int n = by_position || width == 1 ? 1 : width == 2 ? 2 : 6;
    for (int i = 0; i < n; i++) {
        if (shares_result(w, width, as_lists, orders[i])) {
            return true;
        }
    }
    return false;
}

static bool one_round(world *w, int *n_true)
{
    arena a = arena_store_clear(&w->store);
    int width = 1 + (int)rng_below(&w->random, MAX_COLUMNS);
    int values = 1 + (int)rng_below(&w->random, 3);
    possible_results l = random_outcome(&w->random, width, values, &a);
    possible_results r = random_outcome(&w->random, width, values, &a);
    bool as_lists = rng_below(&w->random, 2) == 0;
    bool by_position = rng_below(&w->random, 2) == 0;
    w->left.n = w->right.n = 0;
    list_results(&(listing){.o = &l, .out = &w->left}, 0, 0);
    list_results(&(listing){.o = &r, .out = &w->right}, 0, 0);
    int32_t columns[MAX_COLUMNS];
    bool got = possible_results_may_coincide(&l, &r, as_lists, by_position,
                                             columns, a);
    bool want = by_brute_force(w, width, as_lists, by_position);
    *n_true += want;
    // Fixed: all results are one bag.
    result_set bags = w->left;
    bool is_fixed = true;
    for (int i = 0; i < bags.n; i++) {
        sort_rows(bags.rows[i], bags.n_rows, width);
        is_fixed =
            is_fixed
            && memcmp(bags.rows[i], bags.rows[0], (size_t)(bags.n_rows * width))
                   == 0;
    }
    return got == want && possible_results_are_one(&l, a) == is_fixed;
}

int main(void)
{
    static world w = {.random = {5}};
    if (!arena_store_open(&w.store, (ptrdiff_t)1 << 30)) {
        return 1;
    }
    int failures = 0;
    int n_true = 0;
    for (int i = 0; i < ROUNDS; i++) {
        failures += !one_round(&w, &n_true);
    }
    arena_store_close(&w.store);
    printf("%d rounds, %d may coincide, %d wrong\n", ROUNDS, n_true, failures);
    return failures != 0 || n_true < ROUNDS / 20;
}
