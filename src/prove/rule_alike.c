/*
 * rule_alike.c - derived tables of groups that a row meets by their keys.
 *
 * Method      A table of groups that is held equal in all its keys, by
 *             identity, is a partner: a row meets one group of it at most. What
 *             it shows is aggregates of the rows of that group, wherever these
 *             rows are found in full.
 *             Of two partners that group the same rows by the same keys one
 *             will do: a row that both are joined with meets the groups of one
 *             key. Rows that only one asks for are told by a CASE in its
 *             aggregates, so that COUNTs and SUMs of several kinds of rows are
 *             one table, however they are written.
 *             LEFT JOIN (SELECT k, SUM(y) FROM t GROUP BY k) ON k = x is LEFT
 *             JOIN t ON t.k = x, grouped by the rows that are joined.
 *
 *             Where a row meets no group an outer join showed NULL: so do SUM,
 *             MIN and MAX of no row, and of the padded row. COUNT is 0 there,
 *             and may stand for COALESCE(COUNT, 0) alone.
 *
 * Invariants  (1) Rows that only one asks for are asked for by outer joins: a
 *                 group more drops no row and pads none.
 *             (2) All keys are held equal, each to one value.
 */
#include "prove/rule_common.h"
#include "relation/relation_class.h"

typedef struct partner {
    rewrite r;          // first, so that it can be found from there
    instance *s;        // the derived table
    const block *body;  // what it groups, of the tables of another one, too
    instance *both;     // the one table that shows its items; NULL: its rows do
    const term *rest;   // of these it alone asks for that; NULL: for nothing
    bool may_miss;      // a row may meet none, but there are rows for it
    bool fails;
} partner;

// Whether it groups rows of tables.
static bool groups_rows(prover *p, const instance *s)
{
    const block *b = s->body;
    bool fits = b && !b->set && b->has_group && b->having.len == 0
                && b->repeats != REPEATS_DROPPED && !block_has_limit(b)
                && !block_has(b, HAS_WINDOW | HAS_BLOCK) && !block_has_outer(b);
    return fits && !know_results(p, b).is_loose;
}

// The key that the condition holds equal to something else, by identity; NULL:
// it asks otherwise.
static const term *key_held(prover *p,
                            const partner *a,
                            const term *t,
                            const term **held)
{
    for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
        const term *c = t->args[k];
        bool is_own = c->source == a->s && t->args[1 - k]->source != a->s;
        const term *key = is_own ? a->body->select.ptr[c->column] : NULL;
        *held = t->args[1 - k];
        if (key && term_list_has(&a->body->group, key)
            && know_equates(p, term_of(p, TERM_EQUAL, key, *held))) {
            return key;
        }
    }
    return NULL;
}

// Whether it is NULL of the padded row, as it is where there is no group.
static bool is_null_of_none(const block *b, const term *item)
{
    bool is_null = false;
    for (ptrdiff_t i = 0; !is_null && i < b->sources.len; i++) {
        is_null = know_null_when(item, NULL, b->sources.ptr[i]);
    }
    return is_null && !term_is_bare(b, item);
}

// The aggregate of the rows that the partner asks for.
static const term *visit_aggregate(rewrite *r, const term *t)
{
    partner *a = (partner *)r;
    if (t->kind != TERM_AGGREGATE) {
        return NULL;
    }
    if (!a->both) {
        return counts_rows(t) ? count_of_partners(r->p, r->from) : NULL;
    }
    a->fails |= !counts_rows(t) && !aggregated(t, "count sum min max");
    if (!a->rest) {
        return t;
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

static const term *visit_shown(rewrite *r, const term *t)
{
    partner *a = (partner *)r;
    const term *padded = or_zero(t);
    const term *c = term_bare(padded ? padded : t);
    a->fails |= t->block && term_uses(t, a->s);
    if (c->source != a->s) {
        return t->block ? t : NULL;
    }
    const term *item = a->body->select.ptr[c->column];
    if (padded && !term_counts(item)) {
        return NULL;
    }
    a->fails |= a->may_miss && !padded && !is_null_of_none(a->body, item);
    a->r.visit = visit_aggregate;
    const term *of = term_rewrite(r, item);
    a->r.visit = visit_shown;
    if (a->both) {
        of = instance_showing(r->p, a->both, of);
    } else if (padded) {
        const term *x = aggregated(of, "count");
        a->fails |= !x || !know_null_when(x, NULL, r->from);
        return of;
    }
    const term *args[] = {term_as(r->p, of, term_type_of(c)),
                          term_integer(r->p, 0)};
    return padded ? term_call(r->p, S("coalesce"), args, 2) : args[0];
}

// The block with what else shows the items of the partner; not yet in ON.
static block without(prover *p, const block *b, partner *a)
{
    a->r = (rewrite){.p = p, .visit = visit_shown, .from = a->r.from};
    block trial = block_results_rewritten(&a->r, b);
    trial.where = conditions_rewritten(&a->r, &b->where);
    trial.group = term_list_rewritten(&a->r, &b->group);
    trial.extremes = term_list_rewritten(&a->r, &b->extremes);
    trial = block_trial(p, &trial);
    block_remove_source(&trial, a->s);
    for (ptrdiff_t i = 0; i < trial.sources.len; i++) {
        const instance *s = trial.sources.ptr[i];
        term_list_rewritten(&a->r, &s->on);
        a->fails |= s->body && block_uses(s->body, a->s);
    }
    return trial;
}

/* Two partners. */

// The rows of the one, of the tables of the other; false: of other tables.
static bool read_partner(prover *p, const partner *of, partner *a)
{
    block *body = groups_rows(p, a->s) ? block_copy(p, a->s->body) : NULL;
    if (!body || !block_speaks_of(p, body, of->body)) {
        return false;
    }
    body->sources = of->body->sources;
    a->body = body;
    return true;
}

// What it asks for beyond the conditions of both; false: that is a query, or
// asked for by an inner join. A row that is padded finds no group of the key
// NULL.
static bool read_rest(prover *p, partner *a, const term_list *common)
{
    term_list rest = {0};
    bool fits = true;
    for (ptrdiff_t i = 0; i < a->body->where.len; i++) {
        const term *t = a->body->where.ptr[i];
        const term *c = a->s->is_outer ? term_tested_not_null(t) : NULL;
        if (!term_list_has(common, t)
            && !(c && term_list_has(&a->body->group, c))) {
            term_list_push(p, &rest, t);
            fits &= a->s->is_outer && !(t->has & HAS_BLOCK);
        }
    }
    a->may_miss = rest.len > 0;
    a->rest = rest.len > 0 ? term_all_of(p, &rest) : NULL;
    return fits;
}

static const term *column_of_key(prover *p, const partner *a, const term *key)
{
    ptrdiff_t at = term_list_at(&a->body->select, key);
    return at < 0 ? NULL : term_column(p, a->s, (int32_t)at);
}

// What the join holds equal to the key; NULL: nothing.
static const term *held_equal(prover *p,
                              const block *b,
                              const partner *a,
                              const term *key)
{
    const term_list *on = a->s->is_outer ? &a->s->on : &b->where;
    for (ptrdiff_t i = 0; i < on->len; i++) {
        const term *held = NULL;
        if (key_held(p, a, on->ptr[i], &held) == key) {
            return held;
        }
    }
    return NULL;
}

// Whether a row that finds the group of a key in one of them finds that of the
// same key in the other one, if it is there. `joined`: without conditions on
// the other one, if that is padded.
static bool meet(prover *p,
                 const block *joined,
                 const partner *one,
                 const partner *other,
                 const term *key)
{
    const term *own = column_of_key(p, one, key);
    const term *far = held_equal(p, joined, other, key);
    return own && far
           && (far == own         ? know_not_null(p, joined, far)
               : one->s->is_outer ? far == held_equal(p, joined, one, key)
                                  : know_same_class(p, joined, own, far));
}

static bool all_meet(prover *p,
                     const block *b,
                     const partner *one,
                     const partner *other)
{
    block joined = block_trial(p, b);
    if (other->s->is_outer) {
        take_conditions(p, &joined, other->s);
    }
    bool all = true;
    for (ptrdiff_t i = 0; all && i < one->body->group.len; i++) {
        all = meet(p, &joined, one, other, one->body->group.ptr[i]);
    }
    return all;
}

// The rows of both, grouped by their keys.
static instance *both_of(prover *p, const block *b, partner *one, partner *two)
{
    instance *both = instance_new(p);
    both->body = block_new(p);
    both->body->pos = b->pos;  // nowhere in the text: no length
    both->body->sources = one->body->sources;
    for (ptrdiff_t i = 0; i < one->body->where.len; i++) {
        const term *t = one->body->where.ptr[i];
        if (term_list_has(&two->body->where, t)) {
            term_list_push(p, &both->body->where, t);
        }
    }
    block_group_by(both->body, one->body->group);
    both->body->is_source = true;
    both->is_outer = one->s->is_outer;
    one->both = both;
    two->both = both;
    return both;
}

static bool unite_groups(prover *p, block *b, partner *one, partner *two)
{
    instance *both = both_of(p, b, one, two);
    if (!read_rest(p, one, &both->body->where)
        || !read_rest(p, two, &both->body->where)
        || !all_meet(p, b, one, two)) {
        return false;
    }
    block trial = without(p, b, two);
    trial = without(p, &trial, one);
    if (one->fails || two->fails) {
        return false;
    }
    *b = trial;
    both->on = one->s->on;
    block_add_source(p, b, both);
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        term_list *on = &b->sources.ptr[i]->on;
        term_list_rewrite(&two->r, on);
        term_list_rewrite(&one->r, on);
    }
    rules_settle(p, both->body);
    return true;
}

// An outer join asks for its keys, and no more.
static bool asks_for_keys(const instance *s)
{
    return !s->is_outer || s->on.len == s->body->group.len;
}

// What is seen at once, before anything is copied.
static bool may_unite(const instance *s, const instance *other)
{
    return other != s && other->body && (!s->is_outer || other->is_outer)
           && s->body->group.len == other->body->group.len
           && asks_for_keys(other) && asks_for_keys(s);
}

bool rule_groups_alike(prover *p, block *b, instance *s)
{
    bool united = false;
    bool fits = b->sources.len > 1 && groups_rows(p, s);
    for (ptrdiff_t i = 0; fits && !united && i < b->sources.len; i++) {
        partner one = {.s = s, .body = s->body};
        partner two = {.s = b->sources.ptr[i]};
        united = may_unite(s, two.s) && read_partner(p, &one, &two)
                 && unite_groups(p, b, &one, &two);
    }
    return united;
}

/* The rows of one. */

// ON with the keys of the groups as columns of the table; false: it asks for
// something else, or not for all of them.
static bool take_keys(prover *p, const partner *a, term_list *on)
{
    term_list keys = {0};
    for (ptrdiff_t i = 0; i < a->s->on.len; i++) {
        const term *held = NULL;
        const term *key = key_held(p, a, a->s->on.ptr[i], &held);
        if (!key) {
            return false;
        }
        term_list_add(p, &keys, key);
        term_list_add(p, on, term_compare(p, TERM_EQUAL, key, held));
    }
    return keys.len == a->body->group.len;
}

bool rule_outer_groups(prover *p, block *b, instance *s)
{
    partner a = {.s = s, .body = s->body, .may_miss = true};
    term_list on = {0};
    if (!block_is_plain(b) || b->repeats == REPEATS_DROPPED
        || !groups_rows(p, s) || s->body->sources.len != 1
        || !s->body->sources.ptr[0]->columns_of || !take_keys(p, &a, &on)) {
        return false;
    }
    instance *rows = s->body->sources.ptr[0];
    rows->is_outer = true;
    rows->on = on;
    a.r.from = rows;
    block trial = *b;
    trial.having = take_conditions(p, &trial, s);
    trial = without(p, &trial, &a);
    if (a.fails || !add_identities(p, &trial, NULL, &trial.group)) {
        rows->is_outer = false;
        rows->on.len = 0;
        return false;
    }
    *b = trial;
    term_conjoin_all(p, &rows->on, &s->body->where);
    block_add_source(p, b, rows);
    block_group_by(b, b->group);
    return true;
}
