/*
 * rule_alike.c - derived tables that group the same rows by the same keys.
 *
 * Method      Two of them, joined by their keys, are one: a row that both are
 *             joined with finds the groups of one key. Rows that only one asks
 *             for are told by a CASE in its aggregates, so that COUNTs and SUMs
 *             of several kinds of rows are one table, however they are written.
 *
 *             Of a group that only the other one has, an outer join showed
 *             NULL: so do SUM, MIN and MAX of no row. COUNT is 0 there, and may
 *             stand for COALESCE(COUNT, 0) alone; and the keys are shown.
 *
 * Invariants  (1) Rows that only one asks for are asked for by outer joins: a
 *                 group more drops no row and pads none.
 *             (2) All keys are held equal, each to one value: a row finds one
 *                 group at most.
 */
#include "prove/rule_common.h"

// A derived table, as one of the tables of the first.
typedef struct grouped_part {
    rewrite r;  // first, so that it can be found from there
    instance *s;
    term_list items;
    term_list group;
    term_list where;
    const term *rest;  // what it alone asks for; NULL: nothing
    instance *both;
} grouped_part;

// Whether it groups rows of tables, and shows keys and aggregates that forget
// NULL.
static bool groups_rows(prover *p, const instance *s)
{
    const block *b = s->body;
    bool fits = b && !b->set && b->has_group && b->having.len == 0
                && b->repeats != REPEATS_DROPPED && !block_has_limit(b)
                && !block_has(b, HAS_WINDOW | HAS_BLOCK);
    group_results results = fits ? know_results(p, b) : (group_results){0};
    fits = fits && !results.is_loose;
    for (ptrdiff_t i = 0; fits && i < results.aggregates.len; i++) {
        const term *t = results.aggregates.ptr[i];
        fits = counts_rows(t) || aggregated(t, "count sum min max");
    }
    return fits;
}

// Its items, keys and conditions, of the tables of the other one; false: it
// groups other tables.
static bool read_part(prover *p, const instance *of, grouped_part *out)
{
    const block *b = out->s->body;
    block rows = {.sources = b->sources, .where = b->where};
    term_list_push_all(p, &rows.select, &b->select);
    term_list_push_all(p, &rows.select, &b->group);
    block *own = block_has_outer(b) ? NULL : block_copy(p, &rows);
    if (!own || !block_speaks_of(p, own, of->body)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < own->select.len; i++) {
        term_list *to = i < b->select.len ? &out->items : &out->group;
        term_list_push(p, to, own->select.ptr[i]);
    }
    for (ptrdiff_t i = 0; i < own->where.len; i++) {
        // A row that is padded finds no group of the key NULL.
        const term *c = term_tested_not_null(own->where.ptr[i]);
        if (!c || !out->s->is_outer || !term_list_has(&out->group, c)) {
            term_list_push(p, &out->where, own->where.ptr[i]);
        }
    }
    return true;
}

// What a part asks for beyond the conditions of both; false: that is a query.
static bool read_rest(prover *p, grouped_part *a, const term_list *common)
{
    term_list rest = {0};
    bool fits = true;
    for (ptrdiff_t i = 0; i < a->where.len; i++) {
        if (!term_list_has(common, a->where.ptr[i])) {
            term_list_push(p, &rest, a->where.ptr[i]);
            fits &= !(a->where.ptr[i]->has & HAS_BLOCK);
        }
    }
    a->rest = rest.len > 0 ? term_all_of(p, &rest) : NULL;
    return fits;
}

// Whether the term is a column that shows the key.
static bool shows(const grouped_part *a, const term *c, const term *key)
{
    return c->kind == TERM_COLUMN && c->source == a->s
           && term_bare(a->items.ptr[c->column]) == term_bare(key);
}

static const term *column_of_key(prover *p,
                                 const grouped_part *a,
                                 const term *key)
{
    for (int32_t i = 0; i < a->items.len; i++) {
        const term *c = term_column(p, a->s, i);
        if (shows(a, c, key)) {
            return c;
        }
    }
    return NULL;
}

// Whether the column is NULL of a group without rows.
static bool is_null_of_none(const grouped_part *a, int32_t column)
{
    const block *b = a->s->body;
    const term *item = b->select.ptr[column];
    bool is_null = false;
    for (ptrdiff_t i = 0; !is_null && i < b->sources.len; i++) {
        is_null = know_null_when(item, NULL, b->sources.ptr[i]);
    }
    return is_null && !term_is_bare(b, item);
}

// The COUNT that stands in COALESCE(COUNT, 0); NULL: the term is another.
static const term *counted_or_zero(const grouped_part *a, const term *t)
{
    const term *x = or_zero(t);
    const term *c = x ? term_bare(x) : NULL;
    bool is_count = c && c->source == a->s
                    && (counts_rows(a->items.ptr[c->column])
                        || aggregated(a->items.ptr[c->column], "count"));
    return is_count ? c : NULL;
}

static walk_step search_missed(void *context, const term *t)
{
    const grouped_part *a = context;
    bool misses = t->source == a->s && !is_null_of_none(a, t->column);
    return misses ? WALK_END : counted_or_zero(a, t) ? WALK_PAST : WALK_ON;
}

// Whether nothing tells a group without rows from none.
static bool hides_none(const block *b, grouped_part *a)
{
    if (!a->rest) {
        return true;
    }
    term_list on = a->s->on;
    a->s->on.len = 0;
    bool hides = a->s->is_outer && !block_walk_own(b, search_missed, a);
    a->s->on = on;
    return hides;
}

// The aggregate of the rows that the part asks for.
static const term *visit_aggregate(rewrite *r, const term *t)
{
    const grouped_part *a = (const grouped_part *)r;
    if (t->kind != TERM_AGGREGATE) {
        return NULL;
    }
    const term *x = t->n == 0 ? term_integer(r->p, 1) : t->args[0];
    const term *both[] = {a->rest, is_when(x) ? x->args[0] : NULL};
    const term *args[] = {
        both[1] ? term_all(r->p, TERM_AND, both, 2) : a->rest,
        both[1] ? x->args[1] : x,
    };
    const term *one = term_as(r->p, term_case(r->p, args, 2), term_type_of(x));
    return term_aggregate(r->p, t->text, t->flag, &one, 1);
}

// The column of the one table; it shows the key, or the aggregate.
static const term *column_of_both(grouped_part *a, const term *c)
{
    prover *p = a->r.p;
    const term *item = a->items.ptr[c->column];
    rewrite r = a->r;
    r.visit = visit_aggregate;
    grouped_part inside = *a;
    inside.r = r;
    const term *shown = a->rest ? term_rewrite(&inside.r, item) : item;
    term_list *all = &a->both->body->select;
    ptrdiff_t at = 0;
    while (at < all->len && all->ptr[at] != shown) {
        at++;
    }
    if (at == all->len) {
        term_list_push(p, all, shown);
    }
    return term_as(p, term_column(p, a->both, (int32_t)at), term_type_of(c));
}

static const term *visit_shown(rewrite *r, const term *t)
{
    grouped_part *a = (grouped_part *)r;
    return t->source == a->s ? column_of_both(a, t) : NULL;
}

// What the outer join holds equal to the key, by identity; NULL: nothing.
static const term *held_equal(prover *p, const grouped_part *a, const term *key)
{
    const term *held = NULL;
    for (ptrdiff_t i = 0; i < a->s->on.len; i++) {
        const term *t = a->s->on.ptr[i];
        int k = t->kind == TERM_EQUAL && t->args[1]->source == a->s;
        if (t->kind == TERM_EQUAL && shows(a, t->args[k], key)
            && know_equates(p, term_of(p, TERM_EQUAL, key, t->args[!k]))) {
            held = t->args[!k];
        }
    }
    return held;
}

// Whether a row that finds the group of a key in one of them finds that of the
// same key in the other one, if it is there. `joined`: without conditions on
// the other one.
static bool meet(prover *p,
                 const block *joined,
                 const grouped_part *one,
                 const grouped_part *other,
                 const term *key)
{
    const term *own = column_of_key(p, one, key);
    const term *far = other->s->is_outer ? held_equal(p, other, key)
                                         : column_of_key(p, other, key);
    if (!own || !far) {
        return false;
    }
    if (shows(one, far, key)) {
        return know_not_null(p, joined, far);
    }
    return one->s->is_outer ? far == held_equal(p, one, key)
                            : know_same_class(p, joined, own, far);
}

static bool all_meet(prover *p,
                     const block *b,
                     const grouped_part *one,
                     const grouped_part *other)
{
    block joined = {.sources = b->sources};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        if (!other->s->is_outer || !term_uses(b->where.ptr[i], other->s)) {
            term_list_push(p, &joined.where, b->where.ptr[i]);
        }
    }
    bool all = true;
    for (ptrdiff_t i = 0; all && i < one->group.len; i++) {
        const term *key = one->group.ptr[i];
        all = term_list_has(&other->group, key)
              && meet(p, &joined, one, other, key);
    }
    return all;
}

static term_list common_of(prover *p, const term_list *a, const term_list *b)
{
    term_list common = {0};
    for (ptrdiff_t i = 0; i < a->len; i++) {
        if (term_list_has(b, a->ptr[i])) {
            term_list_push(p, &common, a->ptr[i]);
        }
    }
    return common;
}

// The rows of both, grouped by their keys.
static instance *both_of(prover *p,
                         const block *b,
                         const grouped_part *one,
                         const term_list *common)
{
    instance *both = instance_new(p);
    both->body = block_new(p);
    both->body->pos = b->pos;  // nowhere in the text: no length
    both->body->sources = one->s->body->sources;
    both->body->where = *common;
    block_group_by(both->body, one->group);
    both->body->is_source = true;
    both->is_outer = one->s->is_outer;
    return both;
}

static void replace_part(prover *p, block *b, grouped_part *a, instance *both)
{
    a->both = both;
    a->r = (rewrite){.p = p, .visit = visit_shown};
    block_rewrite(&a->r, b);
}

// Whether as many conditions hold it equal to others as it has keys; an outer
// join asks for no more.
static bool asks_for_keys(const block *b, const instance *s)
{
    ptrdiff_t n = s->is_outer ? s->on.len : 0;
    for (ptrdiff_t i = 0; !s->is_outer && i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        n += t->kind == TERM_EQUAL
             && (t->args[0]->source == s || t->args[1]->source == s);
    }
    return s->is_outer ? n == s->body->group.len : n >= s->body->group.len;
}

// What is seen at once, before anything is copied.
static bool may_unite(const block *b, const instance *s, const instance *other)
{
    return other != s && other->body && (!s->is_outer || other->is_outer)
           && s->body->group.len == other->body->group.len
           && asks_for_keys(b, other) && (!s->is_outer || asks_for_keys(b, s));
}

static bool unite_groups(prover *p, block *b, instance *s, instance *other)
{
    grouped_part one = {.s = s};
    grouped_part two = {.s = other};
    if (!groups_rows(p, other) || !read_part(p, s, &one)
        || !read_part(p, s, &two)) {
        return false;
    }
    term_list common = common_of(p, &one.where, &two.where);
    if (!read_rest(p, &one, &common) || !read_rest(p, &two, &common)
        || !all_meet(p, b, &one, &two) || !hides_none(b, &one)
        || !hides_none(b, &two)) {
        return false;
    }
    instance *both = both_of(p, b, &one, &common);
    both->on = s->on;
    block_remove_source(b, s);
    block_remove_source(b, other);
    block_add_source(p, b, both);
    replace_part(p, b, &one, both);
    replace_part(p, b, &two, both);
    tidy_where(p, b);
    rules_settle(p, both->body);
    return true;
}

bool rule_groups_alike(prover *p, block *b, instance *s)
{
    bool united = false;
    bool fits = b->sources.len > 1 && groups_rows(p, s);
    for (ptrdiff_t i = 0; fits && !united && i < b->sources.len; i++) {
        instance *other = b->sources.ptr[i];
        united = may_unite(b, s, other) && unite_groups(p, b, s, other);
    }
    return united;
}
