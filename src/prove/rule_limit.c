/*
 * rule_limit.c - LIMIT in what LIMIT is asked of again: a derived table that is
 * joined to partners, a side of UNION ALL.
 *
 * Method      Each row of the derived table has one partner: a parent, by a
 *             foreign key that is held equal and nothing else, or the one row
 *             at most of an outer join. So its first rows, each with its
 *             partner, are the first rows of the join of both; which of the
 *             tied rows are taken is the same choice. A group has one parent
 *             where the foreign key is grouped by, and as many rows as before.
 */
#include "prove/rule_common.h"
#include "relation/relation_type.h"

#include <assert.h>

static bool is_cut(const instance *s)
{
    const block *body = s->body;
    return body && !s->is_outer && !body->set && block_has_limit(body)
           && body->repeats != REPEATS_DROPPED && !block_has(body, HAS_WINDOW);
}

// Whether WHERE is the foreign key of a row inside, or of a group.
static bool is_parent(prover *p, const block *b, instance *parent, instance *s)
{
    block asked = {0};
    term_list_push_all(p, &asked.where, &b->where);
    block_replace_outputs(p, &asked, s);
    return !parent->is_outer
           && has_parent(p, s->body, &asked.where, parent,
                         s->body->is_grouped ? &s->body->group : NULL);
}

// Whether each row of the derived table stays one row.
static bool pads_one(prover *p,
                     const block *b,
                     const instance *partner,
                     const instance *s)
{
    return !s->body->is_grouped && b->where.len == 0
           && has_one_partner(p, b, partner);
}

// Whether the order around a block is one of its columns that the block sorts
// by.
static bool sorts_alike(const sort_term *outer,
                        const block *body,
                        int32_t column,
                        const sort_term *inner)
{
    return term_bare(block_output(body, column)) == term_bare(inner->term)
           && outer->is_descending == inner->is_descending
           && outer->nulls_last == inner->nulls_last;
}

// Whether the query around it sorts by what the derived table is sorted by.
static bool sorts_so(const block *b, const instance *s)
{
    const block *body = s->body;
    bool same = b->order.len == body->order.len;
    for (ptrdiff_t i = 0; same && i < b->order.len; i++) {
        const term *t = b->order.ptr[i].term;
        same = t->source == s
               && sorts_alike(&b->order.ptr[i], body, t->column,
                              &body->order.ptr[i]);
    }
    return same;
}

// Whether the LIMIT of the one is no less than that of the other.
static bool takes_all(const term *limit, const term *other)
{
    return !limit
           || (other && limit->kind == TERM_INTEGER
               && other->kind == TERM_INTEGER && other->number >= 0
               && limit->number >= other->number);
}

// Whether the query around it sorts by that, or by nothing, and its LIMIT
// leaves nothing out.
static bool adds_nothing(const block *b, const instance *s)
{
    return (b->order.len == 0 || sorts_so(b, s))
           && takes_all(b->limit, s->body->limit);
}

bool rule_project_limit(prover *p, block *b)
{
    const block *body = only_body(b);
    block rows = *b;
    rows.limit = NULL;
    if (!body || !block_is_plain(&rows) || b->where.len > 0
        || b->repeats == REPEATS_DROPPED || body->set || !block_has_limit(body)
        || body->repeats == REPEATS_DROPPED) {
        return false;
    }
    instance *s = b->sources.ptr[0];
    bool cuts = b->order.len > 0 && sorts_so(b, s) && body->limit && b->limit
                && takes_all(body->limit, b->limit);
    if (!cuts && !adds_nothing(b, s)) {
        return false;
    }
    b->order.len = 0;
    block_replace_outputs(p, b, s);
    block outer = *b;
    block_become(b, s->body);
    b->select = outer.select;
    b->limit = cuts ? outer.limit : b->limit;
    b->repeats = REPEATS_KEPT;
    return true;
}

static void take_partner(prover *p, block *b, instance *s, instance *partner)
{
    b->order.len = 0;
    block_replace_outputs(p, b, s);
    block outer = *b;
    assert(s->body);
    block_become(b, s->body);
    b->select = outer.select;
    b->repeats = REPEATS_KEPT;
    block_add_source(p, b, partner);
    for (ptrdiff_t i = 0; i < outer.where.len; i++) {
        term_conjoin(p, &b->where, outer.where.ptr[i]);
    }
    tidy_where(p, b);
}

bool rule_limit_parent(prover *p, block *b)
{
    block rows = *b;
    rows.limit = NULL;
    if (!block_is_plain(&rows) || b->sources.len != 2
        || b->repeats == REPEATS_DROPPED) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        instance *s = b->sources.ptr[i];
        instance *partner = b->sources.ptr[1 - i];
        if (is_cut(s) && adds_nothing(b, s)
            && (is_parent(p, b, partner, s) || pads_one(p, b, partner, s))) {
            take_partner(p, b, s, partner);
            return true;
        }
    }
    return false;
}

// Whether the side sorts by what the union is sorted by.
static bool sorts_as(prover *p, const block *b, const block *side)
{
    bool same = b->order.len > 0 && b->order.len == side->order.len;
    for (ptrdiff_t i = 0; same && i < b->order.len; i++) {
        const term *t = b->order.ptr[i].term;
        same = t->kind == TERM_OUTPUT && compares_as_sides(p, b, t->column)
               && sorts_alike(&b->order.ptr[i], side, t->column,
                              &side->order.ptr[i]);
    }
    return same;
}

static bool drop_limit(prover *p, const block *b, block *side)
{
    if (block_is_union_all(side) && !block_has_limit(side)) {
        bool left = drop_limit(p, b, side->left);
        bool right = drop_limit(p, b, side->right);
        return left || right;
    }
    bool drops = !side->set && !side->offset && side->limit
                 && side->limit->kind == TERM_INTEGER
                 && side->limit->number >= b->limit->number
                 && sorts_as(p, b, side);
    if (drops) {
        side->limit = NULL;
        side->order.len = 0;
    }
    return drops;
}

bool rule_limit_side(prover *p, block *b)
{
    bool is_cut = block_is_union_all(b) && !b->offset && b->limit
                  && b->limit->kind == TERM_INTEGER && b->limit->number >= 0;
    bool left = is_cut && drop_limit(p, b, b->left);
    bool right = is_cut && drop_limit(p, b, b->right);
    return left || right;
}
