/*
 * explain.c - see explain.h.
 *
 * Method      Reasons are tried in their order, each under all orders of
 *             columns, the given one first. Causes are read off the smallest
 *             witness: the minimiser tried the plain alternative of each.
 */
#include "check/explain.h"

#include "check/legal.h"

#include <assert.h>
#include <math.h>

enum {
    MAX_ORDERS = 720,
};

// How the counts of equal rows differ.
enum {
    COUNTS_LESS = 1,    // some row is fewer times on the left
    COUNTS_MORE = 2,    // or more times
    COUNTS_UNLIKE = 4,  // or on one side alone
};

typedef struct reason_job {
    const possible_results *l;
    const possible_results *r;
    int32_t *left;  // numbers of rows
    int32_t *right;
    unsigned may;  // COUNTS_*
    arena scratch;
} reason_job;

static bool holds_under(void *context, const int32_t *columns)
{
    reason_job *job = context;
    arena scratch = job->scratch;
    ptrdiff_t n = possible_results_number_rows(job->l, job->r, columns,
                                               job->left, job->right, scratch);
    int32_t *left = arena_new(&scratch, int32_t, n);
    int32_t *right = arena_new(&scratch, int32_t, n);
    unsigned differ = 0;
    for (ptrdiff_t i = 0; i < job->l->n_rows; i++) {
        left[job->left[i]]++;
    }
    for (ptrdiff_t i = 0; i < job->r->n_rows; i++) {
        right[job->right[i]]++;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        differ |= (left[i] < right[i] ? COUNTS_LESS : 0)
                  | (left[i] > right[i] ? COUNTS_MORE : 0)
                  | ((left[i] > 0) != (right[i] > 0) ? COUNTS_UNLIKE : 0);
    }
    return (differ & ~job->may) == 0;
}

static bool holds(const table *left,
                  const table *right,
                  double tolerance,
                  bool by_position,
                  unsigned may,
                  arena a,
                  arena scratch)
{
    ptrdiff_t n = left->n_columns;
    assert(n == right->n_columns);  // results of unlike width differ for sure
    coder codes = coder_new(&a, (left->n_rows + right->n_rows) * n, tolerance);
    possible_results l =
        possible_results_plain(&a, &codes, left, false, scratch);
    possible_results r =
        possible_results_plain(&a, &codes, right, false, scratch);
    reason_job job = {
        .l = &l,
        .r = &r,
        .left = arena_new(&a, int32_t, l.n_rows),
        .right = arena_new(&a, int32_t, r.n_rows),
        .may = may,
        .scratch = scratch,
    };
    int32_t *columns = arena_new(&a, int32_t, n);
    bool gave_up = false;
    return possible_results_try_orders(n, NULL, by_position ? 1 : MAX_ORDERS,
                                       columns, holds_under, &job, &gave_up);
}

// All numbers written as text; numbers of equal value alike.
static value as_text(value v, arena *a, const void *context)
{
    (void)context;
    double d = value_is_number(v) ? value_to_double(v) : 0;
    bool is_whole = fabs(d) < 1e15 && floor(d) == d;
    return !value_is_number(v) ? v
           : is_whole ? value_text(arena_printf(a, "%lld", (long long)d))
                      : value_text(arena_printf(a, "%.15g", d));
}

// All letters in lower case.
static value as_lower(value v, arena *a, const void *context)
{
    (void)context;
    return v.kind == VALUE_TEXT ? value_text(arena_lower(a, value_bytes(v)))
                                : v;
}

static str count_detail(const table *l, const table *r, arena *a)
{
    return l->n_rows == r->n_rows
               ? arena_printf(a, "%td row%s each", l->n_rows, plural(l->n_rows))
               : arena_printf(a, "%td row%s against %td", l->n_rows,
                              plural(l->n_rows), r->n_rows);
}

str explain_reason(const table *left,
                   const table *right,
                   bool is_list,
                   bool by_position,
                   double tolerance,
                   str *detail,
                   arena *a,
                   arena scratch)
{
    const struct {
        reason reason;
        unsigned may;
    } by_rows[] = {
        {REASON_DUPLICATES_DIFFER, COUNTS_LESS | COUNTS_MORE},
        {REASON_MISSING_ROWS, COUNTS_MORE | COUNTS_UNLIKE},
        {REASON_EXTRA_ROWS, COUNTS_LESS | COUNTS_UNLIKE},
    };
    *detail = count_detail(left, right, a);
    arena one = *a;
    if (is_list
        && holds(left, right, tolerance, by_position, 0, one, scratch)) {
        *detail = S("the same rows in another order");
        return reason_word(REASON_ORDER_DIFFERS);
    }
    arena two = *a;
    table left_texts = table_change(&two, left, as_text, NULL);
    table right_texts = table_change(&two, right, as_text, NULL);
    if (holds(&left_texts, &right_texts, tolerance, by_position, 0, two,
              scratch)) {
        *detail = S("equal only when numbers are written as text");
        return reason_word(REASON_TYPES_DIFFER);
    }
    if (by_position && holds(left, right, tolerance, false, 0, one, scratch)) {
        *detail = S("the same columns in another order");
        return reason_word(REASON_COLUMN_ORDER);
    }
    for (ptrdiff_t i = 0; i < countof(by_rows); i++) {
        if (holds(left, right, tolerance, by_position, by_rows[i].may, one,
                  scratch)) {
            return reason_word(by_rows[i].reason);
        }
    }
    return reason_word(REASON_ROWS_DIFFER);
}

static bool is_plain(value v)
{
    static const char *const texts[] = {"a", "b", "", "2020-01-01"};
    bool plain = value_is_null(v)
                 || (v.kind == VALUE_INT && v.i >= 0 && v.i <= 2)
                 || (v.kind == VALUE_REAL
                     && (v.real == 0 || v.real == 1 || v.real == 2));
    for (ptrdiff_t i = 0; v.kind == VALUE_TEXT && i < countof(texts); i++) {
        plain |= str_equal(value_bytes(v), str_from(texts[i]));
    }
    return plain;
}

static bool fits_type(const schema_column *c, value v)
{
    switch (c->affinity) {
    case AFFINITY_INTEGER: return v.kind == VALUE_INT;
    case AFFINITY_REAL:
    case AFFINITY_NUMERIC:
        return value_is_number(v)
               || (v.kind == VALUE_TEXT
                   && (c->kind == KIND_DATE || c->kind == KIND_TIME
                       || c->kind == KIND_TIMESTAMP));
    case AFFINITY_TEXT: return v.kind == VALUE_TEXT;
    case AFFINITY_BLOB: break;
    }
    return true;
}

static bool is_large(value v)
{
    return value_is_number(v) && fabs(value_to_double(v)) > 9007199254740992.0;
}

static unsigned cell_causes(const schema_column *c, value v)
{
    if (value_is_null(v)) {
        return 1u << CAUSE_NULL_HANDLING;
    }
    return (is_plain(v) ? 0 : 1u << CAUSE_BOUNDARY)
           | (fits_type(c, v) ? 0 : 1u << CAUSE_OFF_TYPE)
           | (is_large(v) ? 1u << CAUSE_OVERFLOW : 0);
}

static unsigned table_causes(const instance *rows,
                             const reading *reads,
                             int32_t t)
{
    assert(t >= 0 && t < rows->schema->n_tables);
    unsigned causes = 0;
    const schema_table *from = &rows->schema->tables[t];
    if (reads->tables[t] && !from->view && rows->tables[t].n_rows == 0) {
        causes |= 1u << CAUSE_EMPTY_INPUT;
    }
    ptrdiff_t n = rows->tables[t].n_rows * from->n_columns;
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t c = i % from->n_columns;
        // A key that only refers keeps its number.
        if (reads->columns[t][c]) {
            causes |= cell_causes(&from->columns[c], rows->tables[t].cells[i]);
        }
    }
    return causes;
}

unsigned explain_causes(const instance *rows,
                        const pair_run *run,
                        const pair *p,
                        const reading *reads,
                        const schema *declared,
                        arena temporary,
                        arena scratch)
{
    unsigned causes = 0;
    for (int32_t t = 0; t < rows->schema->n_tables; t++) {
        causes |= table_causes(rows, reads, t);
    }
    if (run->has_cut[0] != run->has_cut[1]) {
        causes |= 1u << CAUSE_TIE;
    }
    if (legal_breaks(rows, declared)) {
        causes |= 1u << CAUSE_ORPHAN;
    }
    if (run->finding != FINDING_ERROR) {
        table left =
            table_change(&temporary, &run->left.result, as_lower, NULL);
        table right =
            table_change(&temporary, &run->right.result, as_lower, NULL);
        if (left.n_rows == right.n_rows
            && holds(&left, &right, p->tolerance, p->by_position, 0, temporary,
                     scratch)
            && !pair_is_ordered(p)) {
            causes |= 1u << CAUSE_LETTER_CASE;
        }
    }
    return causes;
}
