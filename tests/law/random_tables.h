/*
 * random_tables.h - small random pairs of result tables for the law tests.
 *
 * A pred is often the gold with a few changes, since two random tables are
 * nearly never equal. Everything comes from one seed.
 */
#ifndef ASSAY_TESTS_RANDOM_TABLES_H
#define ASSAY_TESTS_RANDOM_TABLES_H

#include "base/rng.h"
#include "evaluators/evaluator.h"

#include <stdio.h>
#include <string.h>

enum {
    RANDOM_ROWS = 7,     // of a gold, at most
    RANDOM_COLUMNS = 4,  // likewise
    MAX_ROWS = 2 * RANDOM_ROWS + 2,
    MAX_COLUMNS = RANDOM_COLUMNS + 2,
};

typedef struct random_pair {
    table gold;
    table pred;
    bool is_ordered;
} random_pair;

// What a column may hold; letters are the keys of random_value.
static const char *const random_palettes[] = {
    "i",  "i",   "in", "r",  "rn",   "ir",    "irn",     "t",     "t", "tn",
    "b",  "bn",  "d",  "dn", "s",    "sn",    "x",       "ti",    "n", "xt",
    "ib", "irb", "ts", "ds", "irtn", "irtxn", "irtbdsn", "ibirb",
};

static inline value random_int(rng *r)
{
    static const int64_t ints[] = {0, 1, 2, 3, 10, 100, -1, -99999, 1000003};
    static const int64_t big[] = {9007199254740992, 9007199254740993,
                                  1000000000};
    return value_int(rng_below(r, 12) == 0 ? big[rng_below(r, countof(big))]
                                           : ints[rng_below(r, countof(ints))]);
}

static inline value random_real(rng *r)
{
    static const double reals[] = {
        0.0,  -0.0,      1.0,       2.0,   10.0,     0.5,
        2.25, 1.0000001, 1.009,     100.0, -99999.0, 1000003.0,
        1e16, 0.1,       1000000.5, 0.501, 1.00001,  9007199254740992.0,
    };
    return value_real(reals[rng_below(r, countof(reals))]);
}

static inline value random_text(rng *r)
{
    static const char *const texts[] = {
        "",  "a",    "b", "A",    "a ",   "1",   "10",  "1.0", "NA",  "nan",
        "0", "True", "é", "true", "None", "0.5", "1e2", "+1",  " 10",
    };
    return value_text(str_from(texts[rng_below(r, countof(texts))]));
}

static inline value random_value(rng *r, const char *palette)
{
    static const char *const blobs[] = {"a", "b", "\x01'", "1"};
    int64_t small = rng_below(r, 3);
    switch (palette[rng_below(r, (ptrdiff_t)strlen(palette))]) {
    case 'i': return random_int(r);
    case 'r': return random_real(r);
    case 't': return random_text(r);
    case 'b': return (value){.i = small & 1, .kind = VALUE_BOOL};
    case 'd': return (value){.i = 19358 + small, .kind = VALUE_DATE};
    case 's':
        return (value){.i = (19358 + small) * (int64_t)86400 * 1000000,
                       .kind = VALUE_TIMESTAMP};
    case 'x': return value_blob(str_from(blobs[rng_below(r, countof(blobs))]));
    default: return value_null();
    }
}

static inline str random_name(rng *r)
{
    static const char *const names[] = {"a", "b", "A",  "id",
                                        "c", "d", "aa", "name"};
    return str_from(names[rng_below(r, countof(names))]);
}

static inline table random_table(arena *a, rng *r)
{
    table t = {.n_rows = rng_below(r, RANDOM_ROWS + 1),
               .n_columns = 1 + rng_below(r, RANDOM_COLUMNS)};
    str *names = arena_new(a, str, t.n_columns);
    value *cells = arena_new(a, value, MAX_ROWS * MAX_COLUMNS);
    for (ptrdiff_t c = 0; c < t.n_columns; c++) {
        const char *palette =
            random_palettes[rng_below(r, countof(random_palettes))];
        names[c] = random_name(r);
        for (ptrdiff_t i = 0; i < t.n_rows; i++) {
            cells[i * t.n_columns + c] = random_value(r, palette);
        }
    }
    t.names = names;
    t.cells = cells;
    return t;
}

// Columns from `from`, with repetitions, rows likewise.
static inline table picked(arena *a,
                           const table *t,
                           const ptrdiff_t *rows,
                           ptrdiff_t n_rows,
                           const ptrdiff_t *columns,
                           ptrdiff_t n_columns)
{
    str *names = arena_new(a, str, n_columns);
    value *cells = arena_new(a, value, n_rows * n_columns);
    for (ptrdiff_t c = 0; c < n_columns; c++) {
        names[c] = t->names[columns[c]];
        for (ptrdiff_t i = 0; i < n_rows; i++) {
            cells[i * n_columns + c] =
                t->cells[rows[i] * t->n_columns + columns[c]];
        }
    }
    return (table){n_rows, n_columns, names, cells, false};
}

static inline ptrdiff_t random_order(rng *r, ptrdiff_t *out, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t j = rng_below(r, i + 1);
        out[i] = out[j];
        out[j] = i;
    }
    return n;
}

static inline ptrdiff_t in_order(ptrdiff_t *out, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        out[i] = i;
    }
    return n;
}

// The same rows and columns, sometimes in another order, with repetitions or
// losses.
static inline table shuffled(arena *a, rng *r, const table *t)
{
    ptrdiff_t rows[MAX_ROWS];
    ptrdiff_t columns[MAX_COLUMNS];
    ptrdiff_t n_rows = rng_below(r, 2) ? random_order(r, rows, t->n_rows)
                                       : in_order(rows, t->n_rows);
    ptrdiff_t n_columns = rng_below(r, 2)
                              ? random_order(r, columns, t->n_columns)
                              : in_order(columns, t->n_columns);
    if (t->n_rows > 0 && rng_below(r, 4) == 0) {
        rows[n_rows++] = rng_below(r, t->n_rows);
    }
    if (n_rows > 0 && rng_below(r, 6) == 0) {
        n_rows--;
    }
    if (rng_below(r, 6) == 0) {
        columns[n_columns++] = rng_below(r, t->n_columns);
    }
    return picked(a, t, rows, n_rows, columns, n_columns);
}

// A number of the same or nearly the same value, another kind of number.
static inline value changed(rng *r, value v)
{
    switch (rng_below(r, 4)) {
    case 0: return random_value(r, "irtn");
    case 1:
        if (v.kind == VALUE_INT) {
            return value_real((double)v.i);
        }
        if (v.kind == VALUE_REAL && v.real < 1e15) {
            return value_int((int64_t)v.real);
        }
        return v;
    case 2: return v.kind == VALUE_REAL ? value_real(v.real * 1.000001) : v;
    default: return v;
    }
}

// All numbers of some columns of t as real ones, or some cells changed.
static inline void mutate(rng *r, table *t, str *names, value *cells)
{
    ptrdiff_t n_cells = t->n_rows * t->n_columns;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        if (rng_below(r, 4) == 0) {
            names[c] = random_name(r);
        }
        if (rng_below(r, 6) != 0) {
            continue;
        }
        for (ptrdiff_t i = c; i < n_cells; i += t->n_columns) {
            if (cells[i].kind == VALUE_INT) {
                cells[i] = value_real((double)cells[i].i);
            }
        }
    }
    if (n_cells > 0 && rng_below(r, 2)) {
        ptrdiff_t i = rng_below(r, n_cells);
        cells[i] = changed(r, cells[i]);
    }
}

static inline random_pair random_tables(arena *a, rng *r)
{
    random_pair p = {.is_ordered = rng_below(r, 2)};
    p.gold = random_table(a, r);
    if (rng_below(r, 8) == 0) {
        p.pred = random_table(a, r);
        return p;
    }
    table t = shuffled(a, r, &p.gold);
    str *names = arena_new(a, str, t.n_columns);
    value *cells = arena_new(a, value, t.n_rows * t.n_columns);
    memcpy(names, t.names, (size_t)t.n_columns * sizeof *names);
    if (t.n_rows > 0) {
        memcpy(cells, t.cells,
               (size_t)(t.n_rows * t.n_columns) * sizeof *cells);
    }
    mutate(r, &t, names, cells);
    t.names = names;
    t.cells = cells;
    p.pred = t;
    return p;
}

// Equal as Python's == says of what the driver returns. A long double holds
// any integer of 64 bits and any double exactly.
static inline bool plainly_equal(value a, value b)
{
    if (value_is_number(a) && value_is_number(b)) {
        long double x =
            a.kind == VALUE_REAL ? (long double)a.real : (long double)a.i;
        long double y =
            b.kind == VALUE_REAL ? (long double)b.real : (long double)b.i;
        return x == y;
    }
    if (a.kind != b.kind) {
        return false;
    }
    return value_has_bytes(a) ? str_equal(value_bytes(a), value_bytes(b))
                              : a.kind == VALUE_NULL || a.i == b.i;
}

// Both tables for a failing law.
static inline void show_pair(arena a, const random_pair *p)
{
    const table *tables[] = {&p->gold, &p->pred};
    for (int i = 0; i < 2; i++) {
        printf("%s:", i == 0 ? "gold" : "pred");
        for (ptrdiff_t c = 0; c < tables[i]->n_columns; c++) {
            printf(" %.*s", STR_ARG(tables[i]->names[c]));
        }
        printf("\n");
        for (ptrdiff_t r = 0; r < tables[i]->n_rows; r++) {
            str row = table_show_row(&a, tables[i], r);
            printf("  %.*s\n", STR_ARG(row));
        }
    }
}

// What a law test asks of one pair. Says on stdout what is wrong, if anything.
typedef bool pair_law(const random_pair *p, rng *r, arena a, arena scratch);

// The exit code of a law test: 0 when `holds` is true of n random pairs.
static inline int check_pairs(uint64_t seed, int n, pair_law *holds)
{
    enum {
        MOST_FAILURES = 5
    };
    arena_store stores[2];
    if (!arena_store_open(&stores[0], (ptrdiff_t)1 << 28)
        || !arena_store_open(&stores[1], (ptrdiff_t)1 << 28)) {
        return 1;
    }
    printf("seed %llu, %d pairs of tables\n", (unsigned long long)seed, n);
    rng r = {seed};
    int n_failures = 0;
    arena whole = arena_store_clear(&stores[0]);
    arena scratch = arena_store_clear(&stores[1]);
    for (int i = 0; i < n && n_failures < MOST_FAILURES; i++) {
        arena a = whole;
        random_pair p = random_tables(&a, &r);
        if (!holds(&p, &r, a, scratch)) {
            printf("pair %d, %s:\n", i,
                   p.is_ordered ? "ordered" : "not ordered");
            show_pair(a, &p);
            n_failures++;
        }
    }
    arena_store_close(&stores[0]);
    arena_store_close(&stores[1]);
    return n_failures > 0;
}

#endif  // ASSAY_TESTS_RANDOM_TABLES_H
