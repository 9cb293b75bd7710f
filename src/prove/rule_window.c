/*
 * rule_window.c - windows as joins with a grouped table.
 *
 * MAX(x) OVER (PARTITION BY p) is the column of a derived table that groups
 * the same rows by p; the first rank of each partition is where the key is the
 * least of it. A window with an order is of the rows before each row, as a
 * subquery is that asks for them: its rank is how many these are.
 */
#include "prove/rule_common.h"
#include "relation/known.h"
#include "relation/relation_type.h"

#include <assert.h>

static bool is_whole_partition(const term *w)
{
    assert(w->kind == TERM_WINDOW);
    const term *call = w->args[0];
    return w->args[2]->n == 0 && !call->flag
           && str_among(call->text, "min max count sum avg total");
}

typedef struct window_search {
    prover *p;
    const block *b;
} window_search;

static bool has_partition(const window_search *s, const term *window)
{
    const term *by = window->args[1];
    bool fits = true;
    for (int32_t i = 0; fits && i < by->n; i++) {
        fits = know_not_null(s->p, s->b, by->args[i]);
    }
    return fits;
}

// Ends at a sum of fractions that a derived table shows: added up a second time
// it may not be what it was.
static walk_step search_sum(void *p, const term *t)
{
    const block *body = t->kind == TERM_COLUMN ? t->source->body : NULL;
    bool adds =
        t->kind == TERM_AGGREGATE && str_among(t->text, "sum avg total");
    if ((!body && !adds) || known_kind_of(p, t) == KNOWN_INTEGER) {
        return WALK_ON;
    }
    return adds || body->set
                   || term_walk(body->select.ptr[t->column], search_sum, p)
               ? WALK_END
               : WALK_ON;
}

static walk_step search_window(void *context, const term *t)
{
    window_search *s = context;
    bool fits = t->kind == TERM_WINDOW && is_whole_partition(t)
                && has_partition(s, t) && !term_walk(t, search_sum, s->p);
    return fits ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

static const term *find_window(prover *p, const block *b)
{
    return block_walk_results(b, search_window, &(window_search){p, b});
}

// SELECT keys, AGG(x) FROM the same rows GROUP BY keys
static block *grouped_rows(prover *p, const block *b, const term *window)
{
    block rows = {.sources = b->sources, .where = b->where};
    term_list_push(p, &rows.select, window);
    block *copy = block_copy(p, &rows);
    const term *own = copy->select.ptr[0];
    // Nowhere in the text: no length, so that its steps are not taken for b's.
    copy->pos = b->pos;
    copy->select = term_list_of_args(p, own->args[1]);
    block_group_by(copy, term_list_of_args(p, own->args[1]));
    const term *call = own->args[0];
    term_list_push(p, &copy->select,
                   term_aggregate(p, call->text, false, call->args, call->n));
    copy->has_group = copy->group.len > 0;
    return copy;
}

bool rule_window_group(prover *p, block *b)
{
    bool fits = !b->is_grouped && b->sources.len < SOURCES_MAX;
    const term *window = fits ? find_window(p, b) : NULL;
    if (!window) {
        return false;
    }
    instance *s = instance_new(p);
    s->body = grouped_rows(p, b, window);
    term_list same = {0};
    for (int32_t i = 0; i < window->args[1]->n; i++) {
        const term *t = term_compare(p, TERM_EQUAL, window->args[1]->args[i],
                                     term_column(p, s, i));
        if (!know_identifies(p, b, t)) {
            return false;
        }
        term_list_push(p, &same, t);
    }
    rules_settle(p, s->body);
    block_replace_term(p, b, window, term_column(p, s, window->args[1]->n));
    block_add_source(p, b, s);
    term_conjoin_all(p, &b->where, &same);
    return true;
}

// What groups show, as columns of a derived table of them.
typedef struct shown_groups {
    rewrite r;  // first, so that it can be found from there
    instance *groups;
    bool fails;
} shown_groups;

static const term *visit_shown(rewrite *r, const term *t)
{
    shown_groups *w = (shown_groups *)r;
    block *body = w->groups->body;
    bool is_key = term_list_has(&body->group, t) && know_exact(r->p, t);
    if (!is_key && t->kind != TERM_AGGREGATE) {
        bool is_own = t->kind == TERM_COLUMN && block_owns(body, t->source);
        w->fails |= is_own || t->block;
        return is_own || t->block ? t : NULL;
    }
    ptrdiff_t at = 0;
    while (at < body->select.len && body->select.ptr[at] != t) {
        at++;
    }
    if (at == body->select.len) {
        term_list_push(r->p, &body->select, t);
    }
    return term_column(r->p, w->groups, (int32_t)at);
}

bool rule_window_over_groups(prover *p, block *b)
{
    if (!b->is_grouped || !block_has(b, HAS_WINDOW)) {
        return false;
    }
    block *body = block_new(p);
    *body = (block){.no = body->no,
                    .pos = b->pos,  // nowhere in the text: no length
                    .sources = b->sources,
                    .where = b->where,
                    .is_grouped = true,
                    .has_group = b->has_group,
                    .group = b->group,
                    .having = b->having};
    shown_groups w = {{.p = p, .visit = visit_shown}, instance_new(p), false};
    w.groups->body = body;
    block over = *b;
    block_ungroup(&over);
    over = block_results_rewritten(&w.r, &over);
    if (w.fails || body->select.len == 0) {
        return false;
    }
    over.sources = (block){0}.sources;
    over.where = (term_list){0};
    *b = over;
    block_add_source(p, b, w.groups);
    rules_settle(p, body);
    return true;
}

static bool has_terms(const term *list, const term *wanted)
{
    bool all = true;
    for (int32_t i = 0; all && i < wanted->n; i++) {
        bool found = false;
        for (int32_t k = 0; !found && k < list->n; k++) {
            found = list->args[k] == wanted->args[i];
        }
        all = found;
    }
    return all;
}

// Ends at a window that is not over a whole partition, or over another one than
// those before; `context`: theirs, a list.
static walk_step search_partition(void *context, const term *t)
{
    const term **partition = context;
    if (t->kind != TERM_WINDOW) {
        return WALK_ON;
    }
    const term *by = t->args[1];
    bool fits =
        is_whole_partition(t) && by->n > 0
        && (!*partition
            || (has_terms(*partition, by) && has_terms(by, *partition)));
    *partition = by;
    return fits ? WALK_PAST : WALK_END;
}

static const term *visit_whole(rewrite *r, const term *t)
{
    if (t->kind != TERM_WINDOW) {
        return t->block ? t : NULL;
    }
    const term *call = t->args[0];
    return term_aggregate(r->p, call->text, false, call->args, call->n);
}

bool rule_window_distinct(prover *p, block *b)
{
    const term *partition = NULL;
    if (b->is_grouped || b->repeats != REPEATS_DROPPED
        || block_has(b, HAS_BLOCK)
        || block_walk_results(b, search_partition, &partition) || !partition) {
        return false;
    }
    rewrite r = {.p = p, .visit = visit_whole};
    block trial = block_results_rewritten(&r, b);
    block_group_by(&trial, term_list_of_args(p, partition));
    if (know_results(p, &trial).is_loose) {
        return false;
    }
    *b = trial;
    return true;
}

/* Windows with an order. */

static const term *key_of(const term *window)
{
    assert(window->kind == TERM_WINDOW);
    return window->args[2]->n == 2 ? window->args[2]->args[0] : NULL;
}

// Whether no two rows of a partition tie.
static bool tells_order(prover *p, const block *b, const term *window)
{
    term_list known = term_list_of_args(p, window->args[1]);
    term_list_push(p, &known, key_of(window));
    return know_tells_rows(p, b, &known);
}

static bool is_falling(const term *window)
{
    return window->args[2]->args[1]->number & 1;
}

// 1 for the rank of the first, and the least of the key for the key.
static const term *visit_first(rewrite *r, const term *t)
{
    return t == r->wanted           ? term_integer(r->p, 1)
           : t == key_of(r->wanted) ? r->to
           : t->block               ? t
                                    : NULL;
}

// The first of each partition as a group, where rows that tie look the same.
static bool read_first_group(prover *p,
                             const block *body,
                             const term *window,
                             block *out)
{
    const term *key = key_of(window);
    const term *least = term_aggregate(
        p, is_falling(window) ? S("max") : S("min"), false, &key, 1);
    rewrite r = {.p = p, .visit = visit_first, .wanted = window, .to = least};
    *out = block_results_rewritten(&r, body);
    block_group_by(out, term_list_of_args(p, window->args[1]));
    out->repeats = REPEATS_KEPT;
    return out->group.len > 0 && know_exact(p, key) && type_same(p, key, least)
           && body->order.len == 0 && !block_has(out, HAS_WINDOW | HAS_BLOCK)
           && !know_results(p, out).is_loose;
}

// The window of `x = 1` where x is its rank and there are no two firsts, or
// they look the same.
static const term *first_rank(prover *p, const block *body, const term *t)
{
    if (t->kind != TERM_WINDOW || t->args[2]->n != 2) {
        return NULL;
    }
    const term *key = t->args[2]->args[0];
    if (!know_not_null(p, body, key)) {
        return NULL;
    }
    if (str_among(t->args[0]->text, "rank dense_rank")) {
        return t;
    }
    bool is_one = str_equal(t->args[0]->text, S("row_number"))
                  && (tells_order(p, body, t)
                      || read_first_group(p, body, t, &(block){0}));
    return is_one ? t : NULL;
}

// MIN(d) OVER (PARTITION BY p) of a window with the order d; falling MAX(d).
static const term *extreme_of(prover *p, const term *window)
{
    assert(window->kind == TERM_WINDOW && window->args[2]->n >= 2);
    const term *call =
        term_make(p, (term){.kind = TERM_CALL,
                            .text = is_falling(window) ? S("max") : S("min"),
                            .n = 1,
                            .args = window->args[2]->args});
    const term *none = term_make(p, (term){.kind = TERM_LIST});
    const term *args[] = {call, window->args[1], none};
    return term_make(p, (term){.kind = TERM_WINDOW, .n = 3, .args = args});
}

// Columns for the key and for the least (or greatest) of its partition.
static const term *add_extreme(prover *p, instance *s, const term *window)
{
    int32_t n = (int32_t)s->body->select.len;
    term_list_push(p, &s->body->select, window->args[2]->args[0]);
    term_list_push(p, &s->body->select, extreme_of(p, window));
    return term_compare(p, TERM_EQUAL, term_column(p, s, n),
                        term_column(p, s, n + 1));
}

// The derived table that the column is of, if it shows rows, all of them; NULL:
// it is of something else.
static block *rows_of(const block *b, const term *x)
{
    const instance *s = x->source;
    block *body = s ? s->body : NULL;
    bool fits = body && block_owns(b, s) && !s->is_outer && !body->set
                && !body->is_grouped && !block_has_limit(body)
                && body->repeats != REPEATS_DROPPED;
    return fits ? body : NULL;
}

static bool take_first(prover *p, block *b, ptrdiff_t at, const term *x)
{
    instance *s = x->source;
    block *body = rows_of(b, x);
    const term *window =
        body ? first_rank(p, body, body->select.ptr[x->column]) : NULL;
    if (!window) {
        return false;
    }
    // Where the rank is shown it is 1.
    term_list_remove(&b->where, at);
    block_replace(p, b, s, x->column, term_integer(p, 1));
    block groups;
    bool is_one = str_equal(window->args[0]->text, S("row_number"))
                  && read_first_group(p, body, window, &groups);
    if (is_one) {
        *body = groups;
    } else {
        body->select.ptr[x->column] = term_integer(p, 1);
        body->repeats = REPEATS_KEPT;
        term_conjoin(p, &b->where, add_extreme(p, s, window));
    }
    rules_settle(p, body);
    return true;
}

static walk_step search_number(void *wanted, const term *t)
{
    return t == *(const term **)wanted ? WALK_END : WALK_ON;
}

// Which of the numbers of rows, from 1, the condition asks for; NULL: of no
// numbers, or of those from some on.
static const term *asked_numbers(const term *t, int64_t *first, int64_t *last)
{
    const term *x = NULL;
    for (int k = 0; term_compares(t) && !x && k < 2; k++) {
        int64_t n = t->args[k]->kind == TERM_INTEGER ? t->args[k]->number : 0;
        bool is_one = n > 0 && n < INT64_MAX && t->kind == TERM_EQUAL;
        x = is_one ? t->args[1 - k] : NULL;
        *first = is_one ? n : 1;
        *last = n;
        for (int more = 0; n > 0 && n < INT64_MAX && !x && more < 2; more++) {
            bool from_there = true;
            const term *asked = asked_for_rows(t, n + more, &from_there);
            x = from_there ? NULL : asked;
            *last = n + more - 1;
        }
    }
    return x;
}

// The keys of a window as those of an ORDER BY.
static void order_as(prover *p, const term *window, block *body)
{
    const term *keys = window->args[2];
    body->order.len = 0;
    for (int32_t i = 0; i + 1 < keys->n; i += 2) {
        int64_t flags = keys->args[i + 1]->number;
        sort_term key = {.term = keys->args[i], .is_descending = flags & 1};
        key.nulls_last =
            sort_puts_nulls_last(p, key.is_descending) != (flags > 1);
        *vec_push(p->a, &body->order) = key;
    }
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

static bool numbers_all(prover *p,
                        const block *body,
                        const term *t,
                        int32_t least)
{
    bool fits = t->kind == TERM_WINDOW && t->args[1]->n == 0
                && t->args[2]->n > least
                && str_equal(t->args[0]->text, S("row_number"));
    term_list keys = {0};
    for (int32_t i = 0; fits && i < t->args[2]->n; i += 2) {
        term_list_push(p, &keys, t->args[2]->args[i]);
    }
    return fits && know_tells_rows(p, body, &keys);
}

bool rule_number_limit(prover *p, block *b, ptrdiff_t at)
{
    int64_t first = 0;
    int64_t last = 0;
    const term *x = asked_numbers(b->where.ptr[at], &first, &last);
    block *body = x ? rows_of(b, x) : NULL;
    if (!body
        || !numbers_all(p, body, body->select.ptr[x->column],
                        first == last ? 2 : 0)) {
        return false;
    }
    instance *s = x->source;
    bool by_number = b->order.len == 1 && b->order.ptr[0].term == x
                     && !b->order.ptr[0].is_descending
                     && b->repeats != REPEATS_DROPPED;
    bool is_one = first == last;
    block trial = *b;
    trial.where = (term_list){0};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        if (i != at) {
            term_list_push(p, &trial.where, b->where.ptr[i]);
        }
    }
    trial.order.len = by_number ? 0 : b->order.len;
    // Of several rows the number must be asked for nowhere else; and if they
    // are the result, in which order they come.
    if (!is_one
        && (block_walk(&trial, search_number, &x)
            || (b->is_result && b->order.len == 0))) {
        return false;
    }
    order_as(p, body->select.ptr[x->column], body);
    body->limit = term_integer(p, last - first + 1);
    body->offset = first > 1 ? term_integer(p, first - 1) : NULL;
    body->select.ptr[x->column] = term_integer(p, first);
    body->repeats = REPEATS_KEPT;
    *b = trial;
    if (by_number) {
        order_by_keys(p, b, s);
    }
    block_replace(p, b, s, x->column, term_integer(p, first));
    rules_settle(p, body);
    return true;
}

// FIRST_VALUE of the key of its order is the least of the partition, or the
// greatest.
static const term *visit_first_value(rewrite *r, const term *t)
{
    bool fits = t->kind == TERM_WINDOW && t->args[2]->n >= 2
                && str_equal(t->args[0]->text, S("first_value"))
                && t->args[0]->args[0] == t->args[2]->args[0]
                && know_not_null(r->p, r->b, t->args[0]->args[0])
                && know_exact(r->p, t->args[0]->args[0]);
    return fits ? extreme_of(r->p, t) : t->block ? t : NULL;
}

bool rule_first_value(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_first_value, .b = b};
    return !b->is_grouped && block_has(b, HAS_WINDOW) && rewrite_results(&r, b);
}

bool rule_rank_first(prover *p, block *b, ptrdiff_t at)
{
    bool is_more = false;
    const term *x = asked_for_rows(b->where.ptr[at], 2, &is_more);
    return x && !is_more && x->kind == TERM_COLUMN && take_first(p, b, at, x);
}

// What a window with an order by one key asks of the rows before each row.
typedef struct preceding {
    const term *call;
    str name;       // of the aggregate
    bool has_own;   // and of the row itself, and of rows that tie with it
    bool is_after;  // of the rows after it instead
    bool is_rank;   // one more than that
    bool is_value;  // what the nearest of them shows
    bool is_whole;  // what the first of the partition shows
} preceding;

static bool read_neighbor(const term *window, preceding *out)
{
    const term *call = out->call;
    bool is_lag = str_equal(call->text, S("lag"));
    bool is_lead = str_equal(call->text, S("lead"));
    out->is_whole = str_equal(call->text, S("first_value"));
    bool is_next =
        call->n == 1 || (call->n == 2 && term_is_number(call->args[1], 1));
    if ((!is_lag && !is_lead && !out->is_whole) || !is_next) {
        return false;
    }
    out->is_after = is_lead;
    out->is_value = call->args[0] != key_of(window);
    out->name = is_lag == is_falling(window) ? S("min") : S("max");
    return out->is_value || !out->is_whole;
}

// An aggregate takes rows that tie with the row, the frame of ROWS does not. Of
// equal values that are not the same MIN and MAX take one by the order of rows.
static bool read_running(prover *p, preceding *out, bool tells)
{
    const char *rows = " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";
    str name = out->call->text;
    if (tells && str_ends_fold(name, str_from(rows))) {
        name = str_sub(name, 0, name.len - str_from(rows).len);
    }
    out->name = arena_printf(p->a, "%.*s", STR_ARG(name));
    out->has_own = true;
    return !out->call->flag
           && (str_among(out->name, "count sum avg total")
               || (str_among(out->name, "min max")
                   && term_is_binary(out->call->args[0])));
}

static bool read_window(prover *p,
                        const block *b,
                        const term *window,
                        preceding *out)
{
    *out = (preceding){.call = window->args[0], .name = S("count")};
    str name = out->call->text;
    bool tells = tells_order(p, b, window);
    out->is_rank = str_among(name, "rank dense_rank")
                   || (tells && str_equal(name, S("row_number")));
    return out->is_rank || (tells && read_neighbor(window, out))
           || read_running(p, out, tells);
}

// The rows before the row among those of its partition.
static block *rows_before(prover *p,
                          const block *b,
                          const term *window,
                          const preceding *how,
                          const term **own)
{
    block rows = {.sources = b->sources, .where = b->where};
    term_list_push(p, &rows.select, window);
    block *copy = block_copy(p, &rows);
    copy->pos = b->pos;
    *own = copy->select.ptr[0];
    copy->select.len = 0;
    for (int32_t i = 0; i < window->args[1]->n; i++) {
        term_conjoin(p, &copy->where,
                     term_compare(p, TERM_EQUAL, (*own)->args[1]->args[i],
                                  window->args[1]->args[i]));
    }
    if (how->is_whole) {
        return copy;
    }
    bool is_less = is_falling(window) == how->is_after;
    term_kind kind = is_less ? (how->has_own ? TERM_LESS_EQUAL : TERM_LESS)
                     : how->has_own ? TERM_GREATER_EQUAL
                                    : TERM_GREATER;
    term_conjoin(p, &copy->where,
                 term_compare(p, kind, key_of(*own), key_of(window)));
    return copy;
}

// What the nearest of the rows before shows; the first of the partition.
static const term *value_of_first(prover *p,
                                  block *rows,
                                  const term *own,
                                  const preceding *how)
{
    sort_term key = {.term = key_of(own)};
    key.is_descending = is_falling(own) != (!how->is_whole && !how->is_after);
    key.nulls_last = sort_puts_nulls_last(p, key.is_descending);
    *vec_push(p->a, &rows->order) = key;
    rows->limit = term_integer(p, 1);
    term_list_push(p, &rows->select, own->args[0]->args[0]);
    rules_apply_after(p, rows);
    return term_make(p, (term){.kind = TERM_SCALAR, .block = rows});
}

static const term *scalar_of(prover *p,
                             const block *b,
                             const term *window,
                             const preceding *how)
{
    const term *own = NULL;
    block *copy = rows_before(p, b, window, how, &own);
    if (how->is_value) {
        return value_of_first(p, copy, own, how);
    }
    bool is_dense = str_equal(how->call->text, S("dense_rank"));
    const term *key = key_of(own);
    const term *agg = is_dense
                          ? term_aggregate(p, how->name, true, &key, 1)
                          : term_aggregate(p, how->name, false,
                                           own->args[0]->args, own->args[0]->n);
    term_list_push(p, &copy->select, agg);
    copy->is_grouped = true;
    rules_apply_after(p, copy);
    const term *value =
        term_make(p, (term){.kind = TERM_SCALAR, .block = copy});
    return how->is_rank
               ? term_arithmetic(p, TERM_ADD, value, term_integer(p, 1))
               : value;
}

static walk_step search_ordered(void *context, const term *t)
{
    const window_search *s = context;
    preceding how;
    bool fits = t->kind == TERM_WINDOW && key_of(t)
                && know_not_null(s->p, s->b, key_of(t)) && has_partition(s, t)
                && read_window(s->p, s->b, t, &how);
    return fits ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

static bool replace_window(prover *p, block *b)
{
    // Most blocks have no window: that saves a walk.
    bool fits = !b->is_grouped && block_has(b, HAS_WINDOW);
    for (ptrdiff_t i = 0; fits && i < b->sources.len; i++) {
        fits = !b->sources.ptr[i]->body;
    }
    const term *window =
        fits ? block_walk_results(b, search_ordered, &(window_search){p, b})
             : NULL;
    preceding how;
    if (!window || !read_window(p, b, window, &how)) {
        return false;
    }
    block_replace_term(p, b, window, scalar_of(p, b, window, &how));
    return true;
}

// Of a derived table from outside, where other rules come first.
bool rule_window_scalar(prover *p, block *b)
{
    bool changed = !b->is_source && replace_window(p, b);
    for (ptrdiff_t i = 0; !changed && i < b->sources.len; i++) {
        block *body = b->sources.ptr[i]->body;
        changed = body && replace_window(p, body);
    }
    return changed;
}

static bool is_partition(const term *window, const term *x)
{
    bool is = false;
    for (int32_t i = 0; !is && i < window->args[1]->n; i++) {
        is = term_bare(window->args[1]->args[i]) == x;
    }
    return is;
}

// Ends at a window that is not partitioned by what `x` points to.
static walk_step search_other_partition(void *x, const term *t)
{
    bool is_other =
        t->kind == TERM_WINDOW && !is_partition(t, *(const term **)x);
    return is_other ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

// A condition on partitions, inside of the derived table of the windows.
typedef struct partition_test {
    rewrite r;  // first, so that it can be found from there
    bool fails;
} partition_test;

static const term *visit_partition(rewrite *r, const term *t)
{
    partition_test *w = (partition_test *)r;
    bool is_shown = t->kind == TERM_COLUMN && t->source == r->from;
    if (!is_shown) {
        w->fails |= t->kind == TERM_COLUMN || t->block;
        return NULL;
    }
    block *body = r->from->body;
    const term *item = body->select.ptr[t->column];
    const term *x = term_bare(item);
    bool is_whole = r->wanted == t || know_exact(r->p, x);
    w->fails |= !is_whole || (item->has & HAS_WINDOW)
                || block_walk_results(body, search_other_partition, &x);
    return term_as(r->p, x, term_type_of(t));
}

static bool has_windows(const instance *s)
{
    const block *body = s->body;
    return body && !s->is_outer && !body->set && !body->is_grouped
           && !block_has_limit(body) && block_has(body, HAS_WINDOW);
}

bool rule_window_where(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *s = b->sources.ptr[i];
        if (!has_windows(s) || !term_uses(t, s)) {
            continue;
        }
        // NULL or not are all of a partition, whatever is equal there.
        partition_test w = {.r = {.p = p, .visit = visit_partition, .from = s}};
        w.r.wanted = term_tested_not_null(t);
        const term *inside = term_rewrite(&w.r, t);
        if (!w.fails) {
            term_list_remove(&b->where, at);
            term_conjoin(p, &s->body->where, inside);
            rules_settle(p, s->body);
            return true;
        }
    }
    return false;
}

// Ends at a window that does not show the first row of a partition, or in
// another order than those before; `context`: theirs.
static walk_step search_not_first(void *context, const term *t)
{
    const term **window = context;
    if (t->kind != TERM_WINDOW) {
        return t->block ? WALK_END : WALK_ON;
    }
    bool is_first = str_equal(t->args[0]->text, S("first_value"))
                    && t->args[0]->n == 1 && key_of(t);
    bool fits = is_first
                && (!*window
                    || (t->args[1] == (*window)->args[1]
                        && t->args[2] == (*window)->args[2]));
    *window = t;
    return fits ? WALK_PAST : WALK_END;
}

static const term *visit_shown_first(rewrite *r, const term *t)
{
    (void)r;
    return t->kind == TERM_WINDOW ? t->args[0]->args[0] : NULL;
}

static const term *visit_any_first(rewrite *r, const term *t)
{
    return t->kind == TERM_WINDOW
               ? term_aggregate(r->p, S("count"), false, NULL, 0)
               : NULL;
}

// Whether all but the first row's values has one value in each partition.
static bool shows_partition(prover *p, const block *b, const term *window)
{
    rewrite any = {.p = p, .visit = visit_any_first};
    block trial = block_results_rewritten(&any, b);
    block_group_by(&trial, term_list_of_args(p, window->args[1]));
    return !know_results(p, &trial).is_loose;
}

bool rule_first_distinct(prover *p, block *b)
{
    const term *window = NULL;
    if (b->is_grouped || b->repeats != REPEATS_DROPPED
        || block_walk_results(b, search_not_first, &window) || !window
        || !know_not_null(p, b, key_of(window))
        || !has_partition(&(window_search){p, b}, window)
        || !tells_order(p, b, window) || !shows_partition(p, b, window)) {
        return false;
    }
    rewrite first = {.p = p, .visit = visit_shown_first};
    const preceding how = {.call = window->args[0]};
    const term *own = NULL;
    block *before = rows_before(p, b, window, &how, &own);
    *b = block_results_rewritten(&first, b);
    term_conjoin(p, &b->where, term_not(p, term_exists(p, before)));
    return true;
}
