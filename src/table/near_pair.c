/*
 * near_pair.c - a largest pairing of rows (maximum bipartite matching).
 *
 * Method      Rows are grouped by hash. In a group: pair the rows as they
 *             come; else sort both sides and pair; else search for augmenting
 *             paths: start from any partial pairing, and for each gold row
 *             without partner look breadth first for a chain (gold row, pred
 *             row that fits, its present partner, a pred row that fits that
 *             one, ...) that ends at a free pred row, then shift all partners
 *             along it. A largest pairing has been found when no chain exists.
 *
 * Invariants  (1) Partners are mutual: pred_of[g] = p + 1 exactly when
 *                 gold_of[p] = g + 1.
 *             (2) A gold row enters the queue at most once for each search.
 *
 * Cost        Linear, and n log n in groups that must be sorted. The search by
 *             chains is cubic in a group and has a budget.
 */
#include "table/near_pair.h"

#include "base/groups.h"
#include "base/sort.h"
#include "table/table_count.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_TRIES = 1 << 26,  // pairs of rows that the searches may look at
};

typedef struct row_group {
    const int32_t *gold;  // row numbers
    const int32_t *pred;
    ptrdiff_t n_gold;
    ptrdiff_t n_pred;
} row_group;

// Gold row i with pred row i, for all gold rows.
static bool pairs_fit(const near_pairing *p,
                      const int32_t *gold,
                      const int32_t *pred,
                      ptrdiff_t n)
{
    assert(n >= 0);
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!p->fit(p->context, gold[i], pred[i])) {
            return false;
        }
    }
    return true;
}

static bool sorted_pairs_fit(const near_pairing *p,
                             const row_group *g,
                             arena scratch)
{
    int32_t *gold = arena_copy(&scratch, g->gold, g->n_gold, 0);
    int32_t *pred = arena_copy(&scratch, g->pred, g->n_pred, 0);
    sort_places(gold, g->n_gold, p->compare_gold, p->context, scratch);
    sort_places(pred, g->n_pred, p->compare_pred, p->context, scratch);
    return pairs_fit(p, gold, pred, g->n_gold);
}

// The state of the search for augmenting paths. Rows are numbered within
// their group here.
typedef struct pair_search {
    const near_pairing *p;
    const row_group *g;
    ptrdiff_t *gold_of;  // of each pred row: its gold row + 1, 0: free
    ptrdiff_t *pred_of;  // of each gold row: its pred row + 1, 0: free
    ptrdiff_t *queue;    // gold rows to extend
    ptrdiff_t *from;     // of each pred row seen: the gold row before it + 1
    int64_t *tries;
} pair_search;

// Gives the pred row at the end of a path to the gold row before it, that
// one's old partner to the gold row before that, and so on.
static void shift_partners(pair_search *s, ptrdiff_t pred)
{
    ptrdiff_t next = pred + 1;
    while (next != 0) {
        ptrdiff_t current = next - 1;
        ptrdiff_t gold = s->from[current] - 1;
        assert(gold >= 0 && gold < s->g->n_gold);
        next = s->pred_of[gold];
        s->pred_of[gold] = current + 1;
        s->gold_of[current] = gold + 1;
    }
}

// Finds a partner for gold row `start`; false when there is none, or when the
// tries are used up.
static bool augment(pair_search *s, ptrdiff_t start)
{
    assert(start >= 0 && start < s->g->n_gold);
    assert(s->pred_of[start] == 0);
    memset(s->from, 0, (size_t)s->g->n_pred * sizeof *s->from);
    ptrdiff_t n_queue = 0;
    s->queue[n_queue++] = start;
    for (ptrdiff_t i = 0; i < n_queue; i++) {
        ptrdiff_t gold = s->queue[i];
        for (ptrdiff_t pred = 0; pred < s->g->n_pred; pred++) {
            if (--*s->tries < 0) {
                return false;
            }
            if (s->from[pred]
                || !s->p->fit(s->p->context, s->g->gold[gold],
                              s->g->pred[pred])) {
                continue;
            }
            s->from[pred] = gold + 1;
            if (s->gold_of[pred] == 0) {
                shift_partners(s, pred);
                return true;
            }
            s->queue[n_queue++] = s->gold_of[pred] - 1;
            assert(n_queue <= s->g->n_gold);  // invariant 2
        }
    }
    return false;
}

static match_answer search_pairs(const near_pairing *p,
                                 const row_group *g,
                                 int64_t *tries,
                                 arena scratch)
{
    pair_search s = {
        .p = p,
        .g = g,
        .gold_of = arena_new(&scratch, ptrdiff_t, g->n_pred),
        .pred_of = arena_new(&scratch, ptrdiff_t, g->n_gold),
        .queue = arena_new(&scratch, ptrdiff_t, g->n_gold + 1),
        .from = arena_new(&scratch, ptrdiff_t, g->n_pred),
        .tries = tries,
    };
    for (ptrdiff_t i = 0; i < g->n_gold; i++) {
        if (!augment(&s, i)) {
            return *tries < 0 ? MATCH_UNDECIDED : MATCH_NO;
        }
    }
    return MATCH_YES;
}

static match_answer pair_group(const near_pairing *p,
                               const row_group *g,
                               int64_t *tries,
                               arena scratch)
{
    if (g->n_gold > g->n_pred || (g->n_gold < g->n_pred && !p->allows_extra)) {
        return MATCH_NO;
    }
    if (pairs_fit(p, g->gold, g->pred, g->n_gold)) {
        return MATCH_YES;
    }
    if (g->n_gold == g->n_pred && sorted_pairs_fit(p, g, scratch)) {
        return MATCH_YES;
    }
    return search_pairs(p, g, tries, scratch);
}

typedef enum side {
    SIDE_GOLD,
    SIDE_PRED,
} side;

// Is there any partner for each row of this side?
static match_answer cover_rows(const near_pairing *p,
                               const row_group *g,
                               side of,
                               int64_t *tries)
{
    bool for_gold = of == SIDE_GOLD;
    ptrdiff_t n = for_gold ? g->n_gold : g->n_pred;
    ptrdiff_t n_others = for_gold ? g->n_pred : g->n_gold;
    for (ptrdiff_t i = 0; i < n; i++) {
        bool found = false;
        for (ptrdiff_t k = 0; k < n_others && !found; k++) {
            if (--*tries < 0) {
                return MATCH_UNDECIDED;
            }
            found = p->fit(p->context, g->gold[for_gold ? i : k],
                           g->pred[for_gold ? k : i]);
        }
        if (!found) {
            return MATCH_NO;
        }
    }
    return MATCH_YES;
}

static match_answer cover_group(const near_pairing *p,
                                const row_group *g,
                                int64_t *tries)
{
    match_answer found = cover_rows(p, g, SIDE_GOLD, tries);
    if (found == MATCH_YES && !p->allows_extra) {
        found = cover_rows(p, g, SIDE_PRED, tries);
    }
    return found;
}

// The rows of one side by the group of their hash.
static groups rows_by_group(const counter *of,
                            const uint64_t *hashes,
                            ptrdiff_t n,
                            arena *a)
{
    int32_t *ids = arena_new(a, int32_t, n);
    for (ptrdiff_t r = 0; r < n; r++) {
        ids[r] = (int32_t)counter_find(of, hashes[r])->id;
    }
    return group_by(a, ids, n, of->n);
}

match_answer near_pair_bags(const near_pairing *p,
                            const uint64_t *gold,
                            ptrdiff_t n_gold,
                            const uint64_t *pred,
                            ptrdiff_t n_pred,
                            arena scratch)
{
    assert(p->fit && p->compare_gold && p->compare_pred);
    counter of = counter_new(&scratch, n_gold + n_pred);
    for (ptrdiff_t r = 0; r < n_gold; r++) {
        counter_add(&of, gold[r]);
    }
    for (ptrdiff_t r = 0; r < n_pred; r++) {
        counter_add(&of, pred[r]);
    }
    const groups golds = rows_by_group(&of, gold, n_gold, &scratch);
    const groups preds = rows_by_group(&of, pred, n_pred, &scratch);
    int64_t tries = MAX_TRIES;
    match_answer so_far = MATCH_YES;
    for (ptrdiff_t i = 0; i < of.n && so_far == MATCH_YES; i++) {
        const row_group g = {
            .gold = golds.members + golds.starts[i],
            .pred = preds.members + preds.starts[i],
            .n_gold = golds.starts[i + 1] - golds.starts[i],
            .n_pred = preds.starts[i + 1] - preds.starts[i],
        };
        so_far = p->are_sets ? cover_group(p, &g, &tries)
                             : pair_group(p, &g, &tries, scratch);
    }
    return so_far;
}
