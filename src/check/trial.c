/*
 * trial.c - see trial.h.
 *
 * Method      Equal results end it at once. Else the choices that the engine
 *             made are looked at: all results of either side by their blocks,
 *             the inner choices by their tests. Where a test says that a
 *             choice matters, or there is none, both queries run on the same
 *             rows in several orders, and no two results may be the same; nor
 *             but for their spelling, where that is chosen. Where keys may
 *             mislead the engine, or fix the order of rows for it, they must
 *             differ without them, too.
 */
#include "check/trial.h"

#include "sample/value_form.h"

#include <assert.h>

enum {
    LEADS_LEAST = 8,  // rows that come first, forwards and backwards
    LEADS_MOST = 24,
    ORDERS_MOST = 2 * LEADS_MOST,
    MAX_CELLS = 20000,  // of both results
};

bool pair_is_ordered(const pair *p)
{
    return p->left.choices.is_ordered && p->right.choices.is_ordered;
}

// Limits and refusals say nothing about what the query means.
static bool is_inconclusive(reason status)
{
    return status == REASON_TIMEOUT || status == REASON_MEMORY
           || status == REASON_TOO_MANY_ROWS || status == REASON_FORBIDDEN
           || status == REASON_NOT_UNDERSTOOD || status == REASON_TOO_COMPLEX
           || status == REASON_CONNECTION_LOST;
}

// Not legal where sums are assumed to stay within 64 bits.
static bool is_overflow(const execution *x)
{
    return x->status == REASON_RUNTIME_ERROR
           && str_find(x->message, S("integer overflow"), 0) >= 0;
}

// Whether a row meets a cast that fails is for DuckDB's plan to say, and that
// hangs on the rows, and on whether they are committed.
static bool is_plans_fault(const pair *p, const execution *x)
{
    return x->status == REASON_RUNTIME_ERROR
           && scratch_schema(p->db)->dialect == DIALECT_DUCKDB;
}

static ptrdiff_t n_cells(const table *t)
{
    return t->n_rows * t->n_columns;
}

// Are blocks needed to know all results?
static bool needs_blocks(const pair *p, const pair_query *s)
{
    return s->choices.has_limit || pair_is_ordered(p);
}

static coder coder_of(const pair *p, ptrdiff_t max, arena *a)
{
    coder c = coder_new(a, max, p->tolerance);
    c.slack = p->slack;
    c.reads_times = scratch_schema(p->db)->dialect != DIALECT_SQLITE;
    return c;
}

// What one side may return with the rows in the order they are in.
typedef struct side_rows {
    table rows;
    bool has_blocks;
} side_rows;

static bool read_side(const pair *p, pair_query *s, side_rows *out, arena *a)
{
    if (needs_blocks(p, s) && pair_query_blocks(s, &out->rows, a)) {
        out->has_blocks = true;
        return true;
    }
    out->has_blocks = false;
    execution x = scratch_run(s->query, ENGINE_READ_ALL, a);
    out->rows = x.result;
    return x.status == REASON_NONE;
}

static possible_results possible_results_of(const pair *p,
                                            const pair_query *s,
                                            const side_rows *rows,
                                            coder *c,
                                            arena *a,
                                            arena scratch)
{
    return rows->has_blocks ? pair_query_results(s, &rows->rows, c, a, scratch)
                            : possible_results_plain(
                                a, c, &rows->rows, pair_is_ordered(p), scratch);
}

// So many that each row of each table comes first once in either direction;
// 0: too many.
static int count_leads(const instance *rows)
{
    ptrdiff_t n = LEADS_LEAST;
    for (ptrdiff_t t = 0; t < rows->schema->n_tables; t++) {
        n = rows->tables[t].n_rows > n ? rows->tables[t].n_rows : n;
    }
    return n <= LEADS_MOST ? (int)n : 0;
}

// What both queries returned in the orders of rows so far, in one code.
typedef struct orders_tried {
    int n;
    side_rows rows[2][ORDERS_MOST];
    possible_results results[2][ORDERS_MOST];
    coder codes;
    ptrdiff_t room;  // for cells
    ptrdiff_t cells;
} orders_tried;

static void code_order(const pair *p,
                       orders_tried *o,
                       int k,
                       arena *a,
                       arena scratch)
{
    const pair_query *queries[] = {&p->left, &p->right};
    for (int side = 0; side < countof(queries); side++) {
        o->results[side][k] = possible_results_of(
            p, queries[side], &o->rows[side][k], &o->codes, a, scratch);
    }
}

// Numbers what the last order gave; all of them anew when there is no room.
static void code_last(const pair *p, orders_tried *o, arena *a, arena scratch)
{
    bool is_full = o->cells > o->room;
    if (is_full) {
        o->room = 4 * o->cells;
        o->codes = coder_of(p, o->room, a);
        // Of many texts all are chosen in few of all orders.
        o->codes.spells_alike =
            p->left.choices.is_of_spelling || p->right.choices.is_of_spelling;
    }
    for (int k = is_full ? 0 : o->n - 1; k < o->n; k++) {
        code_order(p, o, k, a, scratch);
    }
}

// Does what the last order gave meet what the other side gave in any so far?
static bool last_meets(const pair *p, const orders_tried *o, arena scratch)
{
    const int last = o->n - 1;
    const possible_results *l = o->results[0];
    const possible_results *r = o->results[1];
    int32_t *columns = arena_new(&scratch, int32_t, l[last].n_columns);
    bool meets = false;
    for (int i = 0; i < 2 * o->n && !meets; i++) {
        int k = i / 2;
        meets = possible_results_may_coincide(
            &l[i % 2 ? k : last], &r[i % 2 ? last : k], pair_is_ordered(p),
            p->by_position, columns, scratch);
    }
    return meets;
}

// Both queries in all these orders of rows: do no two results meet? The first
// that do end it.
static finding try_orders(pair *p,
                          const instance *rows,
                          arena *a,
                          arena scratch)
{
    int leads = count_leads(rows);
    assert(2 * leads <= ORDERS_MOST);
    orders_tried *o = arena_new(a, orders_tried, 1);
    diag ignored = diag_new(a);
    bool meets = leads == 0;
    while (!meets && o->n < 2 * leads) {
        int k = o->n++;
        // Turning the scans round makes SQLite compile anew: once.
        bool reversed = k >= leads;
        scratch_order order = {(uint64_t)(k + 1) * 1000003, k % leads,
                               reversed};
        if (!scratch_fill(p->db, rows, order, &ignored)
            || !read_side(p, &p->left, &o->rows[0][k], a)
            || !read_side(p, &p->right, &o->rows[1][k], a)) {
            return FINDING_OPEN;
        }
        o->cells += n_cells(&o->rows[0][k].rows) + n_cells(&o->rows[1][k].rows);
        meets = o->cells > MAX_CELLS;
        if (!meets) {
            code_last(p, o, a, scratch);
            meets = last_meets(p, o, scratch);
        }
    }
    return meets ? FINDING_UNSTABLE : FINDING_STABLE;
}

static bool is_cut(const possible_results *o)
{
    if (o->n_blocks == 0) {
        return false;
    }
    const result_block *last = o->blocks + o->n_blocks - 1;
    return last->taken < last->supply;
}

// May the queries have returned the same? Notes which chose among tied rows.
static bool rows_meet(const pair *p,
                      const side_rows *left,
                      const side_rows *right,
                      bool has_cut[2],
                      arena a,
                      arena scratch)
{
    coder codes = coder_of(p, n_cells(&left->rows) + n_cells(&right->rows), &a);
    possible_results l =
        possible_results_of(p, &p->left, left, &codes, &a, scratch);
    possible_results r =
        possible_results_of(p, &p->right, right, &codes, &a, scratch);
    int32_t *columns = arena_new(&a, int32_t, l.n_columns);
    has_cut[0] = is_cut(&l);
    has_cut[1] = is_cut(&r);
    return possible_results_may_coincide(&l, &r, pair_is_ordered(p),
                                         p->by_position, columns, scratch);
}

// The results differ as they are: must they?
static finding weigh(pair *p,
                     const instance *rows,
                     pair_run *run,
                     arena *a,
                     arena scratch)
{
    assert(run->left.status == REASON_NONE && run->right.status == REASON_NONE);
    side_rows left = {.rows = run->left.result};
    side_rows right = {.rows = run->right.result};
    bool is_known = true;
    if (needs_blocks(p, &p->left)) {
        left.has_blocks = pair_query_blocks(&p->left, &left.rows, a);
        is_known = left.has_blocks;
    }
    if (needs_blocks(p, &p->right)) {
        right.has_blocks = pair_query_blocks(&p->right, &right.rows, a);
        is_known = is_known && right.has_blocks;
    }
    if (is_known && n_cells(&left.rows) + n_cells(&right.rows) <= MAX_CELLS) {
        if ((left.has_blocks || right.has_blocks)
            && rows_meet(p, &left, &right, run->has_cut, *a, scratch)) {
            return FINDING_UNSTABLE;
        }
        if (pair_query_is_fixed(&p->left, *a, scratch)
            && pair_query_is_fixed(&p->right, *a, scratch)) {
            return FINDING_CERTAIN;
        }
    }
    return !rows         ? FINDING_STABLE
           : p->is_hasty ? FINDING_UNSTABLE
                         : try_orders(p, rows, a, scratch);
}

// Are the results the same as they are?
static bool is_same(const pair *p, pair_run *run, arena a, arena scratch)
{
    const side_rows left = {.rows = run->left.result};
    const side_rows right = {.rows = run->right.result};
    return left.rows.n_rows == right.rows.n_rows
           && rows_meet(p, &left, &right, run->has_cut, a, scratch);
}

static pair_run run_both(pair *p, const instance *rows, arena *a, arena scratch)
{
    pair_run run = {.finding = FINDING_OPEN};
    run.left = scratch_run(p->left.query, ENGINE_READ_ALL, a);
    run.right = scratch_run(p->right.query, ENGINE_READ_ALL, a);
    bool left_fails = run.left.status != REASON_NONE;
    bool right_fails = run.right.status != REASON_NONE;
    if (is_inconclusive(run.left.status) || is_inconclusive(run.right.status)
        || (left_fails && right_fails) || is_plans_fault(p, &run.left)
        || is_plans_fault(p, &run.right)
        || (p->has_no_overflow
            && (is_overflow(&run.left) || is_overflow(&run.right)))) {
        return run;
    }
    if (left_fails || right_fails) {
        run.finding = FINDING_ERROR;
        return run;
    }
    if (n_cells(&run.left.result) + n_cells(&run.right.result) > MAX_CELLS) {
        return run;
    }
    run.finding = is_same(p, &run, *a, scratch)
                      ? FINDING_SAME
                      : weigh(p, rows, &run, a, scratch);
    return run;
}

pair_run pair_try(pair *p, const instance *rows, arena *a, arena scratch)
{
    diag d = diag_new(a);
    if (p->facts && facts_are_broken(rows, p->facts, &p->view)) {
        return (pair_run){.finding = FINDING_OPEN, .is_unreal = true};
    }
    if ((p->types && !form_takes_rows(rows, p->types, scratch))
        || !scratch_fill(p->db, rows, (scratch_order){0}, &d)) {
        return (pair_run){.finding = FINDING_OPEN, .is_illegal = true};
    }
    pair_run run = run_both(p, rows, a, scratch);
    pair *plain = p->plain;
    if (plain && run.finding > FINDING_UNSTABLE && pair_query_runs(&plain->left)
        && pair_query_runs(&plain->right)) {
        finding f = pair_try(plain, rows, a, scratch).finding;
        run.finding = f < run.finding ? f : run.finding;
    }
    return run;
}

pair_run pair_try_loaded(pair *p, arena *a, arena scratch)
{
    return run_both(p, NULL, a, scratch);
}
