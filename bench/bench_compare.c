/*
 * bench_compare.c - how long comparing two large result tables takes.
 *
 * Prints a line for each case: milliseconds of exec under the rules assay, or
 * of the comparison that is named (by the clock, and of processor time), the
 * verdict, and what the two tables are.
 * One thread; tables are made outside of the time.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "base/rng.h"
#include "evaluators/evaluator.h"

#include <stdio.h>
#include <string.h>

typedef struct bench {
    rng random;
    arena tables;
    arena_store scratch;
} bench;

typedef value make_cell(bench *b, ptrdiff_t row, ptrdiff_t column);

static value id_name_amount(bench *b, ptrdiff_t row, ptrdiff_t column)
{
    switch (column) {
    case 0: return value_int(row);
    case 1:
        return value_text(arena_printf(&b->tables, "name-%td",
                                       rng_below(&b->random, 300000)));
    default: return value_real((double)rng_below(&b->random, 1000000) / 100.0);
    }
}

static value whole_numbers(bench *b, ptrdiff_t row, ptrdiff_t column)
{
    (void)row;
    return value_int(rng_below(&b->random, column == 0 ? 1000000000 : 1000));
}

static value same_in_all_columns(bench *b, ptrdiff_t row, ptrdiff_t column)
{
    (void)b;
    (void)column;
    return value_int(row % 977);
}

static value truth_values(bench *b, ptrdiff_t row, ptrdiff_t column)
{
    (void)row;
    (void)column;
    return value_int(rng_below(&b->random, 2));
}

// Rows are all the bit patterns with an even number of ones.
static value even_patterns(bench *b, ptrdiff_t row, ptrdiff_t column)
{
    (void)b;
    return value_int(column == 0 ? __builtin_parityll((unsigned long long)row)
                                 : row >> (column - 1) & 1);
}

static value odd_patterns(bench *b, ptrdiff_t row, ptrdiff_t column)
{
    value even = even_patterns(b, row, column);
    return column == 0 ? value_int(1 - even.i) : even;
}

static table make_table(bench *b,
                        ptrdiff_t n_rows,
                        ptrdiff_t n_columns,
                        make_cell *make)
{
    table t = {.n_rows = n_rows, .n_columns = n_columns};
    t.names = arena_new(&b->tables, str, n_columns);
    value *cells = arena_new(&b->tables, value, n_rows * n_columns);
    for (ptrdiff_t r = 0; r < n_rows; r++) {
        for (ptrdiff_t c = 0; c < n_columns; c++) {
            cells[r * n_columns + c] = make(b, r, c);
        }
    }
    t.cells = cells;
    return t;
}

static void shuffle(bench *b, ptrdiff_t *numbers, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        numbers[i] = i;
    }
    for (ptrdiff_t i = n - 1; i > 0; i--) {
        ptrdiff_t k = rng_below(&b->random, i + 1);
        ptrdiff_t swap = numbers[i];
        numbers[i] = numbers[k];
        numbers[k] = swap;
    }
}

typedef value change_cell(value v, ptrdiff_t row);

static value same(value v, ptrdiff_t row)
{
    (void)row;
    return v;
}

static value last_digits_off(value v, ptrdiff_t row)
{
    return v.kind == VALUE_REAL
               ? value_real(v.real * (1 + 1e-13 * (double)(row % 100)))
               : v;
}

static value one_off(value v, ptrdiff_t row)
{
    return row == 1234 && v.kind == VALUE_INT ? value_int(v.i + 1) : v;
}

typedef enum column_order {
    COLUMNS_SHUFFLED,
    COLUMNS_KEPT,
} column_order;

// The same table with rows shuffled and cells changed.
static table make_changed(bench *b,
                          const table *t,
                          column_order order,
                          change_cell *change)
{
    ptrdiff_t *rows = arena_new(&b->tables, ptrdiff_t, t->n_rows);
    ptrdiff_t *columns = arena_new(&b->tables, ptrdiff_t, t->n_columns);
    shuffle(b, rows, t->n_rows);
    shuffle(b, columns, t->n_columns);
    for (ptrdiff_t c = 0; order == COLUMNS_KEPT && c < t->n_columns; c++) {
        columns[c] = c;
    }
    table out = *t;
    value *cells = arena_new(&b->tables, value, t->n_rows * t->n_columns);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            cells[rows[r] * t->n_columns + columns[c]] =
                change(table_at(t, r, c), r);
        }
    }
    out.cells = cells;
    return table_copy(&b->tables, &out);  // with its texts in their order
}

static table make_shuffled(bench *b, const table *t, change_cell *change)
{
    return make_changed(b, t, COLUMNS_SHUFFLED, change);
}

// One of the comparisons, as a function of two tables.
typedef struct subject {
    const char *name;
    verdict (*compare)(rules r,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch);
    rules rules;
} subject;

static void measure_subject(bench *b,
                            const subject *s,
                            const char *what,
                            const table *gold,
                            const table *pred,
                            const compare_options *o)
{
    arena scratch = arena_store_clear(&b->scratch);
    arena result = b->tables;
    int64_t start = clock_ns();
    int64_t start_cpu = clock_cpu_ns();
    verdict v = s->compare(s->rules, gold, pred, o, &result, scratch);
    double cpu_ms = (double)(clock_cpu_ns() - start_cpu) / 1e6;
    double ms = (double)(clock_ns() - start) / 1e6;
    str word = v.v == ANSWER_NO ? reason_word(v.reason) : answer_word(v.v);
    printf("%9.1f ms %9.1f ms cpu  %-13.*s %s%s\n", ms, cpu_ms, STR_ARG(word),
           s->name, what);
    fflush(stdout);
}

static void measure(bench *b,
                    const char *what,
                    const table *gold,
                    const table *pred,
                    const compare_options *o)
{
    const subject exec = {"", compare_exec, RULES_ASSAY};
    measure_subject(b, &exec, what, gold, pred, o);
}

static void bench_size(bench *b)
{
    const compare_options bags = {0};
    const compare_options lists = {.is_ordered = true};
    const compare_options sets = {.rows_are_sets = true};
    arena start = b->tables;
    table gold = make_table(b, 1000000, 3, id_name_amount);
    table pred = make_shuffled(b, &gold, same);
    measure(b, "1,000,000 x 3 (id, name, amount), shuffled", &gold, &pred,
            &bags);
    measure(b, "the same as sets of rows", &gold, &pred, &sets);
    measure(b, "the same as lists", &gold, &pred, &lists);
    measure(b, "the table and itself as lists", &gold, &gold, &lists);
    pred = make_shuffled(b, &gold, one_off);
    measure(b, "shuffled, one number off", &gold, &pred, &bags);
    pred = make_shuffled(b, &gold, last_digits_off);
    measure(b, "shuffled, amounts off by up to 1e-11", &gold, &pred, &bags);
    b->tables = start;
    gold = make_table(b, 1000000, 3, whole_numbers);
    pred = make_shuffled(b, &gold, same);
    measure(b, "1,000,000 x 3 whole numbers, shuffled", &gold, &pred, &bags);
    b->tables = start;
}

static void bench_columns(bench *b)
{
    const compare_options bags = {0};
    arena start = b->tables;
    table gold = make_table(b, 10000, 20, same_in_all_columns);
    table pred = make_shuffled(b, &gold, same);
    measure(b, "10,000 x 20 identical columns", &gold, &pred, &bags);
    pred = make_shuffled(b, &gold, one_off);
    measure(b, "the same, one row off", &gold, &pred, &bags);
    b->tables = start;
    gold = make_table(b, 10000, 26, truth_values);
    pred = make_shuffled(b, &gold, same);
    measure(b, "10,000 x 26 random truth values, shuffled", &gold, &pred,
            &bags);
    gold = make_table(b, 1000000, 26, truth_values);
    pred = make_shuffled(b, &gold, same);
    measure(b, "1,000,000 x 26 random truth values, shuffled", &gold, &pred,
            &bags);
    b->tables = start;
    gold = make_table(b, 1 << 15, 16, even_patterns);
    pred = make_table(b, 1 << 15, 16, odd_patterns);
    measure(b, "all 16-bit rows of even parity, all of odd", &gold, &pred,
            &bags);
    b->tables = start;
}

static verdict soft_f1(rules r,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch)
{
    (void)r;
    (void)o;
    return compare_soft_f1(gold, pred, a, scratch);
}

static verdict cell_f1(rules r,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch)
{
    (void)r;
    (void)o;
    return compare_cell_f1(gold, pred, a, scratch);
}

static value whole_as_real(value v, ptrdiff_t row)
{
    (void)row;
    return v.kind == VALUE_INT ? value_real((double)v.i) : v;
}

static void bench_rules(bench *b)
{
    static const subject subjects[] = {
        {"spider", compare_exec, RULES_SPIDER},
        {"bird", compare_exec, RULES_BIRD},
        {"spider2", compare_exec, RULES_SPIDER2},
        {"defog", compare_exec, RULES_DEFOG},
        {"defog subset", compare_subset, RULES_DEFOG},
        {"soft_f1", soft_f1, RULES_ASSAY},
        {"cell_f1", cell_f1, RULES_ASSAY},
    };
    const compare_options bags = {0};
    arena start = b->tables;
    static const str names[] = {{"id", 2}, {"name", 4}, {"amount", 6}};
    table gold = make_table(b, 1000000, 3, id_name_amount);
    gold.names = names;  // defog cares for names
    table same_rows = make_changed(b, &gold, COLUMNS_KEPT, same);
    table other_row = make_changed(b, &gold, COLUMNS_KEPT, one_off);
    table reals = make_changed(b, &gold, COLUMNS_KEPT, whole_as_real);
    table near = make_changed(b, &gold, COLUMNS_KEPT, last_digits_off);
    for (ptrdiff_t i = 0; i < countof(subjects); i++) {
        const subject *s = &subjects[i];
        measure_subject(b, s, ": rows shuffled", &gold, &same_rows, &bags);
        measure_subject(b, s, ": one number off", &gold, &other_row, &bags);
        measure_subject(b, s, ": integers as reals", &gold, &reals, &bags);
        measure_subject(b, s, ": amounts off", &gold, &near, &bags);
    }
    b->tables = start;
}

int main(void)
{
    arena_store tables;
    bench b = {.random.state = 1};
    if (!arena_store_open(&tables, (ptrdiff_t)16 << 30)
        || !arena_store_open(&b.scratch, (ptrdiff_t)16 << 30)) {
        return 2;
    }
    b.tables = arena_store_clear(&tables);
    bench_size(&b);
    bench_columns(&b);
    bench_rules(&b);
    arena_store_close(&tables);
    arena_store_close(&b.scratch);
    return 0;
}
