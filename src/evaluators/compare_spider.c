/*
 * compare_spider.c - the rules `spider`: the evaluator of Spider's test
 * suites, faults included. [definitions/spider.md#execution, [003 5]]
 *
 * Why         Two empty results are equal whatever their columns. Otherwise
 *             one permutation of the prediction's columns must make the rows
 *             equal: as lists where the caller found that order counts, else
 *             as bags. Values are exact.
 *
 *             Before it looks for a permutation the evaluator sorts the cells
 *             of each row by their Python texts. Where equal numbers have
 *             different texts (1 and 1.0) this may reject equal tables. [fault]
 *
 *             The evaluator knows no subset. Here it means: some columns of
 *             the prediction, each used once, make the gold's rows.
 *
 * Method      The permutation first, which decides nearly all. The texts only
 *             when it exists and the tables are not equal type by type, too.
 *
 * Cost        Linear in the rows.
 *
 * Not here    Preparing the SQL, deciding whether order counts, dropping bytes
 *             that are no text: the caller's.
 */
#include "base/order.h"
#include "evaluators/evaluator.h"
#include "table/compare_match.h"
#include "table/value_key.h"
#include "table/value_python.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

compare_need compare_need_spider(comparison what,
                                 const table *gold,
                                 const compare_options *o)
{
    (void)what, (void)o;
    return (compare_need){.rows = gold->n_rows, .distinct = -1};
}

typedef struct sort_cell {
    str text;
    value cell;
} sort_cell;

// Cells of one text are equal, so their order does not matter.
ORDER(compare_cells, sort_cell, ORDER_TEXT(text))

// The key of a row whose cells stand in the order of their texts.
static hash128 sorted_row_key(const table *t, ptrdiff_t row, arena scratch)
{
    ptrdiff_t n = t->n_columns;
    sort_cell *cells = arena_new(&scratch, sort_cell, n);
    for (ptrdiff_t c = 0; c < n; c++) {
        buf b = buf_new(&scratch);
        cells[c].cell = table_at(t, row, c);
        value_add_python(&b, cells[c].cell);
        buf_add(&b, S("<class '"));
        buf_add(&b, value_python_type(cells[c].cell));
        buf_add(&b, S("'>"));
        cells[c].text = buf_str(&b);
    }
    qsort(cells, (size_t)n, sizeof *cells, compare_cells);
    hash128 key = {0};
    for (ptrdiff_t c = 0; c < n; c++) {
        key = key_append(key, value_key(cells[c].cell));
    }
    return key;
}

static hash128 *sorted_row_keys(arena *a, const table *t)
{
    hash128 *keys = arena_new(a, hash128, t->n_rows);
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        keys[r] = sorted_row_key(t, r, *a);
    }
    return keys;
}

// The evaluator's check before it tries permutations.
static bool sorted_rows_equal(const table *gold,
                              const table *pred,
                              const compare_options *o,
                              arena scratch)
{
    assert(gold->n_rows == pred->n_rows);  // they match as bags or lists
    const hash128 *a = sorted_row_keys(&scratch, gold);
    const hash128 *b = sorted_row_keys(&scratch, pred);
    ptrdiff_t n = gold->n_rows;
    return o->is_ordered ? n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0
                         : keys_first_other(a, n, b, n, scratch) < 0
                               && keys_first_other(b, n, a, n, scratch) < 0;
}

// The key of all rows, as a list or as a bag. NULL columns: all in order.
static hash128 typed_rows(const table *t,
                          const int32_t *columns,
                          bool is_ordered)
{
    hash128 rows = {0};
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        hash128 key = {0};
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            ptrdiff_t from = columns ? columns[c] : c;
            key = key_append(key, value_python_key(table_at(t, r, from)));
        }
        rows = is_ordered ? key_append(rows, key) : key_bag_add(rows, key);
    }
    return rows;
}

// True when equal cells have equal texts, so that equal rows sort alike. The
// verdict says which columns are equal.
static bool texts_agree(const table *gold,
                        const table *pred,
                        const compare_options *o,
                        const verdict *v)
{
    unsigned has_texts_of_its_own =
        1u << VALUE_REAL | 1u << VALUE_BOOL | 1u << VALUE_DECIMAL;
    unsigned kinds = table_kinds(gold) | table_kinds(pred);
    if (gold->n_columns == 1 || (kinds & has_texts_of_its_own) == 0) {
        return true;
    }
    return v->columns
           && hash128_equal(typed_rows(gold, NULL, o->is_ordered),
                            typed_rows(pred, v->columns, o->is_ordered));
}

verdict compare_spider(comparison what,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch)
{
    bool is_exec = what == COMPARE_EXEC;
    const match_rules how = {
        .coding = {.kind = CODING_EXACT},
        .is_ordered = o->is_ordered,
        .allows_extra_columns = !is_exec,
    };
    if (is_exec && gold->n_rows == 0 && pred->n_rows == 0) {
        return verdict_yes();
    }
    verdict v = match_verdict(&how, gold, pred, a, scratch);
    if (is_exec && v.v == ANSWER_YES && !texts_agree(gold, pred, o, &v)
        && !sorted_rows_equal(gold, pred, o, scratch)) {
        return verdict_no(
            REASON_TYPES_DIFFER,
            S("equal numbers whose texts sort differently, as 1 and "
              "1.0 do beside 10"));
    }
    return v;
}
