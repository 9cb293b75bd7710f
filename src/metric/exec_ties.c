/*
 * exec_ties.c - order modulo ties, and LIMIT that cuts one: the faults that
 * definitions/comparison.md#order mends.
 *
 * Method      Only where the plain comparison said no. The gold runs once more
 *             with its sort keys after its columns and without LIMIT. Rows
 *             with equal keys, one after the other, are a group; the groups
 *             that the gold's own rows reach into, taken whole, are what any
 *             right answer is chosen from. Each row gets the number of its
 *             group as one more column, the prediction's rows by their
 *             position; then a right answer is a part of the whole, as a bag.
 *             Where order does not count, the groups that LIMIT and OFFSET do
 *             not cut must all be there, and the rest must come from those
 *             that they do.
 */
#include "metric/exec_ties.h"

#include "metric/evidence.h"
#include "relation/relation_choice.h"

#include <assert.h>

typedef struct tied_gold {
    table whole;               // the groups, without the keys
    const ptrdiff_t *groups;   // by row of the whole
    const ptrdiff_t *of_pred;  // by position in the gold's result
    ptrdiff_t full_from;       // rows of the whole whose groups the result
    ptrdiff_t full_to;         // holds in full
} tied_gold;

// Do the rows of `keyed` from `offset` on show what the gold shows?
static bool goes_on_like(const table *keyed,
                         const table *gold,
                         ptrdiff_t offset)
{
    bool same = keyed->n_rows - offset >= gold->n_rows;
    for (ptrdiff_t r = 0; same && r < gold->n_rows; r++) {
        same = values_same(keyed->cells + (offset + r) * keyed->n_columns,
                           gold->cells + r * gold->n_columns, gold->n_columns);
    }
    return same;
}

// Has row r the keys of the row before it?
static bool is_tied(const table *keyed, const engine_choice *c, ptrdiff_t r)
{
    const value *row = keyed->cells + r * keyed->n_columns;
    assert(r > 0 && r < keyed->n_rows);
    const value *before = row - keyed->n_columns;
    for (ptrdiff_t k = 0; k < c->n_keys; k++) {
        int32_t column = c->keys[k].column;
        if (!value_same(row[column], before[column])) {
            return false;
        }
    }
    return true;
}

static tied_gold group_rows(const table *keyed,
                            const table *gold,
                            const engine_choice *keys,
                            arena *a)
{
    ptrdiff_t offset = (ptrdiff_t)keys->offset;
    ptrdiff_t past = offset + gold->n_rows;
    assert(keyed->n_rows >= past);  // see goes_on_like()
    ptrdiff_t *groups = arena_new(a, ptrdiff_t, keyed->n_rows);
    ptrdiff_t rows = 0;
    ptrdiff_t first = 0;  // of the group that holds the first row
    ptrdiff_t last_start = 0;
    ptrdiff_t full_from = 0;
    for (; rows < keyed->n_rows; rows++) {
        bool tied = rows > 0 && is_tied(keyed, keys, rows);
        if (!tied && rows >= past) {
            break;
        }
        last_start = tied ? last_start : rows;
        first = !tied && rows <= offset ? rows : first;
        full_from =
            !tied && rows >= offset && full_from < offset ? rows : full_from;
        groups[rows] = rows == 0 ? 0 : groups[rows - 1] + !tied;
    }
    full_from = full_from < offset ? rows : full_from;
    table whole = *keyed;
    whole.cells += first * keyed->n_columns;
    whole.n_rows = rows - first;
    whole = table_project(a, &whole, NULL, gold->n_columns);
    whole.names = gold->names;
    return (tied_gold){.whole = whole,
                       .groups = groups + first,
                       .of_pred = groups + offset,
                       .full_from = full_from - first,
                       .full_to = last_start - first};
}

// A copy with the number of its group after each row; no real column looks
// like that.
static table with_groups(const table *t, const ptrdiff_t *groups, arena *a)
{
    ptrdiff_t n = t->n_columns + 1;
    value *cells = arena_new(a, value, t->n_rows * n);
    str *names = arena_copy(a, t->names, t->n_columns, 1);
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

static bool is_part(const evidence *e,
                    const table *part,
                    const table *whole,
                    compare_options c)
{
    c.is_ordered = false;
    c.order_not_asked = false;
    c.allows_extra_rows = true;
    return compare_subset(RULES_ASSAY, part, whole, &c, e->a, e->scratch).v
           == ANSWER_YES;
}

static bool fits(const evidence *e,
                 const tied_gold *gold,
                 const table *pred,
                 const compare_options *c)
{
    if (c->is_ordered) {
        table part = with_groups(pred, gold->of_pred, e->a);
        table whole = with_groups(&gold->whole, gold->groups, e->a);
        return is_part(e, &part, &whole, *c);
    }
    table full = gold->whole;
    full.cells += gold->full_from * full.n_columns;
    full.n_rows = gold->full_to - gold->full_from;
    return is_part(e, pred, &gold->whole, *c)
           && (full.n_rows <= 0 || is_part(e, &full, pred, *c));
}

verdict exec_ties(const evidence *e,
                  ptrdiff_t variant,
                  const execution *pred,
                  const compare_options *c,
                  verdict no)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    const table *gold = &set->runs[variant].result;
    const table *rows = &pred->result;
    const binding *b = evidence_gold_tree(e, variant)->binding;
    if (!b || gold->n_rows == 0 || rows->n_rows != gold->n_rows
        || rows->n_columns != gold->n_columns) {
        return no;
    }
    engine_choices own = engine_choices_outermost(e->a, b, e->scratch);
    const engine_choice *keys = &own.top;
    if (!own.is_ordered || (!c->is_ordered && !own.has_limit)
        || keys->sql.len == 0 || keys->n_shown != gold->n_columns) {
        return no;
    }
    execution keyed =
        evidence_run(e, keys->sql, ENGINE_READ_ALL, EVIDENCE_GOLD);
    if (keyed.status != REASON_NONE || keyed.result.n_columns != keys->n_columns
        || !goes_on_like(&keyed.result, gold, (ptrdiff_t)keys->offset)) {
        return no;
    }
    tied_gold tied = group_rows(&keyed.result, gold, keys, e->a);
    if (!fits(e, &tied, rows, c)) {
        return no;
    }
    verdict yes = verdict_yes();
    yes.notes = NOTE_BIT(REASON_ORDER_TIED);
    yes.variant = variant;
    return yes;
}
