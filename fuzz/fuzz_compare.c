/*
 * fuzz_compare.c - what must hold for any two result tables.
 *
 * Method      The bytes choose cells from a small pool of awkward values, so
 *             that tables often nearly agree, and make the prediction: a table
 *             of its own, or the gold with columns and rows in another order
 *             and perhaps one cell changed. Bytes that are used up count as 0.
 */
#include "evaluators/evaluator.h"
#include "fuzz.h"

#include <math.h>

enum {
    MAX_COLUMNS = 4,
    MAX_ROWS = 6
};

typedef struct choices {
    const uint8_t *bytes;
    size_t left;
} choices;

static int choose(choices *c, int n)
{
    if (c->left == 0) {
        return 0;
    }
    c->left--;
    return *c->bytes++ % n;
}

// Values of the kinds that SQLite does not have, and extreme integers.
static value choose_rare_value(choices *c)
{
    static const char *const decimals[] = {
        "1", "1.0", "-0", "0.30", "2.5", "10000000000000000000000", "NaN"};
    static const int64_t numbers[] = {INT64_MIN, INT64_MAX, 9007199254740993,
                                      10000000000000000};
    static const int64_t days[] = {0, 18262, INT64_MIN, INT64_MAX};
    static const int64_t times[] = {0, 1577836800000000, INT64_MIN, INT64_MAX};
    static const value_kind kinds[] = {VALUE_TIMESTAMP, VALUE_INSTANT};
    value v = value_text(str_from(decimals[choose(c, countof(decimals))]));
    switch (choose(c, 6)) {
    case 0: v.kind = VALUE_DECIMAL; return v;
    case 1: v.kind = VALUE_OTHER; return v;
    case 2: return value_int(numbers[choose(c, countof(numbers))]);
    case 3: return (value){.i = choose(c, 2), .kind = VALUE_BOOL};
    case 4:
        return (value){.i = days[choose(c, countof(days))], .kind = VALUE_DATE};
    default:
        return (value){.i = times[choose(c, countof(times))],
                       .kind = (uint8_t)kinds[choose(c, 2)]};
    }
}

static value choose_value(choices *c)
{
    static const char *const texts[] = {
        "", "a", "A", "1", "e\xcc\x81", "\xc3\xa9", "\xff", "2020-01-01"};
    static const double reals[] = {0.0,          1.0,      -0.0, 0.1 + 0.2,
                                   0.3,          1e16,     1e-9, 2.5,
                                   1.0000000001, HUGE_VAL, NAN};
    switch (choose(c, 9)) {
    case 0:
    case 1:
    case 2: return value_int(choose(c, 4) - 1);
    case 3: return value_real(reals[choose(c, (int)countof(reals))]);
    case 4: return value_null();
    case 5: return value_blob(S("a"));
    case 6: return choose_rare_value(c);
    default: return value_text(str_from(texts[choose(c, (int)countof(texts))]));
    }
}

static table new_table(arena *a, ptrdiff_t n_rows, ptrdiff_t n_columns)
{
    str *names = arena_new(a, str, n_columns);
    for (ptrdiff_t c = 0; c < n_columns; c++) {
        names[c] = S("c");
    }
    return (table){
        .n_rows = n_rows,
        .n_columns = n_columns,
        .names = names,
        .cells = arena_new(a, value, n_rows * n_columns),
    };
}

static table choose_table(choices *c, arena *a)
{
    ptrdiff_t n_columns = 1 + choose(c, MAX_COLUMNS);
    table t = new_table(a, choose(c, MAX_ROWS + 1), n_columns);
    value *cells = arena_new(a, value, t.n_rows * n_columns);
    for (ptrdiff_t i = 0; i < t.n_rows * n_columns; i++) {
        cells[i] = choose_value(c);
    }
    t.cells = cells;
    return t;
}

// An order of 0 .. n-1.
static ptrdiff_t *choose_order(choices *c, arena *a, ptrdiff_t n)
{
    ptrdiff_t *order = arena_new(a, ptrdiff_t, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t at = choose(c, (int)i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    return order;
}

static table reorder(arena *a,
                     const table *t,
                     const ptrdiff_t *rows,
                     const ptrdiff_t *columns)
{
    table made = new_table(a, t->n_rows, t->n_columns);
    value *cells = arena_new(a, value, t->n_rows * t->n_columns);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            cells[r * t->n_columns + c] =
                table_at(t, rows ? rows[r] : r, columns ? columns[c] : c);
        }
    }
    made.cells = cells;
    return made;
}

static void check_mapping(verdict v, const table *pred)
{
    for (ptrdiff_t i = 0; v.v == ANSWER_YES && i < v.n_columns; i++) {
        fuzz_must(v.columns[i] >= 0 && v.columns[i] < pred->n_columns);
        for (ptrdiff_t j = 0; j < i; j++) {
            fuzz_must(v.columns[i] != v.columns[j]);
        }
    }
}

typedef struct laws {
    const table *gold;
    const table *pred;
    compare_options options;
    arena *a;
    arena scratch;
} laws;

static answer exec_of(const laws *l, rules r, const table *x, const table *y)
{
    verdict v = compare_exec(r, x, y, &l->options, l->a, l->scratch);
    fuzz_must(v.v != ANSWER_NO || v.reason != REASON_NONE);
    check_mapping(v, y);
    return v.v;
}

static answer subset_of(const laws *l, rules r, const table *x, const table *y)
{
    verdict v = compare_subset(r, x, y, &l->options, l->a, l->scratch);
    fuzz_must(v.v != ANSWER_NO || v.reason != REASON_NONE);
    check_mapping(v, y);
    return v.v;
}

// The rules that are ours: everything a careful person expects.
static void check_ours(const laws *l, choices *c)
{
    const rules ours[] = {RULES_ASSAY, RULES_STRICT, RULES_SQL_EVAL};
    for (ptrdiff_t i = 0; i < countof(ours); i++) {
        rules r = ours[i];
        fuzz_must(exec_of(l, r, l->gold, l->gold) == ANSWER_YES);
        fuzz_must(subset_of(l, r, l->gold, l->gold) == ANSWER_YES);
        answer exec = exec_of(l, r, l->gold, l->pred);
        answer subset = subset_of(l, r, l->gold, l->pred);
        fuzz_must(exec != ANSWER_YES || subset == ANSWER_YES);
        if (l->options.is_ordered) {
            continue;
        }
        const ptrdiff_t *rows = choose_order(c, l->a, l->pred->n_rows);
        table turned = reorder(l->a, l->pred, rows, NULL);
        fuzz_must(exec_of(l, r, l->gold, &turned) == exec);
        fuzz_must(subset_of(l, r, l->gold, &turned) == subset);
    }
    answer exec = exec_of(l, RULES_ASSAY, l->gold, l->pred);
    fuzz_must(exec_of(l, RULES_ASSAY, l->pred, l->gold) == exec);
    if (!l->options.same_column_order) {
        const ptrdiff_t *columns = choose_order(c, l->a, l->pred->n_columns);
        table turned = reorder(l->a, l->pred, NULL, columns);
        fuzz_must(exec_of(l, RULES_ASSAY, l->gold, &turned) == exec);
    }
}

// The rules of other programs: an answer, whatever it is, and their F1 scores
// in [0, 1].
static void check_others(const laws *l)
{
    for (int r = 0; r < RULES_COUNT; r++) {
        compare_exec((rules)r, l->gold, l->pred, &l->options, l->a, l->scratch);
        compare_subset((rules)r, l->gold, l->pred, &l->options, l->a,
                       l->scratch);
    }
    verdict soft = compare_soft_f1(l->gold, l->pred, l->a, l->scratch);
    verdict cell = compare_cell_f1(l->gold, l->pred, l->a, l->scratch);
    verdict self = compare_cell_f1(l->gold, l->gold, l->a, l->scratch);
    fuzz_must(soft.score >= 0 && soft.score <= 1);
    fuzz_must(cell.score >= 0 && cell.score <= 1);
    fuzz_must(self.v == ANSWER_YES);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    choices c = {bytes, size};
    int flags = choose(&c, 64);
    laws l = {
        .options = {.is_ordered = (flags & 1) != 0,
                    .same_column_order = (flags & 2) != 0,
                    .rows_are_sets = (flags & 4) != 0,
                    .allows_extra_rows = (flags & 16) != 0,
                    .has_tolerance = (flags & 32) != 0,
                    .tolerance = 0.1},
        .a = &a,
        .scratch = scratch,
    };
    table gold = choose_table(&c, &a);
    table pred = choose_table(&c, &a);
    if (flags & 8) {
        const ptrdiff_t *rows = choose_order(&c, &a, gold.n_rows);
        const ptrdiff_t *columns = choose_order(&c, &a, gold.n_columns);
        pred = reorder(&a, &gold, rows, columns);
    }
    l.gold = &gold;
    l.pred = &pred;
    check_ours(&l, &c);
    check_others(&l);
    return 0;
}
