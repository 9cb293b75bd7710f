/*
 * search_rows.c - hashes of rows, signatures of tables, and inclusion.
 *
 * Method      The signature of a bag is the sum of its rows' hashes, scrambled
 *             once more so that sums of different bags differ; two different
 *             scramblings make 128 bits of it. A set adds only the first of
 *             equal rows. A list is a bag of rows that carry their place.
 *
 * Invariant   Equal signatures mean equal bags but for a chance of about 2^-64,
 *             which we call never (table_code.h).
 *
 * Cost        Linear in the rows; a set needs a hash table of them.
 */
#include "table/search_rows.h"

#include "table/table_count.h"

#include <assert.h>
#include <string.h>

static void signature_add(hash128 *sum, uint64_t h)
{
    uint64_t mixed = hash_mix(3, h);
    sum->low += mixed;
    sum->high += (mixed >> 32) * (h & 0xffffffff);
}

// Sets: place counts the different rows so far, where order matters.
static hash128 set_signature(const match_rules *m,
                             const uint64_t *rows,
                             const uint64_t *codes,
                             ptrdiff_t n,
                             arena scratch)
{
    hash128 sum = {0};
    uint64_t place = 0;
    counter seen = counter_new(&scratch, n);
    for (ptrdiff_t r = 0; r < n; r++) {
        uint64_t h = codes ? hash_mix(rows[r], codes[r]) : rows[r];
        if (counter_add(&seen, h)->gold++ == 0) {
            signature_add(&sum, m->is_ordered ? hash_mix(++place, h) : h);
        }
    }
    return sum;
}

hash128 rows_signature(const match_rules *m,
                       const uint64_t *rows,
                       ptrdiff_t n,
                       arena scratch)
{
    assert(n >= 0);
    if (m->are_sets) {
        return set_signature(m, rows, NULL, n, scratch);
    }
    hash128 sum = {0};
    for (ptrdiff_t r = 0; r < n; r++) {
        signature_add(&sum, rows[r]);
    }
    return sum;
}

hash128 rows_signature_with(const match_rules *m,
                            const uint64_t *rows,
                            const uint64_t *codes,
                            ptrdiff_t n,
                            arena scratch)
{
    if (m->are_sets) {
        return set_signature(m, rows, codes, n, scratch);
    }
    hash128 sum = {0};
    for (ptrdiff_t r = 0; r < n; r++) {
        signature_add(&sum, hash_mix(rows[r], codes[r]));
    }
    return sum;
}

uint64_t *rows_start(const match_rules *m, ptrdiff_t n, arena *a)
{
    assert(n >= 0);
    uint64_t *rows = arena_new(a, uint64_t, n);
    if (m->is_ordered && !m->are_sets && !m->allows_extra_rows) {
        for (ptrdiff_t r = 0; r < n; r++) {
            rows[r] = hash_mix(4, (uint64_t)r);
        }
    }
    return rows;
}

// Lists: does each gold row (each different one, for sets) come up in pred
// after the one before it?
static bool list_included(const match_rules *m,
                          const uint64_t *gold,
                          ptrdiff_t n_gold,
                          const uint64_t *pred,
                          ptrdiff_t n_pred,
                          arena scratch)
{
    counter seen = counter_new(&scratch, m->are_sets ? n_gold : 0);
    ptrdiff_t p = 0;
    for (ptrdiff_t g = 0; g < n_gold; g++) {
        if (m->are_sets && counter_add(&seen, gold[g])->gold++ > 0) {
            continue;
        }
        while (p < n_pred && pred[p] != gold[g]) {
            p++;
        }
        if (p++ == n_pred) {
            return false;
        }
    }
    return true;
}

void rows_leave(bool are_sets,
                const uint64_t *gold,
                ptrdiff_t n_gold,
                const uint64_t *pred,
                ptrdiff_t n_pred,
                bool *gold_left,
                bool *pred_left,
                arena scratch)
{
    counter counts = counter_new(&scratch, n_gold);
    for (ptrdiff_t r = 0; r < n_gold; r++) {
        counter_add(&counts, gold[r])->gold++;
    }
    for (ptrdiff_t r = 0; r < n_pred; r++) {
        code_count *c = counter_find(&counts, pred[r]);
        pred_left[r] = !c || (!are_sets && c->pred == c->gold);
        if (!pred_left[r]) {
            c->pred++;
        }
    }
    for (ptrdiff_t r = 0; r < n_gold; r++) {
        code_count *c = counter_find(&counts, gold[r]);
        gold_left[r] = c->pred == 0;
        c->pred -= c->pred > 0 && !are_sets;
    }
}

bool rows_included(const match_rules *m,
                   const uint64_t *gold,
                   ptrdiff_t n_gold,
                   const uint64_t *pred,
                   ptrdiff_t n_pred,
                   arena scratch)
{
    assert(m->allows_extra_rows);
    if (m->is_ordered) {
        return list_included(m, gold, n_gold, pred, n_pred, scratch);
    }
    bool *gold_left = arena_new(&scratch, bool, n_gold);
    bool *pred_left = arena_new(&scratch, bool, n_pred);
    rows_leave(m->are_sets, gold, n_gold, pred, n_pred, gold_left, pred_left,
               scratch);
    return n_gold == 0 || !memchr(gold_left, true, (size_t)n_gold);
}
