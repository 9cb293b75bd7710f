/*
 * aim.c - instances made for one query.
 *
 * Method      Rows that the query keeps; then, for each of its conditions, rows
 *             for which all conditions hold but this one; for each of its
 *             tables, rows that lack their partner there; groups of as many
 *             rows as HAVING asks for, one fewer and one more; the same row
 *             twice for DISTINCT; more rows than LIMIT takes. The number
 *             decides how much of it goes into one instance: small ones first.
 *
 * Cost        Up to about 20 assignments of one template (row_assign.c), and
 *             a group of as many rows as HAVING asks for.
 *
 * Source      definitions/suites.md#aims, definitions/equivalence.md#recipes
 *             (join template)
 */
#include "sample/row_template.h"

#include <assert.h>

void template_want(row_builder *b, const sampled_query *q, int64_t no)
{
    assert(no >= 0);
    static const double shares[] = {0.3, 0.6, 0.9};
    double share = shares[rng_below(&b->r, countof(shares))];
    ptrdiff_t copies = 1 + rng_below(&b->r, 4);
    row_template t = template_new(b, q->binding);
    if (q->threshold > 1 && no % 3 != 0) {
        copies = (ptrdiff_t)q->threshold - 1 + rng_below(&b->r, 4);
    }
    t.count = copies;
    assignment last = {0};
    for (ptrdiff_t i = 0; i < copies; i++) {
        bool breaks =
            t.rules.len > 0 && chance(&b->r, 0.15 * (double)t.rules.len);
        ptrdiff_t flipped = breaks ? rng_below(&b->r, t.rules.len) : -1;
        last = template_assign(b, &t, flipped, i > 0 ? &last : NULL,
                               keep_share(share));
        ptrdiff_t left_out = t.slots.len > 0 && chance(&b->r, 0.1)
                                 ? rng_below(&b->r, t.slots.len)
                                 : -1;
        template_want_rows(b, &t, &last, left_out);
    }
}

// Of a key of which a part is the group's, the other parts tell its rows apart.
static void want_apart(const row_builder *b,
                       const row_template *t,
                       assignment *x,
                       int64_t i)
{
    for (int32_t c = 0; c < t->cells.len; c++) {
        int32_t id = t->cells.ptr[c].id;
        if (template_root(t, c) == c && !x->is_set[c]
            && b->m->columns[id].is_key && b->m->columns[id].is_foreign) {
            x->values[c] = pool_plain(b->m, id, i, b->a);
            x->is_set[c] = true;
        }
    }
}

// Groups of about as many rows as the query asks for.
static void want_groups(row_builder *b, row_template *t, int64_t k, int64_t no)
{
    assert(k > 1);
    for (int64_t size = k - 1; size <= k + 1; size++) {
        if (k > 6 && size != k - 1 + no % 3) {
            continue;
        }
        t->count = size;
        assignment x = template_assign(b, t, -1, NULL, keep_share(0));
        for (int64_t i = 0; i < size; i++) {
            want_apart(b, t, &x, i);
            template_want_rows(b, t, &x, -1);
            x = template_assign(b, t, -1, &x, keep_share(0.75));
        }
    }
}

static void want_variants(row_builder *b,
                          row_template *t,
                          const assignment *base,
                          ptrdiff_t n,
                          int64_t no)
{
    for (ptrdiff_t i = 0; i < n && t->rules.len > 0; i++) {
        ptrdiff_t rule = (ptrdiff_t)((no + i) % t->rules.len);
        assignment x = template_assign(b, t, rule, base, keep_share(0.8));
        template_want_rows(b, t, &x, -1);
    }
}

static void want_lonely(row_builder *b, row_template *t, int64_t no)
{
    assert(no >= 0);
    if (t->slots.len > 1) {
        assignment x = template_assign(b, t, -1, NULL, keep_share(0));
        template_want_rows(b, t, &x, (ptrdiff_t)(no % t->slots.len));
    }
}

void skew_want(row_builder *b, const sampled_query *q)
{
    static const uint8_t sizes[] = {1, 2, 2, 3, 3, 4, 5};
    static const keep_shares next = {.plain = 0.5, .grouped = 0.3};
    static const keep_shares same = {.plain = 0.3, .joined = 1, .grouped = 1};
    row_template t = template_new(b, q->binding);
    assignment head = template_assign(b, &t, -1, NULL, next);
    ptrdiff_t n = 3 + rng_below(&b->r, 2);
    for (ptrdiff_t i = 0; i < n; i++) {
        assignment x = head;
        ptrdiff_t size = sizes[rng_below(&b->r, countof(sizes))];
        for (ptrdiff_t k = 0; k < size; k++) {
            template_want_rows(b, &t, &x, -1);
            x = template_assign(b, &t, -1, &x, same);
        }
        head = template_assign(b, &t, -1, &head, next);
    }
}

enum {
    STAGES = 6,  // from one row to all of it
};

void aim_want(row_builder *b, const sampled_query *q, int64_t no)
{
    assert(no >= 0);
    static const uint8_t order[] = {4, 1, 3, 0, 2, 5};
    int64_t stage = order[no % STAGES];
    int64_t round = no / STAGES;
    row_template t = template_new(b, q->binding);
    t.count = q->threshold > 0 ? q->threshold : 1;
    b->nulls = stage < STAGES - 1 ? 0 : round % 2 == 0 ? 0.5 : 0.2;
    assignment base = template_assign(b, &t, -1, NULL, keep_share(0));
    template_want_rows(b, &t, &base, -1);
    if (stage >= 1) {
        want_variants(b, &t, &base, stage < 3 ? 1 : 4, round * 4 + stage);
    }
    if (stage >= 2) {
        want_lonely(b, &t, round + stage);
    }
    if (stage == 2 || stage >= 4) {
        // The same once more: only what nobody looks at differs.
        template_want_rows(b, &t, &base, -1);
    }
    ptrdiff_t more = stage >= 3 ? 2 + (ptrdiff_t)q->limit : 0;
    for (ptrdiff_t i = 0; i < more && i < 12; i++) {
        assignment x = template_assign(b, &t, -1, &base, keep_share(0.4));
        template_want_rows(b, &t, &x, -1);
    }
    if (q->threshold > 1 && (stage == 1 || stage >= 3)) {
        want_groups(b, &t, q->threshold, no);
    }
}
