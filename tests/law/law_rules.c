/*
 * law_rules.c - spider, bird, soft_f1 and cell_f1 against the same rules
 * written as literally as possible: nested loops, all permutations, no hashes.
 */
#include "random_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t SEED = 20261120;

enum {
    N_PAIRS = 60000,
};

static const value *row_of(const table *t, ptrdiff_t r)
{
    return t->cells + r * t->n_columns;
}

static bool rows_equal(const value *a, const value *b, ptrdiff_t n)
{
    for (ptrdiff_t c = 0; c < n; c++) {
        if (!plainly_equal(a[c], b[c])) {
            return false;
        }
    }
    return true;
}

static bool contains_row(const table *t, const value *row, ptrdiff_t n)
{
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        if (t->n_columns == n && rows_equal(row_of(t, r), row, n)) {
            return true;
        }
    }
    return false;
}

static bool contains_all(const table *t, const table *rows)
{
    for (ptrdiff_t r = 0; r < rows->n_rows; r++) {
        if (!contains_row(t, row_of(rows, r), rows->n_columns)) {
            return false;
        }
    }
    return true;
}

// ---- bird

static bool bird_literally(const table *gold, const table *pred)
{
    return contains_all(gold, pred) && contains_all(pred, gold);
}

// ---- spider

static ptrdiff_t count_row(const table *t, const value *row)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        n += rows_equal(row_of(t, r), row, t->n_columns);
    }
    return n;
}

// Tables of one shape.
static bool bags_equal(const table *a, const table *b)
{
    for (ptrdiff_t r = 0; r < a->n_rows; r++) {
        if (count_row(a, row_of(a, r)) != count_row(b, row_of(a, r))) {
            return false;
        }
    }
    return true;
}

static bool lists_equal(const table *a, const table *b)
{
    return rows_equal(a->cells, b->cells, a->n_rows * a->n_columns);
}

static str sort_text(value v, arena *a)
{
    switch (v.kind) {
    case VALUE_NULL: return S("None<class 'NoneType'>");
    case VALUE_INT: return arena_printf(a, "%lld<class 'int'>", (long long)v.i);
    case VALUE_BOOL:
        return v.i ? S("True<class 'bool'>") : S("False<class 'bool'>");
    case VALUE_BLOB:
        return v.bytes[0] == '\x01' ? S("b\"\\x01'\"<class 'bytes'>")
                                    : arena_printf(a, "b'%.*s'<class 'bytes'>",
                                                   STR_ARG(value_bytes(v)));
    case VALUE_TEXT:
        return arena_printf(a, "%.*s<class 'str'>", STR_ARG(value_bytes(v)));
    case VALUE_DATE:
    case VALUE_TIMESTAMP: {
        buf b = buf_new(a);
        value_show(&b, v, 0);
        buf_add(&b, v.kind == VALUE_DATE ? S("<class 'datetime.date'>")
                                         : S("<class 'datetime.datetime'>"));
        return buf_str(&b);
    }
    default: break;
    }
    // The shortest of the texts that read back, as Python writes it.
    char text[400];
    int precision = 1;
    do {
        snprintf(text, sizeof text, "%.*g", precision++, v.real);
    } while (strtod(text, NULL) != v.real);
    bool is_plain = strcspn(text, ".e") == strlen(text);
    bool is_large = fabs(v.real) >= 1e16;
    if (strchr(text, 'e') && !is_large) {
        snprintf(text, sizeof text, "%.1f", v.real);
        is_plain = false;
    }
    return arena_printf(a, "%s%s<class 'float'>", text, is_plain ? ".0" : "");
}

// The table with the cells of each row sorted by their texts.
static table cells_sorted(const table *t, arena *a)
{
    ptrdiff_t n = t->n_columns;
    value *cells = arena_new(a, value, t->n_rows * n + 1);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        value *row = cells + r * n;
        for (ptrdiff_t c = 0; c < n; c++) {
            value v = table_at(t, r, c);
            ptrdiff_t at = c;
            while (at > 0
                   && str_compare(sort_text(row[at - 1], a), sort_text(v, a))
                          > 0) {
                row[at] = row[at - 1];
                at--;
            }
            row[at] = v;
        }
    }
    table out = *t;
    out.cells = cells;
    return out;
}

static bool tables_equal(const table *a, const table *b, bool is_ordered)
{
    return is_ordered ? lists_equal(a, b) : bags_equal(a, b);
}

static void swap(ptrdiff_t *a, ptrdiff_t *b)
{
    ptrdiff_t t = *a;
    *a = *b;
    *b = t;
}

static bool next_permutation(ptrdiff_t *p, ptrdiff_t n)
{
    ptrdiff_t i = n - 1;
    while (i > 0 && p[i - 1] > p[i]) {
        i--;
    }
    if (i <= 0) {
        return false;
    }
    ptrdiff_t j = n - 1;
    while (p[j] < p[i - 1]) {
        j--;
    }
    swap(&p[j], &p[i - 1]);
    for (ptrdiff_t low = i, high = n - 1; low < high; low++, high--) {
        swap(&p[low], &p[high]);
    }
    return true;
}

static bool some_permutation_fits(const random_pair *p, arena a)
{
    ptrdiff_t columns[MAX_COLUMNS];
    ptrdiff_t rows[MAX_ROWS];
    ptrdiff_t n = in_order(columns, p->gold.n_columns);
    in_order(rows, p->pred.n_rows);
    do {
        arena scratch = a;
        table pred =
            picked(&scratch, &p->pred, rows, p->pred.n_rows, columns, n);
        if (tables_equal(&p->gold, &pred, p->is_ordered)) {
            return true;
        }
    } while (next_permutation(columns, n));
    return false;
}

static bool spider_literally(const random_pair *p, arena a)
{
    const table *gold = &p->gold;
    const table *pred = &p->pred;
    if (gold->n_rows == 0 && pred->n_rows == 0) {
        return true;
    }
    if (gold->n_rows != pred->n_rows || gold->n_columns != pred->n_columns) {
        return false;
    }
    table x = cells_sorted(gold, &a);
    table y = cells_sorted(pred, &a);
    bool passes = p->is_ordered ? lists_equal(&x, &y) : bird_literally(&x, &y);
    return passes && some_permutation_fits(p, a);
}

// ---- soft_f1

static table without_repeats(const table *t, arena *a)
{
    table out = *t;
    value *cells = arena_new(a, value, t->n_rows * t->n_columns + 1);
    out.cells = cells;
    out.n_rows = 0;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        if (!contains_row(&out, row_of(t, r), t->n_columns)) {
            memcpy(cells + out.n_rows++ * t->n_columns, row_of(t, r),
                   (size_t)t->n_columns * sizeof *cells);
        }
    }
    return out;
}

static bool contains_cell(const value *row, ptrdiff_t n, value v)
{
    for (ptrdiff_t c = 0; c < n; c++) {
        if (plainly_equal(row[c], v)) {
            return true;
        }
    }
    return false;
}

static double soft_f1_literally(const random_pair *p, arena a)
{
    if (p->gold.n_rows == 0 && p->pred.n_rows == 0) {
        return 1;
    }
    table g = without_repeats(&p->gold, &a);
    table q = without_repeats(&p->pred, &a);
    double tp = 0;
    double fp = 0;
    double fn = 0;
    double n = (double)g.n_columns;
    for (ptrdiff_t r = 0; r < g.n_rows || r < q.n_rows; r++) {
        if (r >= q.n_rows) {
            fn += 1;
            continue;
        }
        if (r >= g.n_rows) {
            fp += 1;
            continue;
        }
        for (ptrdiff_t c = 0; c < q.n_columns; c++) {
            bool found =
                contains_cell(row_of(&g, r), g.n_columns, row_of(&q, r)[c]);
            tp += found ? 1 / n : 0;
            fp += found ? 0 : 1 / n;
        }
        for (ptrdiff_t c = 0; c < g.n_columns; c++) {
            fn += contains_cell(row_of(&q, r), q.n_columns, row_of(&g, r)[c])
                      ? 0
                      : 1 / n;
        }
    }
    double precision = tp + fp > 0 ? tp / (tp + fp) : 0;
    double recall = tp + fn > 0 ? tp / (tp + fn) : 0;
    return precision + recall > 0
               ? 2 * precision * recall / (precision + recall)
               : 0;
}

// ---- cell_f1

static ptrdiff_t shared_cells(const random_pair *p, ptrdiff_t g, ptrdiff_t r)
{
    bool used[MAX_COLUMNS] = {false};
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < p->gold.n_columns; i++) {
        for (ptrdiff_t j = 0; j < p->pred.n_columns; j++) {
            if (!used[j]
                && plainly_equal(row_of(&p->gold, g)[i],
                                 row_of(&p->pred, r)[j])) {
                used[j] = true;
                n++;
                break;
            }
        }
    }
    return n;
}

typedef struct pairing {
    bool gold[MAX_ROWS];
    bool pred[MAX_ROWS];
    ptrdiff_t shared;
} pairing;

// Pairs all rows, earlier ones first, that share exactly `want` cells.
static void pair_rows(pairing *done,
                      const random_pair *p,
                      ptrdiff_t want,
                      bool all_cells)
{
    for (ptrdiff_t g = 0; g < p->gold.n_rows; g++) {
        for (ptrdiff_t r = 0; r < p->pred.n_rows; r++) {
            if (done->gold[g] || done->pred[r] || shared_cells(p, g, r) != want
                || (all_cells && p->gold.n_columns != p->pred.n_columns)) {
                continue;
            }
            done->gold[g] = true;
            done->pred[r] = true;
            done->shared += want;
        }
    }
}

static double cell_f1_literally(const random_pair *p)
{
    pairing done = {{false}, {false}, 0};
    ptrdiff_t n =
        p->gold.n_rows * p->gold.n_columns + p->pred.n_rows * p->pred.n_columns;
    pair_rows(&done, p, p->gold.n_columns, true);
    for (ptrdiff_t want = p->gold.n_columns; want > 0; want--) {
        pair_rows(&done, p, want, false);
    }
    return n == 0 ? 1 : 2.0 * (double)done.shared / (double)n;
}

// ---- the laws

static bool says(verdict v, bool yes)
{
    return v.v == (yes ? ANSWER_YES : ANSWER_NO)
           && (yes || v.reason != REASON_NONE);
}

// The name of the first law that does not hold, or NULL.
static const char *broken_law(const random_pair *p, arena a, arena scratch)
{
    const compare_options o = {.is_ordered = p->is_ordered};
    const table *g = &p->gold;
    const table *q = &p->pred;
    if (!says(compare_exec(RULES_BIRD, g, q, &o, &a, scratch),
              bird_literally(g, q))) {
        return "bird";
    }
    if (!says(compare_exec(RULES_SPIDER, g, q, &o, &a, scratch),
              spider_literally(p, scratch))) {
        return "spider";
    }
    verdict soft = compare_soft_f1(g, q, &a, scratch);
    if (!soft.has_score
        || fabs(soft.score - soft_f1_literally(p, scratch)) > 1e-12) {
        return "soft_f1";
    }
    verdict cell = compare_cell_f1(g, q, &a, scratch);
    if (!cell.has_score || fabs(cell.score - cell_f1_literally(p)) > 1e-12) {
        return "cell_f1";
    }
    return NULL;
}

// ---- tables too large for all pairs of rows

static table wide_table(arena *a, ptrdiff_t n_rows, const ptrdiff_t *order)
{
    static const str names[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
    value *cells = arena_new(a, value, n_rows * 4);
    for (ptrdiff_t r = 0; r < n_rows; r++) {
        int64_t id = order ? order[r] : r;
        value *row = cells + r * 4;
        row[0] = value_int(7);
        row[1] = value_int(order ? -1 - id : id);
        row[2] = value_int(1000000 + id);
        row[3] = value_int(2000000 + id / 2);
    }
    return (table){n_rows, 4, names, cells, false};
}

// Each pred row is a gold row with one cell changed, in another order. All
// rows share the 7, two share a value of d; only its own row shares three.
static bool large_tables_hold(void)
{
    enum {
        N = 20000
    };
    arena_store stores[2];
    if (!arena_store_open(&stores[0], (ptrdiff_t)1 << 28)
        || !arena_store_open(&stores[1], (ptrdiff_t)1 << 28)) {
        return false;
    }
    arena a = arena_store_clear(&stores[0]);
    arena scratch = arena_store_clear(&stores[1]);
    rng r = {SEED};
    ptrdiff_t *order = arena_new(&a, ptrdiff_t, N);
    random_order(&r, order, N);
    table gold = wide_table(&a, N, NULL);
    table pred = wide_table(&a, N, order);
    double all_but_one = compare_cell_f1(&gold, &pred, &a, scratch).score;
    value *cells = arena_new(&a, value, N * 4);
    for (ptrdiff_t i = 0; i < N * 4; i++) {
        bool is_shared = i % 4 == 0;
        cells[i] = is_shared ? value_int(7) : value_int(-5000000 - i);
    }
    pred.cells = cells;
    double only_one = compare_cell_f1(&gold, &pred, &a, scratch).score;
    printf("large tables: %.4f and %.4f\n", all_but_one, only_one);
    return all_but_one == 0.75 && only_one == 0.25;
}

static bool law_holds(const random_pair *p, rng *r, arena a, arena scratch)
{
    (void)r;
    const char *law = broken_law(p, a, scratch);
    if (law) {
        printf("%s does not hold\n", law);
    }
    return !law;
}

int main(void)
{
    return check_pairs(SEED, N_PAIRS, law_holds) || !large_tables_hold();
}
