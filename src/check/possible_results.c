/*
 * possible_results.c - see possible_results.h.
 *
 * Method      Bags: with c(v) copies of row v in blocks that are taken whole
 *             and t(v) in the one taken in part, a result holds between c(v)
 *             and c(v) + t(v) copies. Both sides can be equal when for each v
 *             the two ranges meet, and the sizes lie between the sums of the
 *             meets' ends.
 *
 *             Lists: walk over both sides, block by block. Blocks of equal
 *             size need that many rows in common. Else the smaller, which is
 *             whole, must lie in the other's supply and is taken out of it.
 *
 *             Orders of columns: column i can be column j only when the two
 *             columns alone can coincide as bags; what is left is tried.
 */
#include "check/possible_results.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    MAX_ORDERS = 5040,
    COLUMNS_ALONE = 100,  // wider results are not looked at column by column
    STEPS = 16,           // places filled for each order that may be tried
};

coder coder_new(arena *a, ptrdiff_t max, double tolerance)
{
    return (coder){
        .keys = key_set_new(a, max),
        .codes = arena_new(a, int32_t, max),
        .numbers = arena_new(a, double, max),
        .number_codes = arena_new(a, int32_t, max),
        .is_real = arena_new(a, bool, max),
        .tolerance = tolerance,
    };
}

static bool is_near(const coder *c, double a, double b)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return a == b
           || (isfinite(size)
               && fabs(a - b) <= fmax(c->tolerance * size, c->slack));
}

// The code of a number that this one cannot be told from, or -1.
static int32_t near_code(const coder *c, double d, bool is_real)
{
    if (!is_real && !c->has_reals) {
        return -1;
    }
    for (ptrdiff_t i = 0; i < c->n_numbers; i++) {
        if ((is_real || c->is_real[i]) && is_near(c, c->numbers[i], d)) {
            return c->number_codes[i];
        }
    }
    return -1;
}

// A time as text, which a midnight shares with its day.
static value time_as_text(value v, arena *a)
{
    const int64_t day_us = (int64_t)86400 * 1000000;
    if (v.kind == VALUE_INSTANT) {
        v.kind = VALUE_TIMESTAMP;
    }
    if (v.kind == VALUE_TIMESTAMP && v.i % day_us == 0) {
        v = (value){.i = v.i / day_us, .kind = VALUE_DATE};
    }
    return value_text(value_shown(a, v, 0));
}

static bool is_time(const coder *c, value v, value *out)
{
    *out = v;
    return v.kind == VALUE_DATE || v.kind == VALUE_TIMESTAMP
           || v.kind == VALUE_INSTANT
           || (c->reads_times && v.kind == VALUE_TEXT
               && value_read_time(value_bytes(v), out));
}

static value spelled_alike(value v, arena *a)
{
    str text = arena_lower(a, value_bytes(v));
    while (text.len > 0 && text.ptr[text.len - 1] == ' ') {
        text.len--;
    }
    return value_text(text);
}

int32_t coder_code(coder *c, value v, arena scratch)
{
    value time = {0};
    v = is_time(c, v, &time)                      ? time_as_text(time, &scratch)
        : c->reads_times && v.kind == VALUE_OTHER ? value_text(value_bytes(v))
                                                  : v;
    if (v.kind == VALUE_TEXT && !utf8_is_ascii(value_bytes(v))) {
        v = value_text(utf8_nfc(&scratch, value_bytes(v)));
    }
    if (c->spells_alike && v.kind == VALUE_TEXT) {
        v = spelled_alike(v, &scratch);
    }
    ptrdiff_t before = c->keys.n;
    ptrdiff_t id = key_set_add(&c->keys, value_key(v));
    if (id < before) {
        return c->codes[id];
    }
    int32_t code = (int32_t)id;
    if (value_is_number(v)) {
        double d = value_to_double(v);
        // A quotient of PostgreSQL's NUMERICs is rounded, too.
        bool is_real = v.kind == VALUE_REAL || v.kind == VALUE_DECIMAL;
        int32_t near = near_code(c, d, is_real);
        code = near >= 0 ? near : code;
        c->numbers[c->n_numbers] = d;
        c->is_real[c->n_numbers] = is_real;
        c->number_codes[c->n_numbers++] = code;
        c->has_reals |= is_real;
    }
    c->codes[id] = code;
    return code;
}

possible_results possible_results_plain(arena *a,
                                        coder *c,
                                        const table *t,
                                        bool is_list,
                                        arena scratch)
{
    ptrdiff_t n = t->n_rows * t->n_columns;
    int32_t *cells = arena_new(a, int32_t, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        cells[i] = coder_code(c, t->cells[i], scratch);
    }
    ptrdiff_t n_blocks = t->n_rows == 0 ? 0 : is_list ? t->n_rows : 1;
    result_block *blocks = arena_new(a, result_block, n_blocks);
    for (ptrdiff_t b = 0; b < n_blocks; b++) {
        ptrdiff_t size = is_list ? 1 : t->n_rows;
        blocks[b] = (result_block){b, size, size};
    }
    return (possible_results){
        .n_columns = t->n_columns,
        .n_rows = t->n_rows,
        .cells = cells,
        .blocks = blocks,
        .n_blocks = n_blocks,
    };
}

ptrdiff_t possible_results_number_rows(const possible_results *l,
                                       const possible_results *r,
                                       const int32_t *columns,
                                       int32_t *left,
                                       int32_t *right,
                                       arena scratch)
{
    assert(l->n_columns == r->n_columns);
    ptrdiff_t n = l->n_columns;
    key_set rows = key_set_new(&scratch, l->n_rows + r->n_rows);
    int32_t *row = arena_new(&scratch, int32_t, n);
    ptrdiff_t size = n * (ptrdiff_t)sizeof *row;
    for (ptrdiff_t i = 0; i < l->n_rows; i++) {
        str bytes = {(const char *)(l->cells + i * n), size};
        left[i] = (int32_t)key_set_add(&rows, hash_bytes(bytes));
    }
    for (ptrdiff_t i = 0; i < r->n_rows; i++) {
        for (ptrdiff_t c = 0; c < n; c++) {
            row[c] = r->cells[i * n + (columns ? columns[c] : c)];
        }
        str bytes = {(const char *)row, size};
        right[i] = (int32_t)key_set_add(&rows, hash_bytes(bytes));
    }
    return rows.n;
}

static ptrdiff_t taken_rows(const possible_results *o)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t b = 0; b < o->n_blocks; b++) {
        n += o->blocks[b].taken;
    }
    return n;
}

// For each row number how often it is there for sure, and at most.
static void count_rows(const possible_results *o,
                       const int32_t *rows,
                       int32_t *least,
                       int32_t *most)
{
    for (ptrdiff_t b = 0; b < o->n_blocks; b++) {
        const result_block *block = &o->blocks[b];
        for (ptrdiff_t i = 0; i < block->supply; i++) {
            int32_t row = rows[block->start + i];
            least[row] += block->taken == block->supply;
            most[row]++;
        }
    }
}

static bool bags_coincide(const possible_results *l,
                          const possible_results *r,
                          const int32_t *left,
                          const int32_t *right,
                          ptrdiff_t n_numbers,
                          arena scratch)
{
    ptrdiff_t total = taken_rows(l);
    if (total != taken_rows(r)) {
        return false;
    }
    int32_t *counts = arena_new(&scratch, int32_t, 4 * n_numbers);
    int32_t *l_least = counts;
    int32_t *l_most = counts + n_numbers;
    int32_t *r_least = counts + 2 * n_numbers;
    int32_t *r_most = counts + 3 * n_numbers;
    count_rows(l, left, l_least, l_most);
    count_rows(r, right, r_least, r_most);
    ptrdiff_t low = 0;
    ptrdiff_t high = 0;
    for (ptrdiff_t v = 0; v < n_numbers; v++) {
        int32_t lo = l_least[v] > r_least[v] ? l_least[v] : r_least[v];
        int32_t hi = l_most[v] < r_most[v] ? l_most[v] : r_most[v];
        if (lo > hi) {
            return false;
        }
        low += lo;
        high += hi;
    }
    return low <= total && total <= high;
}

// One side of the walk over two lists.
typedef struct list_walk {
    const possible_results *o;
    const int32_t *rows;
    ptrdiff_t block;  // the next one
    int32_t *supply;  // of the block at hand, by row number
    ptrdiff_t size;   // rows of it that are still to come
} list_walk;

// Makes the next block the one at hand when that is used up. False at the end.
static bool walk_on(list_walk *w, ptrdiff_t n_numbers)
{
    while (w->size == 0 && w->block < w->o->n_blocks) {
        const result_block *b = &w->o->blocks[w->block++];
        memset(w->supply, 0, (size_t)n_numbers * sizeof *w->supply);
        for (ptrdiff_t i = 0; i < b->supply; i++) {
            w->supply[w->rows[b->start + i]]++;
        }
        w->size = b->taken;
    }
    return w->size > 0;
}

static bool share_block(list_walk *a, list_walk *b, ptrdiff_t n_numbers)
{
    assert(a->size == b->size);
    ptrdiff_t common = 0;
    for (ptrdiff_t v = 0; v < n_numbers; v++) {
        common += a->supply[v] < b->supply[v] ? a->supply[v] : b->supply[v];
    }
    bool fits = common >= a->size;
    a->size = 0;
    b->size = 0;
    return fits;
}

// The smaller block is whole: its rows come out of the larger one's supply.
static bool take_block(list_walk *small, list_walk *large, ptrdiff_t n_numbers)
{
    assert(small->size < large->size);
    for (ptrdiff_t v = 0; v < n_numbers; v++) {
        large->supply[v] -= small->supply[v];
        if (large->supply[v] < 0) {
            return false;
        }
    }
    large->size -= small->size;
    small->size = 0;
    return true;
}

static bool lists_coincide(const possible_results *l,
                           const possible_results *r,
                           const int32_t *left,
                           const int32_t *right,
                           ptrdiff_t n_numbers,
                           arena scratch)
{
    if (taken_rows(l) != taken_rows(r)) {
        return false;
    }
    list_walk a = {.o = l, .rows = left};
    list_walk b = {.o = r, .rows = right};
    a.supply = arena_new(&scratch, int32_t, n_numbers);
    b.supply = arena_new(&scratch, int32_t, n_numbers);
    bool fits = true;
    while (fits && walk_on(&a, n_numbers) && walk_on(&b, n_numbers)) {
        fits = a.size == b.size  ? share_block(&a, &b, n_numbers)
               : a.size < b.size ? take_block(&a, &b, n_numbers)
                                 : take_block(&b, &a, n_numbers);
    }
    return fits;
}

typedef struct coincide_job {
    const possible_results *l;
    const possible_results *r;
    bool as_lists;
    int32_t *left;  // numbers of rows
    int32_t *right;
    arena scratch;
} coincide_job;

static bool coincide_under(void *context, const int32_t *columns)
{
    coincide_job *job = context;
    ptrdiff_t n = possible_results_number_rows(
        job->l, job->r, columns, job->left, job->right, job->scratch);
    return job->as_lists ? lists_coincide(job->l, job->r, job->left, job->right,
                                          n, job->scratch)
                         : bags_coincide(job->l, job->r, job->left, job->right,
                                         n, job->scratch);
}

// The outcome with one column only.
static possible_results one_column(const possible_results *o,
                                   ptrdiff_t column,
                                   arena *a)
{
    assert(column >= 0 && column < o->n_columns);
    int32_t *cells = arena_new(a, int32_t, o->n_rows);
    for (ptrdiff_t i = 0; i < o->n_rows; i++) {
        cells[i] = o->cells[i * o->n_columns + column];
    }
    possible_results one = *o;
    one.n_columns = 1;
    one.cells = cells;
    return one;
}

static bool is_whole(const possible_results *o)
{
    bool whole = true;
    for (ptrdiff_t b = 0; whole && b < o->n_blocks; b++) {
        whole = o->blocks[b].taken == o->blocks[b].supply;
    }
    return whole;
}

// The bags of values of the columns, each as a sum of hashes.
static uint64_t *column_sums(const possible_results *o, arena *a)
{
    uint64_t *sums = arena_new(a, uint64_t, o->n_columns);
    for (ptrdiff_t i = 0; i < o->n_rows * o->n_columns; i++) {
        sums[i % o->n_columns] += hash_mix((uint64_t)o->cells[i], 1);
    }
    return sums;
}

// Fills may[i * n + j]: can column i be the other side's column j?
static void try_columns(const coincide_job *job, bool *may)
{
    ptrdiff_t n = job->l->n_columns;
    arena scratch = job->scratch;
    bool whole = is_whole(job->l) && is_whole(job->r);
    const uint64_t *lefts = column_sums(job->l, &scratch);
    const uint64_t *rights = column_sums(job->r, &scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        arena rest = scratch;
        possible_results left = one_column(job->l, i, &rest);
        for (ptrdiff_t j = 0; j < n; j++) {
            if (whole || n > COLUMNS_ALONE) {
                may[i * n + j] = !whole || lefts[i] == rights[j];
                continue;
            }
            coincide_job pair = *job;
            pair.as_lists = false;
            pair.scratch = rest;
            possible_results right = one_column(job->r, j, &pair.scratch);
            pair.l = &left;
            pair.r = &right;
            may[i * n + j] = coincide_under(&pair, NULL);
        }
    }
}

typedef struct order_search {
    ptrdiff_t n;
    const bool *may;
    ptrdiff_t left_to_try;
    ptrdiff_t steps_left;  // places filled, so that dead ends count as well
    int32_t *columns;
    bool (*visit)(void *context, const int32_t *columns);
    void *context;
} order_search;

// Fills the places from `at` on, by exchanging: the order as it is comes first.
static bool try_from(order_search *s, ptrdiff_t at)
{
    if (at == s->n) {
        return s->left_to_try-- > 0 && s->visit(s->context, s->columns);
    }
    for (ptrdiff_t i = at; i < s->n && s->left_to_try > 0 && s->steps_left > 0;
         i++) {
        s->steps_left--;
        int32_t column = s->columns[i];
        if (s->may && !s->may[at * s->n + column]) {
            continue;
        }
        s->columns[i] = s->columns[at];
        s->columns[at] = column;
        if (try_from(s, at + 1)) {
            return true;
        }
        s->columns[at] = s->columns[i];
        s->columns[i] = column;
    }
    return false;
}

bool possible_results_try_orders(ptrdiff_t n,
                                 const bool *may,
                                 ptrdiff_t most,
                                 int32_t *columns,
                                 bool (*visit)(void *context,
                                               const int32_t *columns),
                                 void *context,
                                 bool *gave_up)
{
    assert(most > 0);  // the order as it is, at least
    for (int32_t i = 0; i < n; i++) {
        columns[i] = i;
    }
    order_search s = {n, may, most, most * STEPS, columns, visit, context};
    bool found = try_from(&s, 0);
    *gave_up = !found && (s.left_to_try <= 0 || s.steps_left <= 0);
    return found;
}

// Has each column of both sides some partner?
static bool have_partners(const bool *may, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        bool left = false;
        bool right = false;
        for (ptrdiff_t j = 0; j < n && !(left && right); j++) {
            left |= may[i * n + j];
            right |= may[j * n + i];
        }
        if (!left || !right) {
            return false;
        }
    }
    return true;
}

// Do the blocks lie within the rows, and give no more than they hold?
__attribute__((unused)) static bool blocks_are_sound(const possible_results *o)
{
    bool sound = true;
    for (ptrdiff_t i = 0; sound && i < o->n_blocks; i++) {
        const result_block *b = &o->blocks[i];
        sound = b->start >= 0 && b->taken >= 0 && b->taken <= b->supply
                && b->supply <= o->n_rows - b->start;
    }
    return sound;
}

bool possible_results_may_coincide(const possible_results *l,
                                   const possible_results *r,
                                   bool as_lists,
                                   bool by_position,
                                   int32_t *columns,
                                   arena scratch)
{
    ptrdiff_t n = l->n_columns;
    assert(blocks_are_sound(l) && blocks_are_sound(r));
    for (int32_t i = 0; i < n; i++) {
        columns[i] = i;
    }
    if (n != r->n_columns) {
        return false;
    }
    coincide_job job = {
        .l = l,
        .r = r,
        .as_lists = as_lists && !l->is_loose && !r->is_loose,
        .left = arena_new(&scratch, int32_t, l->n_rows),
        .right = arena_new(&scratch, int32_t, r->n_rows),
    };
    job.scratch = scratch;
    bool same = coincide_under(&job, NULL);
    if (same || by_position || n < 2 || taken_rows(l) != taken_rows(r)) {
        return same;
    }
    bool *may = arena_new(&scratch, bool, n *n);
    job.scratch = scratch;
    try_columns(&job, may);
    if (!have_partners(may, n)) {
        return false;
    }
    bool gave_up = false;
    bool found = possible_results_try_orders(n, may, MAX_ORDERS, columns,
                                             coincide_under, &job, &gave_up);
    return found || gave_up;
}

bool possible_results_are_one(const possible_results *o, arena scratch)
{
    int32_t *rows = arena_new(&scratch, int32_t, o->n_rows);
    possible_results none = {.n_columns = o->n_columns};
    possible_results_number_rows(o, &none, NULL, rows, NULL, scratch);
    for (ptrdiff_t b = 0; b < o->n_blocks; b++) {
        const result_block *block = &o->blocks[b];
        for (ptrdiff_t i = 1; block->taken > 0 && block->taken < block->supply
                              && i < block->supply;
             i++) {
            if (rows[block->start + i] != rows[block->start]) {
                return false;
            }
        }
    }
    return true;
}
