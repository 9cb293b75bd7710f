/*
 * compare_cell_pairs.c - see compare_cell_pairs.h.
 *
 * Why         All pairs of rows are too many: a million rows on each side have
 *             10^12.
 *
 * Method      Up to ALL_PAIRS_WORK steps, all pairs are looked at and the
 *             greedy order is exact. Beyond, rounds: each gold row that is
 *             left looks at a few pred rows that are left and share one of its
 *             rarest values, and of all pairs so found the best are taken
 *             first. After MAX_ROUNDS rounds each gold row takes the first
 *             pred row that shares a value, until none does.
 *
 * Invariants  No two rows that share a value are both left unpaired.
 *
 * Cost        At most ALL_PAIRS_WORK, or a bounded number of steps a cell.
 */
#include "table/compare_cell_pairs.h"

#include "base/groups.h"
#include "base/order.h"
#include "table/table_count.h"

#include <assert.h>
#include <stdlib.h>

enum {
    ALL_PAIRS_WORK = 1 << 26,  // pairs times cells of a pair
    MAX_ROUNDS = 4,
    MAX_CANDIDATES = 8,  // of a gold row in a round
    MAX_LOOKS = 32,      // pred rows a gold row looks at for each value
};

typedef struct cell_pair {
    int32_t gold;
    int32_t pred;
    int32_t shared;
} cell_pair;

typedef vec_of(cell_pair) pair_list;

typedef struct pairing {
    const cell_rows *gold;
    const cell_rows *pred;
    bool *gold_used;
    bool *pred_used;
    int64_t shared;
} pairing;

static const uint64_t *row_of(const cell_rows *rows, ptrdiff_t r)
{
    return rows->codes + r * rows->width;
}

static int32_t count_shared(const pairing *p, ptrdiff_t g, ptrdiff_t r)
{
    const uint64_t *x = row_of(p->gold, g);
    const uint64_t *y = row_of(p->pred, r);
    int32_t n = 0;
    ptrdiff_t i = 0;
    ptrdiff_t j = 0;
    while (i < p->gold->width && j < p->pred->width) {
        if (x[i] == y[j]) {
            n++;
            i++;
            j++;
        } else if (x[i] < y[j]) {
            i++;
        } else {
            j++;
        }
    }
    return n;
}

static void take_pair(pairing *p, cell_pair pair)
{
    if (!p->gold_used[pair.gold] && !p->pred_used[pair.pred]) {
        p->gold_used[pair.gold] = true;
        p->pred_used[pair.pred] = true;
        p->shared += pair.shared;
    }
}

// Takes the pairs that share most first; of equals the earlier in the list.
static void take_pairs(pairing *p, const pair_list *pairs, arena scratch)
{
    ptrdiff_t most =
        p->gold->width < p->pred->width ? p->gold->width : p->pred->width;
    int32_t *less = arena_new(&scratch, int32_t, pairs->len);
    for (ptrdiff_t i = 0; i < pairs->len; i++) {
        assert(pairs->ptr[i].shared > 0 && pairs->ptr[i].shared <= most);
        less[i] = (int32_t)most - pairs->ptr[i].shared;
    }
    const groups order = group_by(&scratch, less, pairs->len, most);
    for (ptrdiff_t i = 0; i < pairs->len; i++) {
        take_pair(p, pairs->ptr[order.members[i]]);
    }
}

static void add_pair(pairing *p,
                     pair_list *pairs,
                     ptrdiff_t g,
                     ptrdiff_t r,
                     arena *a)
{
    int32_t shared = count_shared(p, g, r);
    if (shared > 0) {
        *vec_push(a, pairs) = (cell_pair){(int32_t)g, (int32_t)r, shared};
    }
}

static void pair_all(pairing *p, arena scratch)
{
    pair_list pairs = {0};
    for (ptrdiff_t g = 0; g < p->gold->n_rows; g++) {
        for (ptrdiff_t r = 0; r < p->pred->n_rows; r++) {
            add_pair(p, &pairs, g, r, &scratch);
        }
    }
    take_pairs(p, &pairs, scratch);
}

// For each value of the prediction the rows that hold it.
typedef struct postings {
    counter values;  // id: its group of cells
    groups cells;    // starts move past rows that are used
    ptrdiff_t *ends;
    ptrdiff_t width;
} postings;

static bool repeats(const uint64_t *codes, ptrdiff_t i)
{
    return i > 0 && codes[i] == codes[i - 1];
}

static postings make_postings(const cell_rows *rows, arena *a)
{
    ptrdiff_t n_cells = rows->n_rows * rows->width;
    postings p = {.values = counter_new(a, n_cells), .width = rows->width};
    int32_t *ids = arena_new(a, int32_t, n_cells);
    for (ptrdiff_t i = 0; i < n_cells; i++) {
        const uint64_t *codes = row_of(rows, i / p.width);
        ptrdiff_t id = counter_add(&p.values, rows->codes[i])->id;
        ids[i] = repeats(codes, i % p.width) ? -1 : (int32_t)id;
    }
    p.cells = group_by(a, ids, n_cells, p.values.n);
    p.ends = arena_copy(a, p.cells.starts + 1, p.values.n, 0);
    return p;
}

static int32_t posted_row(const postings *p, ptrdiff_t i)
{
    return (int32_t)(p->cells.members[i] / p->width);
}

typedef struct posting {
    ptrdiff_t value;
    ptrdiff_t length;
} posting;

ORDER(compare_postings, posting, ORDER_UP(length), ORDER_UP(value))

// The values of a gold row that some unused pred row may hold, rarest first;
// their number. Starts move past used rows.
static ptrdiff_t rare_values(const pairing *p,
                             postings *of,
                             ptrdiff_t g,
                             posting *out)
{
    const uint64_t *codes = row_of(p->gold, g);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < p->gold->width; i++) {
        const code_count *value = counter_find(&of->values, codes[i]);
        if (!value || repeats(codes, i)) {
            continue;
        }
        ptrdiff_t *start = &of->cells.starts[value->id];
        ptrdiff_t end = of->ends[value->id];
        while (*start < end && p->pred_used[posted_row(of, *start)]) {
            ++*start;
        }
        if (*start < end) {
            out[n++] = (posting){value->id, end - *start};
        }
    }
    qsort(out, (size_t)n, sizeof *out, compare_postings);
    return n;
}

// Adds pairs of gold row g with up to MAX_CANDIDATES pred rows.
static void add_candidates(pairing *p,
                           postings *of,
                           ptrdiff_t g,
                           posting *values,
                           pair_list *pairs,
                           arena *a)
{
    ptrdiff_t n = rare_values(p, of, g, values);
    ptrdiff_t n_found = 0;
    for (ptrdiff_t v = 0; v < n && n_found < MAX_CANDIDATES; v++) {
        ptrdiff_t start = of->cells.starts[values[v].value];
        ptrdiff_t looks = values[v].length < MAX_LOOKS ? values[v].length
                                                       : (ptrdiff_t)MAX_LOOKS;
        for (ptrdiff_t i = 0; i < looks && n_found < MAX_CANDIDATES; i++) {
            int32_t r = posted_row(of, start + i);
            if (!p->pred_used[r]) {
                add_pair(p, pairs, g, r, a);
                n_found++;
            }
        }
    }
}

// One round; false when no pair was found.
static bool pair_round(pairing *p, postings *of, posting *values, arena scratch)
{
    pair_list pairs = {0};
    for (ptrdiff_t g = 0; g < p->gold->n_rows; g++) {
        if (!p->gold_used[g]) {
            add_candidates(p, of, g, values, &pairs, &scratch);
        }
    }
    take_pairs(p, &pairs, scratch);
    return pairs.len > 0;
}

static void pair_rest(pairing *p, postings *of, posting *values)
{
    for (ptrdiff_t g = 0; g < p->gold->n_rows; g++) {
        if (p->gold_used[g] || rare_values(p, of, g, values) == 0) {
            continue;
        }
        int32_t r = posted_row(of, of->cells.starts[values[0].value]);
        take_pair(p, (cell_pair){(int32_t)g, r, count_shared(p, g, r)});
    }
}

static void pair_by_values(pairing *p, arena scratch)
{
    postings of = make_postings(p->pred, &scratch);
    posting *values = arena_new(&scratch, posting, p->gold->width);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        if (!pair_round(p, &of, values, scratch)) {
            return;
        }
    }
    pair_rest(p, &of, values);
}

int64_t cell_pairs_shared(const cell_rows *gold,
                          const cell_rows *pred,
                          arena scratch)
{
    if (gold->n_rows == 0 || pred->n_rows == 0) {
        return 0;
    }
    pairing p = {
        .gold = gold,
        .pred = pred,
        .gold_used = arena_new(&scratch, bool, gold->n_rows),
        .pred_used = arena_new(&scratch, bool, pred->n_rows),
    };
    ptrdiff_t width = gold->width + pred->width;
    ptrdiff_t max_pairs = ALL_PAIRS_WORK / (width + 1);
    if (gold->n_rows <= max_pairs / pred->n_rows) {
        pair_all(&p, scratch);
    } else {
        pair_by_values(&p, scratch);
    }
    return p.shared;
}
