/*
 * compare_assay.c - the default rules: what a careful person would say.
 *
 * Columns     Names never matter. Any order, unless same_column_order; the
 *             mapping that fits is reported, equal names win among several.
 * Rows        A bag; a list when is_ordered; each once when rows_are_sets.
 * Values      By value: 1 = 1.0 = true, decimals exactly, text by its bytes
 *             in NFC, a date is its midnight, NULL equals NULL only. Where a
 *             REAL takes part, within 1e-9 relative, within 1e-6 where one is
 *             of single precision or computed from such, and the yes says so.
 * Empty       Equals empty with as many columns.
 * Subset      Every gold column is found, more columns allowed; more rows
 *             only with allows_extra_rows, and never for an empty gold.
 *
 * Here the options are put into match_rules; compare_match.c does the work.
 */
#include "base/utf8.h"
#include "table/compare.h"
#include "table/compare_match.h"

static bool says_nothing(const table *t)
{
    return t->n_rows <= 1 && !t->is_cut && table_is_null(t);
}

verdict compare_note_empty(verdict v, const table *gold, const table *pred)
{
    if (v.v == ANSWER_YES && says_nothing(gold) && says_nothing(pred)) {
        v.notes |= NOTE_BIT(REASON_BOTH_EMPTY);
    }
    return v;
}

static match_rules rules_of(const compare_options *o)
{
    return (match_rules){
        .coding.kind = CODING_VALUE,
        .tolerance = o->has_tolerance ? o->tolerance : COMPARE_TOLERANCE,
        .single_tolerance = o->has_tolerance ? 0 : COMPARE_SINGLE_TOLERANCE,
        .is_ordered = o->is_ordered,
        .are_sets = o->rows_are_sets,
        .by_position = o->same_column_order,
        .notes_order = o->order_not_asked,
    };
}

verdict compare_assay(comparison what,
                      const table *gold,
                      const table *pred,
                      const compare_options *o,
                      arena *a,
                      arena scratch)
{
    const match_rules m = rules_of(o);
    return what == COMPARE_SUBSET ? match_subset_verdict(
               m, o->allows_extra_rows, gold, pred, a, scratch)
                                  : match_verdict(&m, gold, pred, a, scratch);
}

bool compare_is_same_assay(const table *gold,
                           const table *pred,
                           const compare_options *o,
                           arena scratch)
{
    const match_rules m = rules_of(o);
    int32_t *columns = arena_new(&scratch, int32_t, gold->n_columns);
    return match_tables(&m, gold, pred, columns, scratch).answer == MATCH_YES;
}

// Can rows be equal that a reader who counts different rows tells apart?
static bool is_soft(value v)
{
    return v.kind == VALUE_REAL
           || (v.kind == VALUE_TEXT && !utf8_is_ascii(value_bytes(v)));
}

compare_need compare_need_assay(comparison what,
                                const table *gold,
                                const compare_options *o)
{
    compare_need all = {.rows = gold->n_rows, .distinct = -1};
    if (o->rows_are_sets && what == COMPARE_EXEC) {
        all.distinct = table_has(gold, is_soft) ? -1 : gold->n_rows;
    }
    // Rows that differ in extra columns only may be the same to the gold.
    bool is_open =
        o->rows_are_sets || (what == COMPARE_SUBSET && o->allows_extra_rows);
    all.rows = is_open ? -1 : all.rows;
    return all;
}
