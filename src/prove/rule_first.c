/*
 * rule_first.c - the first rows of an order: of a window, or of ORDER BY.
 *
 * Method      The first row of a partition is the one before which there is
 *             none, and where its key is the least. A row number up to a limit
 *             is that LIMIT. So the number of a row, its rank, FIRST_VALUE and
 *             ORDER BY with LIMIT 1 say one thing, each read as a ranking.
 */
#include "prove/rule_common.h"
#include "relation/relation_ranking.h"
#include "relation/relation_type.h"

#include <assert.h>

// What the ranking begins with, as a condition: no row is before the row.
static const term *none_before(prover *p, const ranking *r)
{
    block *before = ranking_rows(p, r, TERM_LESS, &(term_list){0});
    return term_not(p, term_exists(p, before));
}

/* LIMIT 1. */

// Whether the block takes its first row, and shows more than the key.
static bool takes_first(const block *b)
{
    const block *body = only_body(b);
    block rows = *b;
    rows.limit = NULL;
    bool is_set = body && body->set;
    bool takes_one = !is_set && b->order.len == 1 && b->limit && !b->offset
                     && term_is_number(b->limit, 1) && block_is_plain(&rows)
                     && b->repeats != REPEATS_DROPPED;
    bool is_extreme =
        takes_one && b->select.len == 1 && !b->is_result
        && term_bare(b->select.ptr[0]) == term_bare(b->order.ptr[0].term);
    return takes_one && !is_extreme;
}

bool rule_first_row(prover *p, block *b)
{
    ranking r = ranking_of_order(b);
    const term *key = takes_first(b) ? ranking_key(p, &r) : NULL;
    if (!key || !know_exact(p, key) || know_tells_rows(p, b, &(term_list){0})
        || !ranking_is_total(p, &r)) {
        return false;
    }
    term_conjoin(p, &b->where, none_before(p, &r));
    b->order.len = 0;
    b->limit = NULL;
    return true;
}

// Whether the subquery shows what it takes its first row by, the least or the
// greatest of it, where equal values are one; or the value after some others,
// each of which comes once.
static bool shows_extreme(prover *p, const block *in)
{
    enum {
        OTHERS_MAX = 3
    };
    bool is_later = in->offset && comes_once(in)
                    && in->offset->kind == TERM_INTEGER
                    && in->offset->number >= 0  // PostgreSQL refuses others
                    && in->offset->number <= OTHERS_MAX;
    if (in->set || in->order.len == 0 || !in->limit || (in->offset && !is_later)
        || !term_is_number(in->limit, 1)
        || (in->is_grouped && know_results(p, in).is_bare)) {
        return false;
    }
    const term *x = in->select.ptr[0];
    const sort_term *key = &in->order.ptr[0];
    return term_bare(key->term) == term_bare(x) && know_exact(p, term_bare(x))
           && know_exact(p, key->term)
           && (key->nulls_last || know_not_null(p, in, term_bare(x)));
}

static walk_step search_extreme(void *p, const term *t)
{
    return t->kind == TERM_SCALAR && shows_extreme(p, t->block) ? WALK_END
           : t->block                                           ? WALK_PAST
                                                                : WALK_ON;
}

// (SELECT MAX(x) ...) of what the subquery takes the first of, below so many
// of its values; NULL: MAX has another type than x.
static const term *extreme_after(prover *p, const block *in, int64_t others)
{
    ranking k = ranking_of_order(in);
    block *rows = block_copy(p, in);
    rows->order.len = 0;
    rows->limit = NULL;
    rows->offset = NULL;
    rows->repeats = REPEATS_KEPT;
    block *all = block_around(p, rows);
    const term *shown = all->select.ptr[0];
    const term *call = term_aggregate(p, ranking_extreme(&k), false, &shown, 1);
    if (!type_same(p, call, shown)) {
        return NULL;
    }
    if (others > 0) {
        bool falls = in->order.ptr[0].is_descending;
        term_conjoin(p, &all->where,
                     term_compare(p, falls ? TERM_LESS : TERM_GREATER, shown,
                                  extreme_after(p, in, others - 1)));
    }
    all->len = in->len;
    all->is_grouped = true;
    all->select.ptr[0] = call;
    term_list_push(p, &all->extremes, call);
    rules_apply_after(p, all);
    const term *value = term_make(p, (term){.kind = TERM_SCALAR, .block = all});
    return term_as(p, value, term_type_of(in->select.ptr[0]));
}

const term *extreme_shown(prover *p, const block *in)
{
    return shows_extreme(p, in)
               ? extreme_after(p, in, in->offset ? in->offset->number : 0)
               : NULL;
}

bool rule_scalar_extreme(prover *p, block *b)
{
    const term *found = block_walk(b, search_extreme, p);
    const term *value = found ? extreme_shown(p, found->block) : NULL;
    if (value) {
        block_replace_term(p, b, found, value);
    }
    return value;
}

/* Numbers of rows that are asked for. */

// Which of the numbers of rows, from 1, the condition asks for; NULL: of no
// numbers, or of those from some on.
static const term *asked_numbers(const term *t, int64_t *first, int64_t *last)
{
    bound b;
    if (!read_threshold(t, &b) || (b.allows & ALLOWS_GREATER)) {
        return NULL;
    }
    int64_t n = b.literal->number;
    *last = b.allows == ALLOWS_LESS && n > 0 ? n - 1 : n;
    *first = b.allows == ALLOWS_EQUAL ? n : 1;
    return *last > 0 ? b.x : NULL;
}

static bool is_of(const term *window, const char *names)
{
    assert(window->kind == TERM_WINDOW);
    return str_among(window->args[0]->text, names);
}

// The window that the column shows of a derived table of rows, all of them;
// NULL: it shows something else.
static const term *ranked(const block *b, const term *x)
{
    const instance *s = x ? x->source : NULL;
    const block *body = s ? s->body : NULL;
    bool fits = body && block_owns(b, s) && !s->is_outer && !body->set
                && !body->is_grouped && !block_has_limit(body)
                && body->repeats != REPEATS_DROPPED
                && body->select.ptr[x->column]->kind == TERM_WINDOW;
    return fits ? body->select.ptr[x->column] : NULL;
}

// One row of each partition, which shows what `r` makes of windows; false: rows
// of a partition differ in what else they show.
static bool read_partitions(rewrite *r,
                            const block *b,
                            const term_list *by,
                            block *out)
{
    *out = block_results_rewritten(r, b);
    block_group_by(out, *by);
    return !know_results(r->p, out).is_loose;
}

// 1 for the rank of the first, and the least of the key for the key.
static const term *visit_first(rewrite *r, const term *t)
{
    return t == r->wanted                     ? term_integer(r->p, 1)
           : t == r->wanted->args[2]->args[0] ? r->to
           : t->block                         ? t
                                              : NULL;
}

// The first of each partition as a group, where rows that tie look the same.
static bool read_first_group(prover *p,
                             const ranking *k,
                             const term *window,
                             block *out)
{
    const term *key = k->keys.ptr[0].term;
    const term *least = term_aggregate(p, ranking_extreme(k), false, &key, 1);
    rewrite r = {.p = p, .visit = visit_first, .wanted = window, .to = least};
    return k->by.len > 0 && know_exact(p, key) && type_same(p, key, least)
           && k->rows->order.len == 0
           && read_partitions(&r, k->rows, &k->by, out)
           && !block_has(out, HAS_WINDOW | HAS_BLOCK);
}

// MIN(d) OVER (PARTITION BY p) of a window with the order d; falling MAX(d).
static const term *extreme_of(prover *p, const term *window, const ranking *k)
{
    const term *call = term_make(p, (term){.kind = TERM_CALL,
                                           .text = ranking_extreme(k),
                                           .n = 1,
                                           .args = window->args[2]->args});
    const term *none = term_make(p, (term){.kind = TERM_LIST});
    const term *args[] = {call, window->args[1], none};
    return term_make(p, (term){.kind = TERM_WINDOW, .n = 3, .args = args});
}

// Columns for the key and for the least (or greatest) of its partition.
static const term *add_extreme(prover *p,
                               instance *s,
                               const term *window,
                               const ranking *k)
{
    int32_t n = (int32_t)s->body->select.len;
    term_list_push(p, &s->body->select, k->keys.ptr[0].term);
    term_list_push(p, &s->body->select, extreme_of(p, window, k));
    return term_compare(p, TERM_EQUAL, term_column(p, s, n),
                        term_column(p, s, n + 1));
}

// Takes the rows of rank 1: where the key is the least of the partition, or a
// group of each.
static bool take_first(prover *p,
                       block *b,
                       ptrdiff_t at,
                       const term *x,
                       const ranking *k)
{
    block *body = x->source->body;
    const term *window = body->select.ptr[x->column];
    block groups;
    if (!ranking_key(p, k) || !is_of(window, "row_number rank dense_rank")) {
        return false;
    }
    bool is_number = is_of(window, "row_number");
    bool is_group = is_number && read_first_group(p, k, window, &groups);
    if (is_number && !is_group && !ranking_is_total(p, k)) {
        return false;
    }
    // Where the rank is shown it is 1.
    term_list_remove(&b->where, at);
    block_replace(p, b, x->source, x->column, term_integer(p, 1));
    if (is_group) {
        *body = groups;
    } else {
        body->select.ptr[x->column] = term_integer(p, 1);
        term_conjoin(p, &b->where, add_extreme(p, x->source, window, k));
    }
    return true;
}

// Orders the block by its number of rows in the order of the derived table.
static void order_by_keys(prover *p, block *b, instance *s)
{
    b->order.len = 0;
    for (ptrdiff_t i = 0; i < s->body->order.len; i++) {
        sort_term key = s->body->order.ptr[i];
        int32_t n = (int32_t)s->body->select.len;
        term_list_push(p, &s->body->select, key.term);
        key.term = term_column(p, s, n);
        *vec_push(p->a, &b->order) = key;
    }
}

// Takes the rows of these numbers by LIMIT.
static bool take_limit(prover *p,
                       block *b,
                       ptrdiff_t at,
                       const term *x,
                       const ranking *k,
                       int64_t first,
                       int64_t last)
{
    block *body = x->source->body;
    bool is_one = first == last;
    bool by_number = b->order.len == 1 && b->order.ptr[0].term == x
                     && !b->order.ptr[0].is_descending
                     && b->repeats != REPEATS_DROPPED;
    block trial = block_trial(p, b);
    term_list_remove(&trial.where, at);
    trial.order.len = by_number ? 0 : b->order.len;
    // Of several rows the number must be asked for nowhere else; and if they
    // are the result, in which order they come.
    if (!is_of(body->select.ptr[x->column], "row_number") || k->by.len > 0
        || k->keys.len <= is_one || !ranking_is_total(p, k)
        || (!is_one
            && (block_walk(&trial, search_wanted, &x)
                || (b->is_result && b->order.len == 0)))) {
        return false;
    }
    body->order = k->keys;
    body->limit = term_integer(p, last - first + 1);
    body->offset = first > 1 ? term_integer(p, first - 1) : NULL;
    body->select.ptr[x->column] = term_integer(p, first);
    *b = trial;
    if (by_number) {
        order_by_keys(p, b, x->source);
    }
    block_replace(p, b, x->source, x->column, term_integer(p, first));
    return true;
}

bool rule_rank_first(prover *p, block *b, ptrdiff_t at)
{
    int64_t first = 0;
    int64_t last = 0;
    const term *x = asked_numbers(b->where.ptr[at], &first, &last);
    const term *window = ranked(b, x);
    if (!window) {
        return false;
    }
    block *body = x->source->body;
    ranking k = ranking_of_window(p, body, window);
    if (!(last == 1 && take_first(p, b, at, x, &k))
        && !take_limit(p, b, at, x, &k, first, last)) {
        return false;
    }
    body->repeats = REPEATS_KEPT;
    rules_settle(p, body);
    return true;
}

/* What partitions show. */

// COUNT(x) of COUNT(x) OVER (PARTITION BY p); COUNT(*) of what else has one
// value in each partition.
static const term *visit_whole(rewrite *r, const term *t)
{
    const term *call = t->kind == TERM_WINDOW ? t->args[0] : NULL;
    bool is_whole = call && window_is_whole(t);
    return call ? term_aggregate(r->p, is_whole ? call->text : S("count"),
                                 false, call->args, is_whole ? call->n : 0)
                : NULL;
}

static const term *visit_value(rewrite *r, const term *t)
{
    (void)r;
    return t->kind == TERM_WINDOW ? t->args[0]->args[0] : NULL;
}

typedef struct alike_search {
    prover *p;
    const term *window;  // of those so far; NULL: there are none
    term_list by;
} alike_search;

// Ends at a window that is not over a whole partition, nor shows its first row;
// or that is over others than those before.
static walk_step search_unlike(void *context, const term *t)
{
    alike_search *s = context;
    if (t->kind != TERM_WINDOW) {
        return t->block ? WALK_END : WALK_ON;
    }
    term_list by = term_list_of_args(s->p, t->args[1]);
    bool is_first = is_of(t, "first_value") && t->args[2]->n == 2;
    bool is_alike =
        !s->window
        || (term_list_has_all(&by, &s->by) && term_list_has_all(&s->by, &by)
            && t->args[2] == s->window->args[2]);
    bool fits = is_first || (window_is_whole(t) && by.len > 0);
    s->window = t;
    s->by = by;
    return fits && is_alike ? WALK_PAST : WALK_END;
}

bool rule_window_distinct(prover *p, block *b)
{
    alike_search s = {.p = p};
    if (b->is_grouped || b->repeats != REPEATS_DROPPED
        || block_walk_results(b, search_unlike, &s) || !s.window) {
        return false;
    }
    ranking k = ranking_of_window(p, b, s.window);
    rewrite whole = {.p = p, .visit = visit_whole};
    rewrite value = {.p = p, .visit = visit_value};
    block groups;
    if (!read_partitions(&whole, b, &k.by, &groups)
        || (k.keys.len > 0
            && !(ranking_key(p, &k) && ranking_is_total(p, &k)))) {
        return false;
    }
    if (k.keys.len == 0) {
        *b = groups;
        return true;
    }
    *b = block_results_rewritten(&value, b);
    term_conjoin(p, &b->where, none_before(p, &k));
    return true;
}

// FIRST_VALUE of the key of its order is the least of the partition, or the
// greatest.
static const term *visit_first_value(rewrite *r, const term *t)
{
    if (t->kind != TERM_WINDOW || !is_of(t, "first_value")) {
        return t->block ? t : NULL;
    }
    ranking k = ranking_of_window(r->p, r->b, t);
    const term *x = t->args[0]->args[0];
    bool fits = k.keys.len > 0 && x == k.keys.ptr[0].term
                && know_not_null(r->p, r->b, x) && know_exact(r->p, x);
    return fits ? extreme_of(r->p, t, &k) : NULL;
}

bool rule_first_value(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_first_value, .of = HAS_WINDOW, .b = b};
    return !b->is_grouped && rewrite_results(&r, b);
}
