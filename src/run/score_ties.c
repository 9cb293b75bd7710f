/*
 * score_ties.c - order modulo ties, and LIMIT that cuts one [000; the fault N4
 * of rules/defog.md].
 *
 * Method      Only where the plain comparison said no. The gold runs once more
 *             with its sort keys behind its columns and without LIMIT. Rows
 *             with equal keys, one behind the other, are a group; the groups
 *             that the gold's own rows reach into, taken whole, are what any
 *             right answer is chosen from. Each row gets the number of its
 *             group as one more column, the prediction's rows by their
 *             position; then a right answer is a part of the whole, as a bag.
 *             Where order does not count, the groups before the last must all
 *             be there, and the rest must come from the last.
 */
#include "run/score_case.h"
#include "sql/sort_keys.h"

typedef struct tied_gold {
    table whole;              // the groups, without the keys
    const ptrdiff_t *groups;  // by row
    ptrdiff_t n_before_last;  // rows of all groups but the last
} tied_gold;

static bool cell_equal(value a, value b)
{
    if (value_has_bytes(a) || value_has_bytes(b)) {
        return a.kind == b.kind && str_equal(value_bytes(a), value_bytes(b));
    }
    bool mixed = a.kind != b.kind;
    return !mixed
           && (a.kind == VALUE_NULL
               || (a.kind == VALUE_REAL ? a.real == b.real : a.i == b.i));
}

static bool cells_equal(const value *a, const value *b, ptrdiff_t n)
{
    bool same = true;
    for (ptrdiff_t i = 0; same && i < n; i++) {
        same = cell_equal(a[i], b[i]);
    }
    return same;
}

// Do the first rows of `keyed` show what the gold shows?
static bool begins_like(const table *keyed, const table *gold)
{
    bool same = keyed->n_rows >= gold->n_rows;
    for (ptrdiff_t r = 0; same && r < gold->n_rows; r++) {
        same = cells_equal(keyed->cells + r * keyed->n_columns,
                           gold->cells + r * gold->n_columns, gold->n_columns);
    }
    return same;
}

static tied_gold group_rows(const table *keyed, const table *gold, arena *a)
{
    ptrdiff_t n = gold->n_columns;
    ptrdiff_t n_keys = keyed->n_columns - n;
    ptrdiff_t *groups = arena_new(a, ptrdiff_t, keyed->n_rows);
    ptrdiff_t rows = 0;
    ptrdiff_t last_start = 0;
    for (; rows < keyed->n_rows; rows++) {
        const value *row = keyed->cells + rows * keyed->n_columns;
        bool is_tied =
            rows > 0
            && cells_equal(row + n, row + n - keyed->n_columns, n_keys);
        if (!is_tied && rows >= gold->n_rows) {
            break;
        }
        last_start = is_tied ? last_start : rows;
        groups[rows] = rows == 0 ? 0 : groups[rows - 1] + !is_tied;
    }
    value *cells = arena_new(a, value, rows * n);
    for (ptrdiff_t r = 0; r < rows; r++) {
        for (ptrdiff_t c = 0; c < n; c++) {
            cells[r * n + c] = keyed->cells[r * keyed->n_columns + c];
        }
    }
    table whole = {
        .n_rows = rows, .n_columns = n, .names = gold->names, .cells = cells};
    return (tied_gold){whole, groups, last_start};
}

// A copy with the number of its group behind each row; no real column looks
// like that.
static table with_groups(const table *t, const ptrdiff_t *groups, arena *a)
{
    ptrdiff_t n = t->n_columns + 1;
    value *cells = arena_new(a, value, t->n_rows * n);
    str *names = arena_new(a, str, n);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        names[c] = t->names[c];
    }
    names[t->n_columns] = S("\x01tie");
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            cells[r * n + c] = table_at(t, r, c);
        }
        cells[r * n + n - 1] =
            value_text(arena_printf(a, "\x01tie %td", groups[r]));
    }
    return (table){
        .n_rows = t->n_rows, .n_columns = n, .names = names, .cells = cells};
}

static bool is_part(judging *j,
                    const table *part,
                    const table *whole,
                    compare_options c)
{
    c.is_ordered = false;
    c.order_not_asked = false;
    c.allows_extra_rows = true;
    return compare_subset(RULES_ASSAY, part, whole, &c, j->a, j->s->scratch).v
           == ANSWER_YES;
}

static bool fits(judging *j,
                 const tied_gold *gold,
                 const table *pred,
                 const compare_options *c)
{
    if (c->is_ordered) {
        table part = with_groups(pred, gold->groups, j->a);
        table whole = with_groups(&gold->whole, gold->groups, j->a);
        return is_part(j, &part, &whole, *c);
    }
    table before = gold->whole;
    before.n_rows = gold->n_before_last;
    return is_part(j, pred, &gold->whole, *c)
           && (before.n_rows == 0 || is_part(j, &before, pred, *c));
}

verdict score_ties(judging *j,
                   ptrdiff_t variant,
                   const execution *pred,
                   const compare_options *c,
                   verdict no)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    const table *gold = &set->runs[variant].result;
    const table *rows = &pred->result;
    sort_keys keys;
    if (!set->variants[variant].has_order || gold->n_rows == 0
        || rows->n_rows != gold->n_rows || rows->n_columns != gold->n_columns
        || !sort_keys_of(&keys, j->a, set->variants[variant].sql,
                         j->s->options->dialect, j->s->scratch)
        || (!c->is_ordered && !keys.had_limit)) {
        return no;
    }
    execution keyed = score_run_text(j, keys.sql, ENGINE_READ_ALL, WATCH_GOLD);
    if (keyed.status != REASON_NONE
        || keyed.result.n_columns != gold->n_columns + keys.n_keys
        || !begins_like(&keyed.result, gold)) {
        return no;
    }
    tied_gold tied = group_rows(&keyed.result, gold, j->a);
    if (!fits(j, &tied, rows, c)) {
        return no;
    }
    verdict yes = verdict_yes();
    yes.notes = NOTE_BIT(REASON_ORDER_TIED);
    yes.variant = variant;
    return yes;
}
