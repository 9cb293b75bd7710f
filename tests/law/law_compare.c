/*
 * law_compare.c - what must hold when any two tables are compared.
 *
 * Laws        A table equals itself, and itself with columns or (where order
 *             does not count) rows exchanged; exec is symmetric; exec yes
 *             means subset yes; without a reason the answer is the same.
 * Oracle      For small tables every mapping of columns is tried and the rows
 *             are sorted, or paired in every way where a tolerance is used;
 *             the comparison must say the same.
 *
 * Usage       law_compare [SEED [PAIRS]]
 */
#include "base/arena.h"
#include "base/rng.h"
#include "evaluators/evaluator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SIDE = 5,  // rows and columns
    DEFAULT_SEED = 20231,
    DEFAULT_PAIRS = 120000,
};

// A small table: cells are classes, and what they look like is decided when
// it becomes a table.
typedef struct small {
    int n_rows;
    int n_columns;
    int cells[MAX_SIDE + 1][MAX_SIDE];  // room for one added row
} small;

typedef struct world {
    rng random;
    uint64_t seed;
    arena_store store;
    arena memory;  // of the present check, over the store
    arena_store scratch;
    long checks;
    long yes;
    long failures;
} world;

static int below(world *w, int n)
{
    return (int)rng_below(&w->random, n);
}

// ---- from small tables to tables

// Values of one class are equal under the rules assay.
static value value_of_class(world *w, int class)
{
    switch (class) {
    case 0: return value_null();
    case 1:
        return below(w, 2) ? value_int(1) : (value){.i = 1, .kind = VALUE_BOOL};
    case 2: return below(w, 2) ? value_int(0) : value_real(-0.0);
    case 3: return value_text(S("1"));
    case 4: return value_text(S(""));
    default: return value_blob(S("1"));
    }
}

// Numbers whose nearness is not transitive at a tolerance of 1e-9.
static value value_of_number(world *w, int class)
{
    (void)w;
    static const double numbers[] = {1.0,          1.0 + 0.8e-9, 1.0 + 1.6e-9,
                                     1.0 - 0.7e-9, -1.0,         0.0};
    return class == 5 ? value_int(1) : value_real(numbers[class]);
}

typedef value value_maker(world *w, int class);

static table table_of(world *w, const small *s, value_maker *make)
{
    arena *a = &w->memory;
    table t = {.n_rows = s->n_rows, .n_columns = s->n_columns};
    str *names = arena_new(a, str, s->n_columns);
    for (int c = 0; c < s->n_columns; c++) {
        static const char letters[] = "abcABx";
        names[c] = (str){letters + below(w, 6), 1};
    }
    value *cells = arena_new(a, value, t.n_rows * t.n_columns);
    for (int r = 0; r < s->n_rows; r++) {
        for (int c = 0; c < s->n_columns; c++) {
            cells[r * s->n_columns + c] = make(w, s->cells[r][c]);
        }
    }
    t.names = names;
    t.cells = cells;
    return t;
}

// ---- random tables

static small random_table(world *w, int max_rows, int max_columns, int classes)
{
    small s = {.n_rows = below(w, max_rows + 1),
               .n_columns = 1 + below(w, max_columns)};
    for (int r = 0; r < s.n_rows; r++) {
        for (int c = 0; c < s.n_columns; c++) {
            s.cells[r][c] = below(w, classes);
        }
    }
    return s;
}

static void swap_columns(small *s, int c, int d)
{
    for (int r = 0; r < s->n_rows; r++) {
        int cell = s->cells[r][c];
        s->cells[r][c] = s->cells[r][d];
        s->cells[r][d] = cell;
    }
}

static void swap_rows(small *s, int r, int q)
{
    for (int c = 0; c < s->n_columns; c++) {
        int cell = s->cells[r][c];
        s->cells[r][c] = s->cells[q][c];
        s->cells[q][c] = cell;
    }
}

static void shuffle_columns(world *w, small *s)
{
    for (int c = s->n_columns - 1; c > 0; c--) {
        swap_columns(s, c, below(w, c + 1));
    }
}

static void shuffle_rows(world *w, small *s)
{
    for (int r = s->n_rows - 1; r > 0; r--) {
        swap_rows(s, r, below(w, r + 1));
    }
}

// A table that has something to do with `from`: columns and rows exchanged,
// a column or row added, a cell or two changed.
static small relative_of(world *w, const small *from, int classes)
{
    small s = *from;
    if (s.n_columns < MAX_SIDE && below(w, 2)) {
        for (int r = 0; r < s.n_rows; r++) {
            s.cells[r][s.n_columns] = below(w, classes);
        }
        s.n_columns++;
    }
    if (s.n_rows > 0 && s.n_rows < MAX_SIDE && below(w, 3) == 0) {
        int copied = below(w, s.n_rows);
        memcpy(s.cells[s.n_rows], s.cells[copied], sizeof s.cells[0]);
        s.n_rows++;
    }
    for (int i = below(w, 3); i > 0 && s.n_rows > 0; i--) {
        s.cells[below(w, s.n_rows)][below(w, s.n_columns)] = below(w, classes);
    }
    if (below(w, 4)) {
        shuffle_columns(w, &s);
    }
    if (below(w, 2)) {
        shuffle_rows(w, &s);
    }
    return s;
}

// ---- the oracle

typedef struct mode {
    bool is_subset;
    bool is_ordered;
    bool are_sets;
    bool extra;  // rows, in a subset
} mode;

static int compare_rows(const int *a, const int *b, int n)
{
    for (int c = 0; c < n; c++) {
        if (a[c] != b[c]) {
            return a[c] < b[c] ? -1 : 1;
        }
    }
    return 0;
}

static void sort_rows(small *s)
{
    for (int i = 1; i < s->n_rows; i++) {
        for (int r = i;
             r > 0
             && compare_rows(s->cells[r - 1], s->cells[r], s->n_columns) > 0;
             r--) {
            swap_rows(s, r - 1, r);
        }
    }
}

static void drop_repeated(small *s)
{
    int n = 0;
    for (int r = 0; r < s->n_rows; r++) {
        bool is_new = true;
        for (int q = 0; q < n; q++) {
            is_new &= compare_rows(s->cells[q], s->cells[r], s->n_columns) != 0;
        }
        if (is_new) {
            memmove(s->cells[n++], s->cells[r], sizeof s->cells[0]);
        }
    }
    s->n_rows = n;
}

// Are gold's rows found in pred one after the other? Both sorted: as a bag.
static bool is_subsequence(const small *gold, const small *pred)
{
    int g = 0;
    for (int p = 0; p < pred->n_rows && g < gold->n_rows; p++) {
        g += compare_rows(gold->cells[g], pred->cells[p], gold->n_columns) == 0;
    }
    return g == gold->n_rows;
}

static bool rows_agree(const mode *m, small gold, small pred)
{
    if (m->are_sets) {
        drop_repeated(&gold);
        if (!m->extra || !m->is_ordered) {
            drop_repeated(&pred);
        }
    }
    if (!m->is_ordered) {
        sort_rows(&gold);
        sort_rows(&pred);
    }
    if (!m->extra && gold.n_rows != pred.n_rows) {
        return false;
    }
    return is_subsequence(&gold, &pred);
}

static small project(const small *s, const int *columns, int n)
{
    small out = {.n_rows = s->n_rows, .n_columns = n};
    for (int r = 0; r < s->n_rows; r++) {
        for (int c = 0; c < n; c++) {
            out.cells[r][c] = s->cells[r][columns[c]];
        }
    }
    return out;
}

typedef bool agreement(const mode *m, small gold, small pred);

// Tries all injective mappings of gold's columns from the c-th on. Recursion
// is at most MAX_SIDE deep.
static bool some_mapping(const mode *m,
                         agreement *agree,
                         const small *gold,
                         const small *pred,
                         int *columns,
                         int c)
{
    if (c == gold->n_columns) {
        return agree(m, *gold, project(pred, columns, c));
    }
    for (int p = 0; p < pred->n_columns; p++) {
        bool is_used = false;
        for (int i = 0; i < c; i++) {
            is_used |= columns[i] == p;
        }
        columns[c] = p;
        if (!is_used && some_mapping(m, agree, gold, pred, columns, c + 1)) {
            return true;
        }
    }
    return false;
}

static bool oracle(const mode *m,
                   agreement *agree,
                   const small *gold,
                   const small *pred)
{
    if (m->is_subset ? gold->n_columns > pred->n_columns
                     : gold->n_columns != pred->n_columns) {
        return false;
    }
    if (gold->n_rows == 0 || pred->n_rows == 0) {
        return gold->n_rows == pred->n_rows;
    }
    int columns[MAX_SIDE];
    return some_mapping(m, agree, gold, pred, columns, 0);
}

// ---- the oracle for numbers within a tolerance

static bool classes_are_near(int a, int b)
{
    static const double numbers[] = {1.0,          1.0 + 0.8e-9, 1.0 + 1.6e-9,
                                     1.0 - 0.7e-9, -1.0,         1.0};
    double x = numbers[a];
    double y = numbers[b];
    double larger = x > y ? x : y;
    return a == b
           || (x > y ? x - y : y - x) <= 1e-9 * (larger > 0 ? larger : 1);
}

static bool rows_are_near(const int *a, const int *b, int n)
{
    for (int c = 0; c < n; c++) {
        if (!classes_are_near(a[c], b[c])) {
            return false;
        }
    }
    return true;
}

// Pairs gold row r and those after it with pred rows not yet used.
static bool some_pairing(const small *gold,
                         const small *pred,
                         bool *is_used,
                         int r)
{
    if (r == gold->n_rows) {
        return true;
    }
    for (int p = 0; p < pred->n_rows; p++) {
        if (is_used[p]
            || !rows_are_near(gold->cells[r], pred->cells[p],
                              gold->n_columns)) {
            continue;
        }
        is_used[p] = true;
        bool found = some_pairing(gold, pred, is_used, r + 1);
        is_used[p] = false;
        if (found) {
            return true;
        }
    }
    return false;
}

static bool all_are_near_some(const small *of, const small *in)
{
    for (int r = 0; r < of->n_rows; r++) {
        bool found = false;
        for (int p = 0; p < in->n_rows; p++) {
            found |= rows_are_near(of->cells[r], in->cells[p], of->n_columns);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool rows_nearly_agree(const mode *m, small gold, small pred)
{
    if (m->are_sets) {
        return all_are_near_some(&gold, &pred)
               && (m->extra || all_are_near_some(&pred, &gold));
    }
    if (!m->extra && gold.n_rows != pred.n_rows) {
        return false;
    }
    if (m->is_ordered) {
        int g = 0;
        for (int p = 0; p < pred.n_rows && g < gold.n_rows; p++) {
            g += rows_are_near(gold.cells[g], pred.cells[p], gold.n_columns);
        }
        // Without extra rows the first that does not fit leaves one too few.
        return g == gold.n_rows;
    }
    bool is_used[MAX_SIDE + 1] = {false};
    return some_pairing(&gold, &pred, is_used, 0);
}

// ---- checking

static void show_table(const char *name, const table *t, arena scratch)
{
    printf("%s:", name);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        printf(" %.*s", STR_ARG(t->names[c]));
    }
    printf("\n");
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        printf("  %.*s\n", STR_ARG(table_show_row(&scratch, t, r)));
    }
}

static void fail(world *w,
                 const char *law,
                 const mode *m,
                 const table *gold,
                 const table *pred)
{
    if (w->failures++ >= 5) {
        return;
    }
    arena scratch = arena_store_clear(&w->scratch);
    printf("seed %llu: %s fails (%s%s%s%s)\n", (unsigned long long)w->seed, law,
           m->is_subset ? "subset" : "exec", m->is_ordered ? " ordered" : "",
           m->are_sets ? " sets" : "", m->extra ? " extra" : "");
    show_table("gold", gold, scratch);
    show_table("pred", pred, scratch);
}

static verdict judge(world *w,
                     const mode *m,
                     const table *gold,
                     const table *pred)
{
    arena *a = &w->memory;
    const compare_options o = {
        .is_ordered = m->is_ordered,
        .rows_are_sets = m->are_sets,
        .allows_extra_rows = m->extra,
    };
    arena scratch = arena_store_clear(&w->scratch);
    return m->is_subset
               ? compare_subset(RULES_ASSAY, gold, pred, &o, a, scratch)
               : compare_exec(RULES_ASSAY, gold, pred, &o, a, scratch);
}

static verdict expect(world *w,
                      const char *law,
                      const mode *m,
                      const table *gold,
                      const table *pred,
                      bool is_yes)
{
    verdict v = judge(w, m, gold, pred);
    w->checks++;
    w->yes += is_yes;
    bool is_sound = v.v == (is_yes ? ANSWER_YES : ANSWER_NO)
                    && (v.v == ANSWER_YES || v.reason != REASON_NONE);
    if (!is_sound) {
        fail(w, law, m, gold, pred);
    }
    return v;
}

// Does the reported mapping use no column twice, and do the rows agree?
static bool mapping_fits(const verdict *v,
                         const mode *m,
                         agreement *agree,
                         const small *gold,
                         const small *pred)
{
    int columns[MAX_SIDE] = {0};
    for (int c = 0; c < gold->n_columns; c++) {
        columns[c] = v->columns[c];
        for (int i = 0; i < c; i++) {
            if (columns[i] == columns[c]) {
                return false;
            }
        }
    }
    return v->n_columns == gold->n_columns
           && agree(m, *gold, project(pred, columns, gold->n_columns));
}

static mode random_mode(world *w)
{
    mode m = {.is_subset = below(w, 2), .is_ordered = below(w, 2)};
    m.are_sets = below(w, 3) == 0;
    m.extra = m.is_subset && below(w, 3) == 0;
    return m;
}

static void check_against_oracle(world *w)
{
    w->memory = arena_store_clear(&w->store);
    int classes = 2 + below(w, 5);
    int side = 1 + below(w, MAX_SIDE);
    small gold = random_table(w, side, side, classes);
    small pred = below(w, 3) ? relative_of(w, &gold, classes)
                             : random_table(w, side, side, classes);
    table g = table_of(w, &gold, value_of_class);
    table p = table_of(w, &pred, value_of_class);
    mode m = random_mode(w);
    for (int i = 0; i < 4; i++) {
        m.is_subset = i & 1;
        m.is_ordered = i & 2;
        mode asked = m;
        asked.extra = m.extra && m.is_subset;
        verdict v = expect(w, "agreement with the oracle", &asked, &g, &p,
                           oracle(&asked, rows_agree, &gold, &pred));
        if (v.v == ANSWER_YES
            && !mapping_fits(&v, &asked, rows_agree, &gold, &pred)) {
            fail(w, "the mapping", &asked, &g, &p);
        }
    }
}

static void check_tolerance(world *w)
{
    w->memory = arena_store_clear(&w->store);
    int classes = 2 + below(w, 5);
    small gold = random_table(w, 4, 3, classes);
    small pred = relative_of(w, &gold, classes);
    table g = table_of(w, &gold, value_of_number);
    table p = table_of(w, &pred, value_of_number);
    mode m = random_mode(w);
    if (m.are_sets && m.is_ordered) {
        m.are_sets = false;  // which of two near rows is a repetition?
    }
    verdict v = expect(w, "agreement with the oracle within the tolerance", &m,
                       &g, &p, oracle(&m, rows_nearly_agree, &gold, &pred));
    if (v.v == ANSWER_YES
        && !mapping_fits(&v, &m, rows_nearly_agree, &gold, &pred)) {
        fail(w, "the mapping within the tolerance", &m, &g, &p);
    }
}

// Who asks for no reason gets the same answer.
static void check_same(world *w,
                       const mode *m,
                       const table *gold,
                       const table *pred,
                       bool exec)
{
    const compare_options o = {.is_ordered = m->is_ordered,
                               .rows_are_sets = m->are_sets};
    arena scratch = arena_store_clear(&w->scratch);
    w->checks++;
    if (compare_is_same_assay(gold, pred, &o, scratch) != exec) {
        fail(w, "the same without a reason", m, gold, pred);
    }
}

static void check_laws(world *w)
{
    w->memory = arena_store_clear(&w->store);
    int classes = 2 + below(w, 5);
    value_maker *make = below(w, 2) ? value_of_class : value_of_number;
    small x = random_table(w, MAX_SIDE, MAX_SIDE, classes);
    small y = relative_of(w, &x, classes);
    table gold = table_of(w, &x, make);
    table pred = table_of(w, &y, make);
    mode m = random_mode(w);
    m.extra = false;
    expect(w, "a table equals itself", &m, &gold, &gold, true);

    m.is_subset = false;
    bool exec = judge(w, &m, &gold, &pred).v == ANSWER_YES;
    check_same(w, &m, &gold, &pred, exec);
    expect(w, "exec is symmetric", &m, &pred, &gold, exec);
    mode subset = m;
    subset.is_subset = true;
    if (exec) {
        expect(w, "exec implies subset", &subset, &gold, &pred, true);
        subset.extra = true;
        expect(w, "exec implies subset", &subset, &gold, &pred, true);
    }
    shuffle_columns(w, &x);
    if (!m.is_ordered) {
        shuffle_rows(w, &x);
    }
    table shuffled = table_of(w, &x, make);
    expect(w, "order does not matter", &m, &shuffled, &pred, exec);
}

int main(int argc, char **argv)
{
    world w = {0};
    w.seed = argc > 1 ? strtoull(argv[1], NULL, 10) : DEFAULT_SEED;
    long n = argc > 2 ? strtol(argv[2], NULL, 10) : DEFAULT_PAIRS;
    w.random.state = w.seed;
    if (!arena_store_open(&w.store, 1 << 22)
        || !arena_store_open(&w.scratch, 1 << 22)) {
        return 2;
    }
    printf("seed %llu\n", (unsigned long long)w.seed);
    for (long i = 0; i < n; i++) {
        check_against_oracle(&w);
        if (i % 3 == 0) {
            check_tolerance(&w);
            check_laws(&w);
        }
    }
    printf("%ld pairs, %ld checks (%ld yes), %ld failures\n", n, w.checks,
           w.yes, w.failures);
    arena_store_close(&w.store);
    arena_store_close(&w.scratch);
    return w.failures == 0 ? 0 : 1;
}
