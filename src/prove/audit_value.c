/*
 * audit_value.c - subqueries that stand for a value, and what a step put in
 * their place; see need.def.
 *
 * Method      What the block would be, had the step done what it may and no
 *             more, is made here once more and compared with what it is.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "prove/audit_same.h"
#include "relation/normal.h"

// --- (SELECT e)

// e where nothing stands around it; NULL: it does not stand alone.
static const term *lone_item(const block *in)
{
    bool is_alone = block_is_plain(in) && in->sources.len == 0
                    && in->where.len == 0 && in->select.len == 1;
    return is_alone ? in->select.ptr[0] : NULL;
}

static const term *visit_lone(rewrite *r, const term *t)
{
    const term *e = t->kind == TERM_SCALAR ? lone_item(t->block) : NULL;
    bool may = e && !(r->b->is_grouped && (e->has & HAS_COLUMN));
    return may ? term_as(r->p, e, term_type_of(t)) : t->block ? t : NULL;
}

// Conditions in parts; c = c asks whether c is NULL.
static term_list conditions_of(prover *p, const term_list *l)
{
    term_list all = {0};
    for (ptrdiff_t i = 0; i < l->len; i++) {
        const term *t = l->ptr[i];
        bool is_idle = t->kind == TERM_EQUAL && t->args[0] == t->args[1];
        term_conjoin(p, &all,
                     is_idle ? term_not(p, term_is(p, t->args[0], term_null(p)))
                             : t);
    }
    return all;
}

bool need_items_stood_alone(const need_step *s)
{
    prover *p = s->p;
    block was = stage_of(p, &s->was->b).b;
    rewrite r = {.p = p, .visit = visit_lone, .b = &s->was->b};
    term_list_rewrite(&r, &was.select);
    term_list_rewrite(&r, &was.where);
    term_list where = term_lists_equal(&was.where, &s->was->b.where)
                          ? was.where
                          : conditions_of(p, &was.where);
    return !prover_is_typed(p) && !was.set
           && term_lists_equal(&was.select, &s->is->select)
           && term_lists_equal(&where, &s->is->where)
           && term_lists_equal(&was.group, &s->is->group)
           && term_lists_equal(&was.having, &s->is->having)
           && same_orders(&was, s->is);
}

// --- the first row

typedef struct bare_search {
    const block *b;
    const fixed *by_group;
    prover *p;
    bool found;
} bare_search;

// A column that rows of one group may differ in.
static bool search_bare(void *context, const term *t)
{
    bare_search *s = context;
    bool is_key =
        term_list_has(&s->b->group, t) && fact_exact(s->p, t) != FACT_MIXED;
    if (t->kind == TERM_AGGREGATE || is_key) {
        return false;
    }
    for (ptrdiff_t i = 0; i < s->b->sources.len; i++) {
        const instance *own = s->b->sources.ptr[i];
        s->found |= t->kind == TERM_COLUMN && t->source == own
                    && !fixed_value(s->by_group, t);
        s->found |= t->block && block_uses(t->block, own);
    }
    return !s->found;
}

static bool shows_bare(prover *p, const stage *in)
{
    const block *b = &in->b;
    fixed f = fact_fixed(p, in, &b->group, false);
    bare_search s = {.b = b, .by_group = &f, .p = p};
    block_walk_results(b, search_bare, &s);
    return s.found;
}

// Is the first row that with the greatest (least) value of what it shows?
static bool comes_first(prover *p, const block *in, bool *is_greatest)
{
    if (in->set || in->order.len == 0 || !in->limit || in->offset
        || !term_is_number(in->limit, 1) || in->select.len != 1
        || (in->is_grouped && !in->has_group) || block_has(in, HAS_WINDOW)
        || prover_is_typed(p)) {
        return false;
    }
    stage rows = stage_of(p, in);
    const term *x = term_bare(in->select.ptr[0]);
    sort_term key = in->order.ptr[0];
    *is_greatest = key.is_descending;
    return term_bare(key.term) == x && fact_exact(p, x) != FACT_MIXED
           && fact_exact(p, key.term) != FACT_MIXED
           && (key.nulls_last || fact_not_null(p, &rows, x, NULL))
           && !(in->is_grouped && shows_bare(p, &rows));
}

// SELECT MAX(x) FROM (the rows) AS r (x)
static bool is_extreme_of(prover *p,
                          const block *of,
                          bool is_greatest,
                          const term *value)
{
    const block *b = value->kind == TERM_SCALAR ? value->block : NULL;
    bool is_all =
        b && !b->set && b->is_grouped && !b->has_group && b->where.len == 0
        && b->having.len == 0 && b->group.len == 0 && b->order.len == 0
        && !block_has_limit(b) && b->sources.len == 1 && b->select.len == 1;
    instance *rows = is_all ? b->sources.ptr[0] : NULL;
    if (!rows || !rows->body || rows->is_outer) {
        return false;
    }
    const block *body = rows->body;
    const term *call = b->select.ptr[0];
    return call->kind == TERM_AGGREGATE && call->n == 1 && !call->flag
           && str_equal(call->text, is_greatest ? S("max") : S("min"))
           && call->args[0] == term_column(p, rows, 0) && !block_has_limit(body)
           && same_rows(p, of, body);
}

// A block's own terms of some kinds.
typedef struct value_search {
    prover *p;
    bool (*is_wanted)(const term *t);
    term_list found;
} value_search;

static bool is_subquery(const term *t)
{
    return t->kind == TERM_SCALAR;
}

static bool search_value(void *context, const term *t)
{
    value_search *s = context;
    if (s->is_wanted(t)) {
        term_list_add(s->p, &s->found, t);
    }
    return !t->block || t->kind == TERM_IN;
}

static void add_values(value_search *s, const term_list *l)
{
    term_list_walk(l, search_value, s);
}

static term_list values_of(prover *p,
                           const block *b,
                           bool (*is_wanted)(const term *t))
{
    value_search s = {.p = p, .is_wanted = is_wanted};
    add_values(&s, &b->where);
    add_values(&s, &b->select);
    add_values(&s, &b->group);
    add_values(&s, &b->having);
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        term_walk(b->order.ptr[i].term, search_value, &s);
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        add_values(&s, &b->sources.ptr[i]->on);
    }
    return s.found;
}

static const term *visit_wanted(rewrite *r, const term *t)
{
    return t == r->wanted ? r->to : t->block ? t : NULL;
}

// Is the block what it was, with one value in place of another?
static bool is_else_same(const need_step *s, const term *gone, const term *now)
{
    rewrite r = {.p = s->p,
                 .visit = visit_wanted,
                 .wanted = gone,
                 .to = term_as(s->p, now, term_type_of(gone))};
    return same_rewritten(s, &r, NULL, NULL);
}

static term_list values_before(const need_step *s,
                               bool (*is_wanted)(const term *t))
{
    block was = s->was->b;
    value_search all = {.p = s->p,
                        .is_wanted = is_wanted,
                        .found = values_of(s->p, &was, is_wanted)};
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        add_values(&all, &s->was->sources[i].was.on);
    }
    return all.found;
}

bool need_first_is_extreme(const need_step *s)
{
    term_list before = values_before(s, is_subquery);
    term_list after = values_of(s->p, s->is, is_subquery);
    for (ptrdiff_t k = 0; k < after.len; k++) {
        const term *now = after.ptr[k];
        for (ptrdiff_t i = 0; i < before.len; i++) {
            const term *gone = before.ptr[i];
            bool is_greatest = false;
            if (now != gone && comes_first(s->p, gone->block, &is_greatest)
                && is_extreme_of(s->p, gone->block, is_greatest, now)
                && is_else_same(s, gone, now)) {
                return true;
            }
        }
    }
    return false;
}
