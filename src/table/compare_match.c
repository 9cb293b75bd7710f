/*
 * compare_match.c - see compare_match.h.
 *
 * Method      Most results are the same cell by cell, and need no codes. Else
 *             equal codes first, because that is cheap and nearly always
 *             decides. Only when it says no, and numbers that are not exact
 *             take part, the tables are compared once more with the tolerance,
 *             and then with that of single precision where there is such.
 */
#include "table/compare_match.h"

#include "table/compare_explain.h"
#include "table/compare_search.h"

#include <assert.h>

static bool rows_must_pair_up(const match_rules *m)
{
    return !m->are_sets && !m->allows_extra_rows;
}

static bool may_match(const match_rules *m,
                      const table *gold,
                      const table *pred)
{
    if (m->allows_extra_columns ? gold->n_columns > pred->n_columns
                                : gold->n_columns != pred->n_columns) {
        return false;
    }
    if ((gold->n_rows == 0) != (pred->n_rows == 0) || pred->is_cut) {
        return false;
    }
    return !rows_must_pair_up(m) || gold->n_rows == pred->n_rows;
}

// A set is compared as the list or bag of its different rows when all columns
// take part, which lets the search tell more columns apart.
static bool is_list_of_distinct(const match_rules *m)
{
    return m->are_sets && !m->allows_extra_columns && !m->allows_extra_rows;
}

static match_answer match_exactly(const match_rules *m,
                                  const near_tables *n,
                                  int32_t *columns,
                                  arena scratch)
{
    match_rules rules = *m;
    coded gold = n->gold_exact;
    coded pred = n->pred_exact;
    if (is_list_of_distinct(m)) {
        gold = coded_distinct(&scratch, &gold);
        pred = coded_distinct(&scratch, &pred);
        rules.are_sets = false;
        if (gold.n_rows != pred.n_rows) {
            return MATCH_NO;
        }
    }
    const search_input in = {
        .rules = &rules,
        .gold = n->gold,
        .pred = n->pred,
        .gold_codes = &gold,
        .pred_codes = &pred,
        .pred_exact = &pred,
    };
    return search_columns(&in, columns, scratch);
}

static match_answer match_nearly(const match_rules *m,
                                 near_tables *n,
                                 int32_t *columns,
                                 arena scratch)
{
    // Pairs within the tolerance; their ends may be a little further apart.
    const near_limit limit = {.relative = 2 * near_widest(m, n->gold, n->pred)};
    if (!near_columns_may_fit(n, limit, scratch)) {
        return MATCH_NO;
    }
    near_code(n, &scratch);
    const search_input in = {
        .rules = m,
        .gold = n->gold,
        .pred = n->pred,
        .gold_codes = &n->gold_coarse,
        .pred_codes = &n->pred_coarse,
        .pred_exact = &n->pred_exact,
        .near = n,
    };
    return search_columns(&in, columns, scratch);
}

// Has each column a name of its own, which it has in both tables?
static bool names_tell_columns(const table *gold, const table *pred)
{
    enum {
        FEW = 16
    };
    ptrdiff_t n = gold->n_columns;
    bool tell = n <= FEW;
    for (ptrdiff_t c = 0; tell && c < n; c++) {
        tell = str_equal(gold->names[c], pred->names[c]);
        for (ptrdiff_t other = 0; tell && other < c; other++) {
            tell = !str_equal_fold(gold->names[c], gold->names[other]);
        }
    }
    return tell;
}

// The same rows in the same order: then, whatever the rules are, each column is
// its own match. Names say so where several columns may look alike.
static bool are_same(const table *gold, const table *pred)
{
    return gold->n_columns == pred->n_columns && gold->n_rows == pred->n_rows
           && !pred->is_cut
           && (gold->n_columns == 1 || names_tell_columns(gold, pred))
           && values_same(gold->cells, pred->cells,
                          gold->n_rows * gold->n_columns);
}

match match_tables(const match_rules *m,
                   const table *gold,
                   const table *pred,
                   int32_t *columns,
                   arena scratch)
{
    if (!may_match(m, gold, pred)) {
        return (match){.answer = MATCH_NO};
    }
    if (are_same(gold, pred)) {
        for (ptrdiff_t c = 0; c < gold->n_columns; c++) {
            columns[c] = (int32_t)c;
        }
        return (match){.answer = MATCH_YES};
    }
    near_tables n = near_tables_of(m, gold, pred, &scratch);
    match out = {.answer = match_exactly(m, &n, columns, scratch)};
    if (out.answer == MATCH_NO && near_may_help(m, gold, pred)) {
        match_rules plain = *m;
        plain.single_tolerance = 0;
        n.rules = &plain;
        out.answer = match_nearly(&plain, &n, columns, scratch);
        out.needed_tolerance = true;
        n.rules = m;
    }
    if (out.answer == MATCH_NO && out.needed_tolerance
        && near_widest(m, gold, pred) > m->tolerance) {
        out.answer = match_nearly(m, &n, columns, scratch);
        out.needed_single = true;
    }
    return out;
}

// Some gold column is matched by a column of another name while its own name
// stands over the match of another gold column.
static bool labels_are_swapped(const table *gold,
                               const table *pred,
                               const int32_t *columns)
{
    for (ptrdiff_t g = 0; g < gold->n_columns; g++) {
        assert(columns[g] >= 0 && columns[g] < pred->n_columns);
        str name = gold->names[g];
        if (name.len == 0 || str_equal_fold(name, pred->names[columns[g]])) {
            continue;
        }
        for (ptrdiff_t other = 0; other < gold->n_columns; other++) {
            if (str_equal_fold(name, pred->names[columns[other]])
                && !str_equal_fold(name, gold->names[other])) {
                return true;
            }
        }
    }
    return false;
}

static bool order_differs(const match_rules *m,
                          const table *gold,
                          const table *pred,
                          arena scratch)
{
    match_rules lists = *m;
    lists.is_ordered = true;
    int32_t *columns = arena_new(&scratch, int32_t, gold->n_columns);
    return match_tables(&lists, gold, pred, columns, scratch).answer
           == MATCH_NO;
}

static verdict yes_of(const match_rules *m,
                      const match *found,
                      const int32_t *columns,
                      const table *gold,
                      const table *pred,
                      arena scratch)
{
    verdict v = verdict_yes();
    v.columns = columns;
    v.n_columns = gold->n_columns;
    if (found->needed_tolerance) {
        v.notes |= NOTE_BIT(found->needed_single ? REASON_SINGLE_PRECISION
                                                 : REASON_TOLERANCE);
    }
    if (labels_are_swapped(gold, pred, columns)) {
        v.notes |= NOTE_BIT(REASON_LABELS_SWAPPED);
    }
    if (m->notes_order && !m->is_ordered
        && order_differs(m, gold, pred, scratch)) {
        v.notes |= NOTE_BIT(REASON_ORDER_DIFFERS);
    }
    return v;
}

verdict match_verdict(const match_rules *m,
                      const table *gold,
                      const table *pred,
                      arena *a,
                      arena scratch)
{
    int32_t *columns = arena_new(a, int32_t, gold->n_columns);
    match found = match_tables(m, gold, pred, columns, scratch);
    switch (found.answer) {
    case MATCH_YES: return yes_of(m, &found, columns, gold, pred, scratch);
    case MATCH_UNDECIDED:
        return verdict_unknown(REASON_UNDECIDED,
                               S("too many columns look alike"));
    case MATCH_NO: break;
    }
    return compare_explain(m, gold, pred, a, scratch);
}

verdict match_subset_verdict(match_rules m,
                             bool allows_extra_rows,
                             const table *gold,
                             const table *pred,
                             arena *a,
                             arena scratch)
{
    if (gold->n_columns == pred->n_columns) {
        verdict same = match_verdict(&m, gold, pred, a, scratch);
        if (same.v == ANSWER_YES || !allows_extra_rows) {
            return same;
        }
    }
    m.allows_extra_columns = true;
    m.allows_extra_rows = allows_extra_rows;
    return match_verdict(&m, gold, pred, a, scratch);
}
