/*
 * explain_align.c - aligns prediction and gold under a mapping of columns.
 *
 * Method      Given the mapping, equal rows are paired by their hashes (by
 *             place when order counts). What is left over is paired once more
 *             within the tolerance, pair by pair while that is cheap, else by
 *             clusters of near numbers, which may pair too much. What is left
 *             then is what a person would point at.
 *
 *             Where no mapping fits, one is guessed: columns with equal bags of
 *             values, then with equal names, then with the most shared values,
 *             then by place.
 *
 * Invariant   Rows are aligned only under a complete mapping: each gold
 *             column has a pred column.
 *
 * Cost        Linear in the cells, but for pairs within the tolerance
 *             (MAX_PAIRED) and shared values (MAX_SHARED), which have budgets.
 *
 * Not here    The mapping that fits, if there is one (compare_search.c); the
 *             choice of the reason (compare_explain.c).
 */
#include "table/explain_align.h"

#include "base/utf8.h"
#include "table/search_rows.h"
#include "table/table_count.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_PAIRED = 1 << 24,  // pairs of rows to look at for near ones
    SHOW_TEXT = 40,        // characters of a cell
    MAX_SHARED = 1 << 26,  // cells to look at for columns that share values
};

alignment alignment_new(const match_rules *m,
                        const table *gold,
                        const table *pred,
                        arena *a)
{
    return (alignment){.tables = near_tables_of(m, gold, pred, a)};
}

bool alignment_is_list(const alignment *o)
{
    return o->tables.rules->is_ordered && !o->tables.rules->allows_extra_rows
           && o->tables.gold->n_rows == o->tables.pred->n_rows;
}

static ptrdiff_t count_left(const bool *left, ptrdiff_t n)
{
    ptrdiff_t count = 0;
    for (ptrdiff_t r = 0; r < n; r++) {
        count += left[r];
    }
    return count;
}

static void leave_rows(alignment *o,
                       const coded *gold_codes,
                       const coded *pred_codes,
                       arena scratch)
{
    ptrdiff_t n = o->tables.gold->n_rows;
    ptrdiff_t m = o->tables.pred->n_rows;
    ptrdiff_t width = o->tables.gold->n_columns;
    const uint64_t *gold = coded_rows(&scratch, gold_codes, NULL, width);
    const uint64_t *pred =
        coded_rows(&scratch, pred_codes, o->tables.columns, width);
    bool is_list = alignment_is_list(o);
    for (ptrdiff_t r = 0; is_list && r < n; r++) {
        o->gold_left[r] = o->pred_left[r] = gold[r] != pred[r];
    }
    if (!is_list) {
        rows_leave(o->tables.rules->are_sets, gold, n, pred, m, o->gold_left,
                   o->pred_left, scratch);
    }
    o->n_gold_left = count_left(o->gold_left, n);
    o->n_pred_left = count_left(o->pred_left, m);
    assert(o->n_gold_left <= n && o->n_pred_left <= m);
}

// Of the rows that are left, pairs those that are near each other.
static void pair_near_rows(alignment *o)
{
    bool is_list = alignment_is_list(o);
    for (ptrdiff_t g = 0; g < o->tables.gold->n_rows; g++) {
        ptrdiff_t p = is_list ? g : 0;
        ptrdiff_t end = is_list ? g + 1 : o->tables.pred->n_rows;
        for (; o->gold_left[g] && p < end; p++) {
            if (o->pred_left[p] && near_rows_fit(&o->tables, g, p)) {
                o->gold_left[g] = o->pred_left[p] = false;
                o->n_gold_left--;
                o->n_pred_left--;
            }
        }
    }
}

void alignment_apply(alignment *o, const int32_t *columns, arena *a)
{
    o->tables.columns = columns;
    o->gold_left = arena_new(a, bool, o->tables.gold->n_rows);
    o->pred_left = arena_new(a, bool, o->tables.pred->n_rows);
    leave_rows(o, &o->tables.gold_exact, &o->tables.pred_exact, *a);
    if (o->n_gold_left == 0 || o->n_pred_left == 0
        || !near_may_help(o->tables.rules, o->tables.gold, o->tables.pred)) {
        return;
    }
    bool are_few = o->n_gold_left * o->tables.pred->n_rows <= MAX_PAIRED;
    if (are_few || alignment_is_list(o)) {
        pair_near_rows(o);
        return;
    }
    // Too many to try all pairs: all that could be near counts as equal.
    arena scratch = *a;
    near_tables n = o->tables;
    near_code(&n, &scratch);
    leave_rows(o, &n.gold_coarse, &n.pred_coarse, scratch);
}

// ---- guessing the mapping

typedef struct guess {
    const alignment *o;
    int32_t *columns;
    bool *is_used;
} guess;

static hash128 bag_of(const coded *t, ptrdiff_t c)
{
    hash128 sum = {0};
    const uint64_t *codes = coded_column(t, c);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        sum.low += hash_mix(5, codes[r]);
        sum.high += hash_mix(6, codes[r]);
    }
    return sum;
}

static void guess_take(guess *s, ptrdiff_t g, ptrdiff_t p)
{
    assert(s->columns[g] < 0 && !s->is_used[p]);
    s->columns[g] = (int32_t)p;
    s->is_used[p] = true;
}

static void guess_by_values(guess *s, arena scratch)
{
    const alignment *o = s->o;
    hash128 *pred = arena_new(&scratch, hash128, o->tables.pred->n_columns);
    for (ptrdiff_t p = 0; p < o->tables.pred->n_columns; p++) {
        pred[p] = bag_of(&o->tables.pred_exact, p);
    }
    for (ptrdiff_t g = 0; g < o->tables.gold->n_columns; g++) {
        hash128 gold = bag_of(&o->tables.gold_exact, g);
        ptrdiff_t best = -1;
        int best_rank = MATCH_RANKS;
        for (ptrdiff_t p = 0; p < o->tables.pred->n_columns; p++) {
            int rank = match_rank(o->tables.gold, g, o->tables.pred, p);
            if (!s->is_used[p] && hash128_equal(gold, pred[p])
                && rank < best_rank) {
                best = p;
                best_rank = rank;
            }
        }
        if (best >= 0) {
            guess_take(s, g, best);
        }
    }
}

static void guess_by_names(guess *s)
{
    const alignment *o = s->o;
    for (ptrdiff_t g = 0; g < o->tables.gold->n_columns; g++) {
        for (ptrdiff_t p = 0;
             s->columns[g] < 0 && p < o->tables.pred->n_columns; p++) {
            if (!s->is_used[p]
                && match_rank(o->tables.gold, g, o->tables.pred, p) <= 1) {
                guess_take(s, g, p);
            }
        }
    }
}

// How many cells of pred column p hold a value of the counted gold column.
static ptrdiff_t count_shared(const alignment *o,
                              const counter *values,
                              ptrdiff_t p)
{
    ptrdiff_t n = 0;
    const uint64_t *codes = coded_column(&o->tables.pred_exact, p);
    for (ptrdiff_t r = 0; r < o->tables.pred->n_rows; r++) {
        n += !value_is_null(table_at(o->tables.pred, r, p))
             && counter_find(values, codes[r]) != NULL;
    }
    return n;
}

static void guess_by_shared_values(guess *s, arena scratch)
{
    const alignment *o = s->o;
    ptrdiff_t budget = MAX_SHARED;
    for (ptrdiff_t g = 0; g < o->tables.gold->n_columns && budget > 0; g++) {
        if (s->columns[g] >= 0) {
            continue;
        }
        arena inner = scratch;
        counter values = counter_new(&inner, o->tables.gold->n_rows);
        for (ptrdiff_t r = 0; r < o->tables.gold->n_rows; r++) {
            counter_add(&values, coded_column(&o->tables.gold_exact, g)[r]);
        }
        ptrdiff_t most = 0;
        ptrdiff_t best = -1;
        for (ptrdiff_t p = 0; p < o->tables.pred->n_columns; p++) {
            ptrdiff_t n = s->is_used[p] ? 0 : count_shared(o, &values, p);
            if (n > most) {
                most = n;
                best = p;
            }
        }
        if (best >= 0) {
            guess_take(s, g, best);
        }
        budget -= o->tables.gold->n_rows
                  + o->tables.pred->n_rows * o->tables.pred->n_columns;
    }
}

// Numbers, texts and times as bits; a column of NULLs has none.
static unsigned families_of(const table *t, ptrdiff_t c)
{
    unsigned families = 0;
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        value v = table_at(t, r, c);
        families |= value_is_null(v)     ? 0u
                    : value_is_number(v) ? 1u
                    : value_has_bytes(v) ? 2u
                                         : 4u;
    }
    return families;
}

// Could a person take the two columns for the same? With one row there is
// nothing to see but that the two values differ.
static bool columns_look_alike(const alignment *o, ptrdiff_t g, ptrdiff_t p)
{
    unsigned gold = families_of(o->tables.gold, g);
    unsigned pred = families_of(o->tables.pred, p);
    return gold == pred || gold == 0 || pred == 0
           || o->tables.gold->n_rows == 1;
}

// Last resort, when all columns must be used: the same place, or the first
// one that is left.
static void guess_by_places(guess *s)
{
    const alignment *o = s->o;
    if (o->tables.gold->n_columns != o->tables.pred->n_columns) {
        return;
    }
    for (ptrdiff_t g = 0; g < o->tables.gold->n_columns; g++) {
        if (s->columns[g] >= 0) {
            continue;
        }
        // As many pred columns are free as gold columns are not mapped.
        ptrdiff_t p = g;
        for (ptrdiff_t i = 0; s->is_used[p]; i++) {
            p = i;
        }
        assert(p < o->tables.pred->n_columns);
        if (columns_look_alike(o, g, p)) {
            guess_take(s, g, p);
        }
    }
}

int32_t *alignment_guess(const alignment *o, arena *a)
{
    guess s = {.o = o};
    s.columns = arena_new(a, int32_t, o->tables.gold->n_columns);
    arena scratch = *a;
    s.is_used = arena_new(&scratch, bool, o->tables.pred->n_columns);
    for (ptrdiff_t g = 0; g < o->tables.gold->n_columns; g++) {
        s.columns[g] = o->tables.rules->by_position ? (int32_t)g : -1;
    }
    if (!o->tables.rules->by_position) {
        guess_by_values(&s, scratch);
        guess_by_names(&s);
        guess_by_shared_values(&s, scratch);
        guess_by_places(&s);
    }
    return s.columns;
}

ptrdiff_t alignment_lost_column(const int32_t *columns, ptrdiff_t n)
{
    for (ptrdiff_t g = 0; g < n; g++) {
        if (columns[g] < 0) {
            return g;
        }
    }
    return -1;
}

// ---- showing

ptrdiff_t alignment_first(const bool *left, ptrdiff_t n)
{
    const bool *first = n > 0 ? memchr(left, true, (size_t)n) : NULL;
    return first ? first - left : -1;
}

str alignment_show_cells(const alignment *o,
                         ptrdiff_t gold_row,
                         ptrdiff_t pred_row,
                         arena *a,
                         arena scratch)
{
    ptrdiff_t c = 0;
    while (c + 1 < o->tables.gold->n_columns
           && near_cells_fit(&o->tables, gold_row, c, pred_row)) {
        c++;
    }
    buf b = buf_new(&scratch);
    buf_printf(&b, "row %td", gold_row + 1);
    if (o->tables.gold->n_columns > 1 && o->tables.gold->names[c].len > 0) {
        buf_add(&b, S(", "));
        utf8_show(&b, o->tables.gold->names[c], SHOW_TEXT);
    }
    buf_add(&b, S(": "));
    value_show(&b, table_at(o->tables.gold, gold_row, c), SHOW_TEXT);
    buf_add(&b, S(" != "));
    value_show(&b, table_at(o->tables.pred, pred_row, o->tables.columns[c]),
               SHOW_TEXT);
    return arena_str(a, buf_str(&b));
}

str alignment_show_pred_row(const alignment *o, ptrdiff_t row, arena *a)
{
    ptrdiff_t n = o->tables.gold->n_columns;
    value *cells = arena_new(a, value, n);
    for (ptrdiff_t c = 0; c < n; c++) {
        cells[c] = table_at(o->tables.pred, row, o->tables.columns[c]);
    }
    const table one = {.n_rows = 1,
                       .n_columns = n,
                       .names = o->tables.gold->names,
                       .cells = cells};
    return table_show_row(a, &one, 0);
}
