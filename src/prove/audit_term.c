/*
 * audit_term.c - what must hold of the conditions, counts and derived tables
 * that a step changed; see need.def.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "prove/audit_same.h"
#include "relation/normal.h"

// c of c IS NULL; NULL: it is no such test
static const term *tested_null(const term *t)
{
    return t->kind == TERM_IS && t->args[1]->kind == TERM_NULL ? t->args[0]
                                                               : NULL;
}

// Each item is an aggregate of c: rows without it add nothing.
static bool only_aggregates(const block *b, const term *c)
{
    bool all = b->is_grouped && !b->has_group && b->having.len == 0
               && b->order.len == 0;
    for (ptrdiff_t i = 0; all && i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        all = t->kind == TERM_AGGREGATE && t->n == 1 && t->args[0] == c;
    }
    return all;
}

bool need_dropped_not_null(const need_step *s, const term *t)
{
    const term *c = t->kind == TERM_NOT ? tested_null(t->args[0]) : NULL;
    return c
           && (fact_not_null(s->p, s->was, c, t)
               || only_aggregates(&s->was->b, c));
}

// Of a padded source that is gone: c is not NULL where there is a partner.
static bool is_only_padded(const need_step *s, const term *t)
{
    const term *c = tested_null(t);
    const stage_source *own =
        c && c->kind == TERM_COLUMN ? stage_find(s->was, c->source) : NULL;
    if (!own || !own->was.is_outer) {
        return false;
    }
    stage partner = *s->was;
    partner.b.where = own->was.on;
    stage_source inner = *own;
    inner.was.is_outer = false;
    partner.sources = &inner;
    partner.n = 1;
    return fact_not_null(s->p, &partner, c, NULL);
}

typedef struct asked_search {
    const need_step *step;
    const instance *gone;
    bool is_used;  // otherwise
} asked_search;

static bool search_asked(void *context, const term *t)
{
    asked_search *u = context;
    if (tested_null(t) && tested_null(t)->source == u->gone
        && is_only_padded(u->step, t)) {
        return false;
    }
    u->is_used |= t->source == u->gone;
    return !u->is_used;
}

// A block without groups.
bool need_gone_is_asked(const need_step *s, const stage_source *source)
{
    asked_search search = {.step = s, .gone = source->is};
    term_list_walk(&s->was->b.where, search_asked, &search);
    block_walk_results(&s->was->b, search_asked, &search);
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        const stage_source *other = &s->was->sources[i];
        if (other != source) {
            term_list_walk(&other->was.on, search_asked, &search);
        }
    }
    return !search.is_used;
}

// And nothing else asks for the source.
bool need_dropped_is_null(const need_step *s, const term *test)
{
    const term_list *was = &s->was->b.where;
    bool holds = is_only_padded(s, test);
    for (ptrdiff_t i = 0; holds && i < was->len; i++) {
        holds = was->ptr[i] == test
                || !term_uses(was->ptr[i], tested_null(test)->source);
    }
    return holds;
}

bool need_dropped_only(const need_step *s)
{
    bool holds = term_list_has_all(&s->was->b.where, &s->is->where)
                 && term_list_has_all(&s->was->b.having, &s->is->having);
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        holds = holds
                && term_list_has_all(&s->was->sources[i].was.on,
                                     &s->was->sources[i].is->on);
    }
    return holds;
}

// --- IN and EXISTS

// Of equal rows any one will do: they are identical, or IN tells them apart no
// more than DISTINCT.
static bool any_row_will_do(const need_step *s, const term *in)
{
    const block *b = in->block;
    bool holds = true;
    for (ptrdiff_t i = 0; holds && i < b->select.len; i++) {
        term_type x = term_type_of(term_part(in->args[0], i));
        term_type y = term_type_of_output(b, (int32_t)i);
        holds = fact_exact(s->p, b->select.ptr[i])
                || (!y.is_unlike && y.affinity == AFFINITY_TEXT
                    && y.collation == x.collation);
    }
    return holds;
}

static const term *in_of(const term *t)
{
    const term *in = t->kind == TERM_NOT ? t->args[0] : t;
    return in->kind == TERM_IN ? in : NULL;
}

static bool is_plain_in(const need_step *s, const term *t)
{
    const term *in = in_of(t);
    bool holds = in && block_is_plain(in->block)
                 && (!in->block->distinct || in->block->is_unique
                     || any_row_will_do(s, in));
    for (ptrdiff_t i = 0; holds && i < in->block->select.len; i++) {
        holds = term_in_is_equal(term_part(in->args[0], i),
                                 in->block->select.ptr[i]);
    }
    return holds;
}

// Nor without the condition `but`.
static bool has_no_null_but(const need_step *s, const term *t, const term *but)
{
    const term *in = in_of(t);
    stage inner = stage_of(s->p, in->block);
    bool holds = true;
    for (ptrdiff_t i = 0; holds && i < in->block->select.len; i++) {
        holds = fact_not_null(s->p, s->was, term_part(in->args[0], i), but)
                && fact_not_null(s->p, &inner, in->block->select.ptr[i], NULL);
    }
    return holds;
}

// IN of subqueries in a term, but in those: which of them are gone.
typedef struct part_search {
    const need_step *step;
    const term *whole;  // of WHERE; NULL: an item
    bool found;         // one that is gone
    bool fails;
    const term *wanted;
} part_search;

static bool search_part(void *context, const term *t)
{
    part_search *s = context;
    s->found |= t == s->wanted;
    return !s->found && (t->has & HAS_BLOCK) && !t->block;
}

static bool is_part(const term_list *l, const term *t)
{
    part_search s = {.wanted = t};
    term_list_walk(l, search_part, &s);
    return s.found;
}

// Under nothing but AND and OR, where NULL is as good as false.
static bool is_positive(const term *whole, const term *t)
{
    bool found = whole == t;
    bool has_parts =
        whole && (whole->kind == TERM_AND || whole->kind == TERM_OR);
    for (int32_t i = 0; has_parts && i < whole->n; i++) {
        found |= is_positive(whole->args[i], t);
    }
    return found;
}

static bool search_gone(void *context, const term *t)
{
    part_search *s = context;
    bool is_gone = t->kind == TERM_IN && !is_part(&s->step->is->where, t)
                   && !is_part(&s->step->is->select, t);
    if (is_gone) {
        s->found = true;
        s->fails |= !is_plain_in(s->step, t)
                    || (!is_positive(s->whole, t)
                        && !has_no_null_but(s->step, t, s->whole));
    }
    return !s->fails && (t->has & HAS_BLOCK) && !t->block;
}

bool need_part_in_is_test(const need_step *s)
{
    const block *was = &s->was->b;
    part_search gone = {.step = s};
    for (ptrdiff_t i = 0; i < was->where.len; i++) {
        gone.whole = was->where.ptr[i];
        term_walk(gone.whole, search_gone, &gone);
    }
    gone.whole = NULL;
    term_list_walk(&was->select, search_gone, &gone);
    return gone.found && !gone.fails;
}

static bool are_twins(const term *one, const term *other)
{
    return one->kind == TERM_EXISTS && other->kind == TERM_EXISTS
           && one->block->is_test && other->block->is_test
           && fact_same_tables(one->block, other->block);
}

bool need_or_is_of_tests(const need_step *s, const term *t)
{
    bool has_parts = t->kind == TERM_AND || t->kind == TERM_OR;
    bool found = false;
    for (int32_t i = 0; has_parts && i < t->n; i++) {
        for (int32_t k = i + 1; t->kind == TERM_OR && k < t->n; k++) {
            found |= are_twins(t->args[i], t->args[k]);
        }
        found |= need_or_is_of_tests(s, t->args[i]);
    }
    return found;
}

// What is gone because it is said elsewhere is no matter: c = c is NOT NULL.
bool need_exists_once(const need_step *s, const term *t)
{
    if (t->kind != TERM_EXISTS) {
        return t->kind == TERM_EQUAL && t->args[0] == t->args[1];
    }
    stage inner = stage_of(s->p, t->block);
    term_list none = {0};
    fixed f = fact_fixed(s->p, &inner, &none, false);
    return block_is_plain(t->block) && !block_has_outer(t->block)
           && fixed_rows(s->p, &f);
}

bool need_exists_is_plain(const need_step *s, const term *t)
{
    (void)s;
    return t->kind == TERM_EXISTS
               ? block_is_plain(t->block) && !block_has_outer(t->block)
               : t->kind == TERM_EQUAL && t->args[0] == t->args[1];
}

// --- counts

typedef struct count_rewrite {
    rewrite r;  // first, so that it can be found from there
    const need_step *s;
    bool is_distinct;
} count_rewrite;

// Whether c tells the rows of a group apart.
static bool tells_rows(const need_step *s, const term *c)
{
    term_list from = {0};
    term_list_push(s->p, &from, c);
    for (ptrdiff_t i = 0; i < s->was->b.group.len; i++) {
        term_list_push(s->p, &from, s->was->b.group.ptr[i]);
    }
    fixed f = fact_fixed(s->p, s->was, &from, false);
    return fixed_rows(s->p, &f);
}

// COUNT(c) of a c that is not NULL as COUNT(*), or with 1 for c in a CASE.
static const term *visit_count(rewrite *r, const term *t)
{
    const count_rewrite *c = (const count_rewrite *)r;
    const term *x = t->kind == TERM_AGGREGATE && t->n == 1 ? t->args[0] : NULL;
    if (!x || t->flag != c->is_distinct || !str_equal(t->text, S("count"))) {
        return t->block ? t : NULL;
    }
    bool is_test = !c->is_distinct && x->kind == TERM_CASE && x->n == 2;
    const term *counted = is_test ? x->args[1] : x;
    if (!fact_not_null(r->p, c->s->was, counted, NULL)
        || (c->is_distinct && !tells_rows(c->s, counted))) {
        return t;
    }
    const term *args[] = {x->n > 0 ? x->args[0] : x, term_integer(r->p, 1)};
    const term *one = is_test ? term_case(r->p, args, 2) : NULL;
    return term_aggregate(r->p, S("count"), false, &one, is_test);
}

static bool is_same_counted(const need_step *s, bool is_distinct)
{
    count_rewrite c = {{.p = s->p, .visit = visit_count}, s, is_distinct};
    return same_rewritten(s, &c.r, NULL, NULL);
}

bool need_counts_not_null(const need_step *s)
{
    return is_same_counted(s, false);
}

bool need_counts_keys(const need_step *s)
{
    return is_same_counted(s, true);
}

// --- groups and orders

bool need_order_is_told(const need_step *s)
{
    const block *was = &s->was->b;
    term_list before = {0};
    ptrdiff_t k = 0;
    for (ptrdiff_t i = 0; i < was->order.len; i++) {
        const term *t = was->order.ptr[i].term;
        if (k < s->is->order.len && s->is->order.ptr[k].term == t) {
            k++;
        } else {
            fixed f = fact_fixed(s->p, s->was, &before, false);
            if (!fixed_key(&f, t)) {
                return false;
            }
        }
        term_list_push(s->p, &before, t);
    }
    return k == s->is->order.len;
}

bool need_having_is_told(const need_step *s)
{
    const term_list *was = &s->was->b.having;
    fixed f = fact_fixed(s->p, s->was, &s->was->b.group, false);
    for (ptrdiff_t i = 0; i < was->len; i++) {
        if (!term_list_has(&s->is->having, was->ptr[i])
            && !fixed_value(&f, was->ptr[i])) {
            return false;
        }
    }
    return term_list_has_all(was, &s->is->having);
}

// --- derived tables

static bool same_conditions(const block *was, const block *is)
{
    return was->where.len == is->where.len
           && term_list_has_all(&was->where, &is->where)
           && was->having.len == is->having.len
           && term_list_has_all(&was->having, &is->having);
}

bool need_body_no_limit(const need_step *s,
                        const stage_source *source,
                        const block *is)
{
    (void)s;
    const block *was = &source->body;
    bool changed = !same_conditions(was, is) || was->order.len != is->order.len;
    return !changed || (!block_has_limit(was) && !block_has(was, HAS_WINDOW))
           || (same_conditions(was, is) && !block_has_limit(was));
}

bool need_body_only_order(const need_step *s,
                          const stage_source *source,
                          const block *is)
{
    (void)s;
    const block *was = &source->body;
    return same_conditions(was, is) && was->distinct == is->distinct
           && was->limit == is->limit && was->offset == is->offset
           && was->select.len == is->select.len
           && term_list_has_all(&was->select, &is->select)
           && was->group.len == is->group.len
           && term_list_has_all(&was->group, &is->group);
}

bool need_body_no_group(const need_step *s,
                        const stage_source *source,
                        const block *is)
{
    (void)s;
    const block *was = &source->body;
    return was->select.len == is->select.len
           || (!was->set && !was->is_grouped && !block_has_limit(was));
}

bool need_body_is_exact(const need_step *s,
                        const stage_source *source,
                        const block *is)
{
    const block *was = &source->body;
    bool changed = was->distinct != is->distinct;
    bool holds = same_conditions(was, is) && was->select.len == is->select.len
                 && !block_has_limit(was) && !source->was.is_outer;
    for (ptrdiff_t i = 0; holds && !was->is_unique && i < was->select.len;
         i++) {
        holds = fact_exact(s->p, was->select.ptr[i]) != FACT_MIXED;
    }
    return holds || !changed;
}
