/*
 * sql_eval_diff.c - how much two sequences have in common, as the class
 * SequenceMatcher of Python's difflib finds it [001 edit distance].
 *
 * Why         The reference's distance is not the shortest edit script: it
 *             takes the longest common block first, and then what is left and
 *             right of it, so a long block can cost more than it saves.
 *
 * Method      Blocks come from a list of pairs of ranges still to do. The
 *             longest block of a range pair: for each element of a, each place
 *             of it in b extends the block that ended one earlier in both. Of
 *             blocks of one length the earliest in a, then in b, counts.
 *             In a long b (200), elements that fill more than a hundredth of
 *             it are popular: they cannot begin a block or be found in one,
 *             but a block found without them grows over equal neighbors.
 *
 * Cost        One step for each pair of equal elements in a range pair; at most
 *             MAX_STEPS in all, then it gives up.
 */
#include "base/groups.h"
#include "evaluators/sql_eval.h"

enum {
    LONG_SEQUENCE = 200,
    MAX_STEPS = 100 * 1000 * 1000,
};

typedef struct range_pair {
    ptrdiff_t a_from;
    ptrdiff_t a_to;
    ptrdiff_t b_from;
    ptrdiff_t b_to;
} range_pair;

typedef struct block {
    ptrdiff_t a;
    ptrdiff_t b;
    ptrdiff_t len;
} block;

typedef struct matcher {
    const int32_t *a;
    const int32_t *b;
    groups places;          // in b, by element
    ptrdiff_t *run;         // per place in b, from 1: the block ending there
    ptrdiff_t *run_before;  // the same for the element of a before
    ptrdiff_t steps;
} matcher;

// The first place of element e at or after `from`.
static ptrdiff_t first_place(const matcher *m, int32_t e, ptrdiff_t from)
{
    ptrdiff_t low = m->places.starts[e];
    ptrdiff_t high = m->places.starts[e + 1];
    while (low < high) {
        const ptrdiff_t middle = low + (high - low) / 2;
        if (m->places.members[middle] < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Sets the runs that element e left in range r back to 0.
static void forget_runs(matcher *m, int32_t e, range_pair r)
{
    for (ptrdiff_t p = first_place(m, e, r.b_from);
         p < m->places.starts[e + 1] && m->places.members[p] < r.b_to; p++) {
        m->run_before[m->places.members[p] + 1] = 0;
    }
}

// One row of longest_block: all places of a[i].
static block match_row(matcher *m, ptrdiff_t i, range_pair r, block best)
{
    const int32_t e = m->a[i];
    for (ptrdiff_t p = first_place(m, e, r.b_from);
         p < m->places.starts[e + 1] && m->places.members[p] < r.b_to; p++) {
        const ptrdiff_t j = m->places.members[p];
        const ptrdiff_t len = m->run_before[j] + 1;
        m->run[j + 1] = len;
        m->steps++;
        if (len > best.len) {
            best = (block){i + 1 - len, j + 1 - len, len};
        }
    }
    return best;
}

static block longest_block(matcher *m, range_pair r)
{
    block best = {r.a_from, r.b_from, 0};
    for (ptrdiff_t i = r.a_from; i < r.a_to && m->steps < MAX_STEPS; i++) {
        best = match_row(m, i, r, best);
        m->steps++;
        if (i > r.a_from) {
            forget_runs(m, m->a[i - 1], r);
        }
        ptrdiff_t *swap = m->run_before;
        m->run_before = m->run;
        m->run = swap;
    }
    if (r.a_to > r.a_from) {
        forget_runs(m, m->a[r.a_to - 1], r);
    }
    return best;
}

// Equal neighbors join the block, popular ones too.
static block grow(const matcher *m, block k, range_pair r)
{
    while (k.a > r.a_from && k.b > r.b_from && m->a[k.a - 1] == m->b[k.b - 1]) {
        k.a--;
        k.b--;
        k.len++;
    }
    while (k.a + k.len < r.a_to && k.b + k.len < r.b_to
           && m->a[k.a + k.len] == m->b[k.b + k.len]) {
        k.len++;
    }
    return k;
}

// The places in b by element; popular elements have none.
static groups index_places(const int32_t *b,
                           ptrdiff_t n_b,
                           ptrdiff_t n_ids,
                           arena *a)
{
    groups all = group_by(a, b, n_b, n_ids);
    int32_t *kept = arena_copy(a, b, n_b, 0);
    const ptrdiff_t most = n_b >= LONG_SEQUENCE ? n_b / 100 + 1 : n_b;
    for (ptrdiff_t j = 0; j < n_b; j++) {
        const bool is_popular = all.starts[b[j] + 1] - all.starts[b[j]] > most;
        kept[j] = is_popular ? -1 : b[j];
    }
    return group_by(a, kept, n_b, n_ids);
}

static ptrdiff_t most_id(const int32_t *ids, ptrdiff_t n, ptrdiff_t most)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        most = ids[i] > most ? ids[i] : most;
    }
    return most;
}

ptrdiff_t sql_eval_matched(const int32_t *a,
                           ptrdiff_t n_a,
                           const int32_t *b,
                           ptrdiff_t n_b,
                           arena scratch)
{
    matcher m = {.a = a, .b = b};
    const ptrdiff_t n_ids = most_id(b, n_b, most_id(a, n_a, 0)) + 1;
    m.places = index_places(b, n_b, n_ids, &scratch);
    m.run = arena_new(&scratch, ptrdiff_t, n_b + 1);
    m.run_before = arena_new(&scratch, ptrdiff_t, n_b + 1);
    vec_of(range_pair) to_do = {0};
    *vec_push(&scratch, &to_do) = (range_pair){0, n_a, 0, n_b};
    ptrdiff_t matched = 0;
    while (to_do.len > 0) {
        const range_pair r = to_do.ptr[--to_do.len];
        const block k = grow(&m, longest_block(&m, r), r);
        if (m.steps >= MAX_STEPS) {
            return -1;
        }
        if (k.len == 0) {
            continue;
        }
        matched += k.len;
        if (r.a_from < k.a && r.b_from < k.b) {
            *vec_push(&scratch, &to_do) =
                (range_pair){r.a_from, k.a, r.b_from, k.b};
        }
        if (k.a + k.len < r.a_to && k.b + k.len < r.b_to) {
            *vec_push(&scratch, &to_do) =
                (range_pair){k.a + k.len, r.a_to, k.b + k.len, r.b_to};
        }
    }
    return matched;
}
