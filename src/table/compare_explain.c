/*
 * compare_explain.c - see compare_explain.h.
 *
 * Method      From the outside in. Different counts of columns, and a side
 *             without rows, are told at once. Then the tables are matched
 *             again under weaker rules, one weakness at a time: the first that
 *             makes them match is the reason. Last, the most likely mapping of
 *             columns is laid over the tables and what sticks out is shown.
 *
 * Cost        A handful of matches, each linear; those that cannot help (no
 *             REAL to round, no text against a number) are left out.
 */
#include "table/compare_explain.h"

#include "base/utf8.h"
#include "table/compare_near.h"
#include "table/explain_align.h"
#include "table/table_count.h"

enum {
    STEPS_PER_CELL = 8,
    MIN_STEPS = 1 << 22,
    MAX_PAIRED_NULLS = 500,  // rows that differ and are paired by null_handling
    MAX_COMPARED = 1000,     // rows in which a counterpart is looked for
    SHOW_NAME = 40,          // characters of the name of a column
    MIN_DIGITS = 2,          // rounding
    MAX_DIGITS = 6,
};

typedef struct explanation {
    const match_rules *rules;
    const table *gold;
    const table *pred;
    arena *a;
    arena scratch;
} explanation;

static match_rules cheaper(const explanation *e)
{
    match_rules m = *e->rules;
    m.max_steps = MIN_STEPS
                  + STEPS_PER_CELL
                        * (e->gold->n_rows * e->gold->n_columns
                           + e->pred->n_rows * e->pred->n_columns);
    return m;
}

// The mapping under which the tables match by these rules, or NULL. Clears the
// tolerance in *m when it was not needed.
static const int32_t *match_under(explanation *e, match_rules *m)
{
    int32_t *columns = arena_new(&e->scratch, int32_t, e->gold->n_columns);
    match found = match_tables(m, e->gold, e->pred, columns, e->scratch);
    m->tolerance = found.needed_tolerance ? m->tolerance : 0;
    return found.answer == MATCH_YES ? columns : NULL;
}

// ---- before any cell is looked at

static bool explain_columns(explanation *e, verdict *out)
{
    ptrdiff_t n = e->gold->n_columns;
    ptrdiff_t m = e->pred->n_columns;
    if (e->rules->allows_extra_columns ? n <= m : n == m) {
        return false;
    }
    *out = verdict_no(
        REASON_COLUMNS_DIFFER,
        arena_printf(e->a, "%td column%s against %td", n, plural(n), m));
    if (e->gold->n_rows == 0 && e->pred->n_rows == 0) {
        out->notes |= NOTE_BIT(REASON_BOTH_EMPTY);
    }
    return true;
}

// "3 rows against 5", or "against more than 5" when reading stopped there.
static str show_row_counts(explanation *e, arena *a)
{
    ptrdiff_t n = e->gold->n_rows;
    return arena_printf(a, "%td row%s against %s%td", n, plural(n),
                        e->pred->is_cut ? "more than " : "",
                        e->pred->n_rows - e->pred->is_cut);
}

// One side has no rows: that says more than the number of its columns.
static bool explain_empty(explanation *e, verdict *out)
{
    bool gold_is_empty = e->gold->n_rows == 0;
    bool pred_is_empty = e->pred->n_rows == 0;
    if (gold_is_empty == pred_is_empty) {
        return false;
    }
    *out = verdict_no(gold_is_empty ? REASON_EXTRA_ROWS : REASON_MISSING_ROWS,
                      show_row_counts(e, e->a));
    return true;
}

static bool explain_cut(explanation *e, verdict *out)
{
    if (!e->pred->is_cut) {
        return false;
    }
    *out = verdict_no(REASON_EXTRA_ROWS, show_row_counts(e, e->a));
    return true;
}

// ---- weaker rules

// A pair of rows that these weaker rules count as equal and the real ones do
// not: what to show.
static str show_weak_pair(explanation *e,
                          const match_rules *weaker,
                          const int32_t *columns)
{
    arena scratch = e->scratch;
    alignment real = alignment_new(e->rules, e->gold, e->pred, &scratch);
    alignment_apply(&real, columns, &scratch);
    near_tables weak = near_tables_of(weaker, e->gold, e->pred, &scratch);
    weak.columns = columns;
    ptrdiff_t g = alignment_first(real.gold_left, e->gold->n_rows);
    for (ptrdiff_t p = 0; g >= 0 && p < e->pred->n_rows; p++) {
        if (real.pred_left[p] && near_rows_fit(&weak, g, p)) {
            return alignment_show_cells(&real, g, p, e->a, scratch);
        }
    }
    return (str){0};
}

static bool explain_order(explanation *e, verdict *out)
{
    match_rules rules = cheaper(e);
    if (!rules.is_ordered) {
        return false;
    }
    rules.is_ordered = false;
    const int32_t *columns = match_under(e, &rules);
    if (!columns) {
        return false;
    }
    rules.is_ordered = true;  // and so a list again
    alignment o = alignment_new(&rules, e->gold, e->pred, &e->scratch);
    alignment_apply(&o, columns, &e->scratch);
    ptrdiff_t r = alignment_first(o.gold_left, e->gold->n_rows);
    bool has_counterpart = r >= 0 && r < e->pred->n_rows && o.pred_left[r];
    *out = verdict_no(REASON_ORDER_DIFFERS, S("the same rows"));
    if (has_counterpart) {
        out->detail = alignment_show_cells(&o, r, r, e->a, e->scratch);
    }
    return true;
}

static bool explain_places(explanation *e, verdict *out)
{
    match_rules any = cheaper(e);
    if (!any.by_position) {
        return false;
    }
    any.by_position = false;
    if (!match_under(e, &any)) {
        return false;
    }
    *out = verdict_no(REASON_COLUMNS_DIFFER,
                      S("the same columns in another order"));
    return true;
}

// "row (1, 'x') comes 2 times against 1"
static str show_repetition(explanation *e,
                           const match_rules *sets,
                           const int32_t *columns)
{
    if (sets->tolerance > 0) {
        return show_row_counts(e, e->a);  // repeated only nearly
    }
    arena scratch = e->scratch;
    alignment o = alignment_new(sets, e->gold, e->pred, &scratch);
    ptrdiff_t n = e->gold->n_columns;
    const uint64_t *gold = coded_rows(&scratch, &o.tables.gold_exact, NULL, n);
    const uint64_t *pred =
        coded_rows(&scratch, &o.tables.pred_exact, columns, n);
    counter counts = counter_new(&scratch, e->gold->n_rows + e->pred->n_rows);
    for (ptrdiff_t r = 0; r < e->gold->n_rows; r++) {
        counter_add(&counts, gold[r])->gold++;
    }
    for (ptrdiff_t r = 0; r < e->pred->n_rows; r++) {
        counter_add(&counts, pred[r])->pred++;
    }
    for (ptrdiff_t r = 0; r < e->gold->n_rows; r++) {
        const code_count *c = counter_find(&counts, gold[r]);
        bool is_fine = c->gold == c->pred
                       || (sets->allows_extra_rows && c->gold < c->pred);
        if (!is_fine) {
            return arena_printf(e->a, "row %.*s comes %u time%s against %u",
                                STR_ARG(table_show_row(&scratch, e->gold, r)),
                                c->gold, plural(c->gold), c->pred);
        }
    }
    return show_row_counts(e, e->a);
}

// Could a row be repeated, once mapped?
static bool has_repetition(const explanation *e, const table *t)
{
    arena scratch = e->scratch;
    coded codes = table_code(&scratch, t, e->rules->coding);
    return coded_distinct(&scratch, &codes).n_rows < t->n_rows;
}

static bool explain_repetition(explanation *e, verdict *out)
{
    match_rules sets = cheaper(e);
    bool may_help = sets.allows_extra_columns || has_repetition(e, e->gold)
                    || has_repetition(e, e->pred);
    if (sets.are_sets || !may_help) {
        return false;
    }
    sets.are_sets = true;
    sets.is_ordered = false;
    const int32_t *columns = match_under(e, &sets);
    if (!columns) {
        return false;
    }
    *out = verdict_no(REASON_DUPLICATES_DIFFER,
                      show_repetition(e, &sets, columns));
    return true;
}

enum {
    NUMBER_KINDS =
        1 << VALUE_INT | 1 << VALUE_REAL | 1 << VALUE_BOOL | 1 << VALUE_DECIMAL,
    TIME_KINDS = 1 << VALUE_DATE | 1 << VALUE_TIMESTAMP | 1 << VALUE_INSTANT,
    INEXACT_KINDS = 1 << VALUE_REAL | 1 << VALUE_DECIMAL,
};

static bool explain_types(explanation *e, verdict *out)
{
    const unsigned may_differ_in_kind =
        TIME_KINDS | 1 << VALUE_BLOB | 1 << VALUE_OTHER;
    unsigned kinds = table_kinds(e->gold) | table_kinds(e->pred);
    bool may_help = e->rules->coding.kind == CODING_STRICT
                    || (kinds & may_differ_in_kind)
                    || table_has(e->gold, value_is_spelled)
                    || table_has(e->pred, value_is_spelled);
    if (!may_help) {
        return false;
    }
    match_rules loose = cheaper(e);
    loose.coding.kind = CODING_LOOSE;
    const int32_t *columns = match_under(e, &loose);
    if (!columns) {
        return false;
    }
    *out = verdict_no(REASON_TYPES_DIFFER, show_weak_pair(e, &loose, columns));
    return true;
}

static bool rounding_may_help(const explanation *e)
{
    unsigned kinds = table_kinds(e->gold) | table_kinds(e->pred);
    if (!(kinds & INEXACT_KINDS)) {
        return false;
    }
    // Numbers with equal roundings to two places.
    const near_limit limit = {.relative = 1e-15, .absolute = 0.01001};
    arena scratch = e->scratch;
    near_tables n = near_tables_of(e->rules, e->gold, e->pred, &scratch);
    return near_columns_may_fit(&n, limit, scratch);
}

static bool explain_rounding(explanation *e, verdict *out)
{
    if (!rounding_may_help(e)) {
        return false;
    }
    match_rules rounded = cheaper(e);
    rounded.coding.kind = CODING_ROUNDED;
    rounded.tolerance = 0;
    int best = 0;
    const int32_t *columns = NULL;
    for (int digits = MIN_DIGITS; digits <= MAX_DIGITS; digits++) {
        rounded.coding.digits = digits;
        const int32_t *found = match_under(e, &rounded);
        if (found) {
            best = digits;
            columns = found;
        } else if (best) {
            break;
        }
    }
    if (!best) {
        return false;
    }
    rounded.coding.digits = best;
    str pair = show_weak_pair(e, &rounded, columns);
    *out =
        verdict_no(REASON_VALUES_NEAR,
                   arena_printf(e->a, "equal when rounded to %d digits%s%.*s",
                                best, pair.len > 0 ? "; " : "", STR_ARG(pair)));
    return true;
}

// ---- what sticks out

static bool differ_by_nulls(const alignment *o, ptrdiff_t g, ptrdiff_t p)
{
    for (ptrdiff_t c = 0; c < o->tables.gold->n_columns; c++) {
        bool gold_is_null = value_is_null(table_at(o->tables.gold, g, c));
        bool pred_is_null =
            value_is_null(table_at(o->tables.pred, p, o->tables.columns[c]));
        if (!near_cells_fit(&o->tables, g, c, p) && !gold_is_null
            && !pred_is_null) {
            return false;
        }
    }
    return true;
}

// Pairs every row that is left with one from which only NULLs tell it apart.
static bool explain_nulls(explanation *e, const alignment *o, verdict *out)
{
    bool is_list = alignment_is_list(o);
    if (o->n_gold_left == 0 || o->n_gold_left != o->n_pred_left
        || o->n_gold_left > MAX_PAIRED_NULLS) {
        return false;
    }
    bool *is_paired = arena_new(&e->scratch, bool, e->pred->n_rows);
    ptrdiff_t first_partner = -1;
    for (ptrdiff_t g = 0; g < e->gold->n_rows; g++) {
        if (!o->gold_left[g]) {
            continue;
        }
        ptrdiff_t p = is_list ? g : 0;
        ptrdiff_t end = is_list ? g + 1 : e->pred->n_rows;
        while (p < end
               && (!o->pred_left[p] || is_paired[p]
                   || !differ_by_nulls(o, g, p))) {
            p++;
        }
        if (p == end) {
            return false;
        }
        is_paired[p] = true;
        first_partner = first_partner < 0 ? p : first_partner;
    }
    ptrdiff_t g = alignment_first(o->gold_left, e->gold->n_rows);
    *out =
        verdict_no(REASON_NULL_HANDLING,
                   alignment_show_cells(o, g, first_partner, e->a, e->scratch));
    return true;
}

static bool explain_lost_column(explanation *e,
                                const int32_t *columns,
                                verdict *out)
{
    ptrdiff_t g = alignment_lost_column(columns, e->gold->n_columns);
    if (g < 0) {
        return false;
    }
    buf b = buf_new(e->a);
    buf_printf(&b, "gold column %td", g + 1);
    if (e->gold->names[g].len > 0) {
        buf_add(&b, S(", "));
        utf8_show(&b, e->gold->names[g], SHOW_NAME);
        buf_char(&b, ',');
    }
    buf_add(&b, S(" is not found"));
    *out = verdict_no(REASON_COLUMNS_DIFFER, buf_str(&b));
    return true;
}

static str show_missing(explanation *e, ptrdiff_t g, arena *a)
{
    str row = table_show_row(&e->scratch, e->gold, g);
    return arena_printf(a, "row %.*s is missing", STR_ARG(row));
}

static str show_extra(explanation *e, const alignment *o, ptrdiff_t p, arena *a)
{
    str row = alignment_show_pred_row(o, p, &e->scratch);
    return arena_printf(a, "row %.*s is extra", STR_ARG(row));
}

static bool explain_row_counts(explanation *e,
                               const alignment *o,
                               bool is_laid,
                               verdict *out)
{
    ptrdiff_t n = e->gold->n_rows;
    ptrdiff_t m = e->pred->n_rows;
    bool too_few = n > m && !e->rules->are_sets;
    bool too_many =
        n < m && !e->rules->are_sets && !e->rules->allows_extra_rows;
    if (!too_few && !too_many) {
        return false;
    }
    ptrdiff_t g = is_laid && too_few ? alignment_first(o->gold_left, n) : -1;
    ptrdiff_t p = is_laid && too_many ? alignment_first(o->pred_left, m) : -1;
    str which = g >= 0   ? show_missing(e, g, &e->scratch)
                : p >= 0 ? show_extra(e, o, p, &e->scratch)
                         : (str){0};
    str counts = show_row_counts(e, &e->scratch);
    *out = verdict_no(too_few ? REASON_MISSING_ROWS : REASON_EXTRA_ROWS,
                      arena_printf(e->a, "%.*s%s%.*s", STR_ARG(counts),
                                   which.len > 0 ? "; " : "", STR_ARG(which)));
    return true;
}

// The pred row that is left and shares most cells with gold row g; -1 when
// none shares any.
static ptrdiff_t counterpart_of(const alignment *o, ptrdiff_t g)
{
    ptrdiff_t best = -1;
    ptrdiff_t most = 0;
    ptrdiff_t compared = 0;
    for (ptrdiff_t p = 0; p < o->tables.pred->n_rows && compared < MAX_COMPARED;
         p++) {
        if (!o->pred_left[p]) {
            continue;
        }
        compared++;
        ptrdiff_t shared = 0;
        for (ptrdiff_t c = 0; c < o->tables.gold->n_columns; c++) {
            shared += near_cells_fit(&o->tables, g, c, p);
        }
        if (shared > most) {
            most = shared;
            best = p;
        }
    }
    bool is_only_one = o->n_gold_left == 1 && o->n_pred_left == 1;
    return best < 0 && is_only_one
               ? alignment_first(o->pred_left, o->tables.pred->n_rows)
               : best;
}

static verdict explain_rows(explanation *e, const alignment *o)
{
    ptrdiff_t g = alignment_first(o->gold_left, e->gold->n_rows);
    if (g < 0) {
        ptrdiff_t p = alignment_first(o->pred_left, e->pred->n_rows);
        return p >= 0
                   ? verdict_no(REASON_EXTRA_ROWS, show_extra(e, o, p, e->a))
                   : verdict_no(REASON_ROWS_DIFFER,
                                S("values differ by more than the tolerance"));
    }
    bool is_list = alignment_is_list(o);
    bool only_missing =
        o->n_pred_left == 0 || o->tables.rules->allows_extra_rows;
    reason r = only_missing ? REASON_MISSING_ROWS : REASON_ROWS_DIFFER;
    ptrdiff_t p = is_list ? g : counterpart_of(o, g);
    if (p >= 0 && !only_missing) {
        return verdict_no(r, alignment_show_cells(o, g, p, e->a, e->scratch));
    }
    return verdict_no(r, show_missing(e, g, e->a));
}

static verdict explain_alignment(explanation *e)
{
    alignment o = alignment_new(e->rules, e->gold, e->pred, &e->scratch);
    const int32_t *columns = alignment_guess(&o, &e->scratch);
    verdict out = {0};
    bool is_laid = !explain_lost_column(e, columns, &out);
    if (is_laid) {
        alignment_apply(&o, columns, &e->scratch);
    }
    if (explain_row_counts(e, &o, is_laid, &out) || !is_laid
        || explain_nulls(e, &o, &out)) {
        return out;
    }
    return explain_rows(e, &o);
}

verdict compare_explain(const match_rules *m,
                        const table *gold,
                        const table *pred,
                        arena *a,
                        arena scratch)
{
    explanation e = {m, gold, pred, a, scratch};
    verdict out = {0};
    if (explain_empty(&e, &out) || explain_columns(&e, &out)
        || explain_cut(&e, &out) || explain_order(&e, &out)
        || explain_places(&e, &out) || explain_repetition(&e, &out)
        || explain_types(&e, &out) || explain_rounding(&e, &out)) {
        return out;
    }
    return explain_alignment(&e);
}
