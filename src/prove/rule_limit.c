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

// Whether WHERE is the foreign key of a row inside, or of a group: no subquery,
// which would be changed in place.
static bool is_parent(prover *p, const block *b, instance *parent, instance *s)
{
    block asked = {.where = term_list_copy(p, &b->where)};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        if (b->where.ptr[i]->has & HAS_BLOCK) {
            return false;
        }
    }
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

// Whether the block sorts as its source does or, if that is NULL, one of its
// sides.
static bool sorts_as(prover *p,
                     const block *b,
                     const instance *s,
                     const block *body)
{
    bool same = b->order.len == body->order.len;
    for (ptrdiff_t i = 0; same && i < b->order.len; i++) {
        const sort_term *outer = &b->order.ptr[i];
        const sort_term *inner = &body->order.ptr[i];
        const term *t = outer->term;
        bool is_shown =
            s ? t->source == s
              : t->kind == TERM_OUTPUT && compares_as_sides(p, b, t->column);
        same = is_shown
               && term_bare(block_output(body, t->column))
                      == term_bare(inner->term)
               && outer->is_descending == inner->is_descending
               && outer->nulls_last == inner->nulls_last;
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
static bool adds_nothing(prover *p, const block *b, const instance *s)
{
    return (b->order.len == 0 || sorts_as(p, b, s, s->body))
           && takes_all(b->limit, s->body->limit);
}

// The block becomes its derived table, but shows what it showed; gives what it
// was.
static block become_body(prover *p, block *b, instance *s)
{
    b->order.len = 0;
    block_replace_outputs(p, b, s);
    block outer = *b;
    assert(s->body);
    block_become(b, s->body);
    b->select = outer.select;
    b->repeats = REPEATS_KEPT;
    return outer;
}

// Whether the block leaves out no column of the derived table.
static bool shows_all(prover *p, const block *b, instance *s)
{
    bool shows = true;
    for (int32_t i = 0; shows && i < instance_columns(s); i++) {
        shows = term_list_has(&b->select, term_column(p, s, i));
    }
    return shows;
}

bool rule_project_limit(prover *p, block *b)
{
    const block *body = only_body(b);
    block rows = *b;
    rows.limit = NULL;
    if (!body || !block_is_plain(&rows) || b->where.len > 0
        || b->repeats == REPEATS_DROPPED || body->set
        || !block_has_limit(body)) {
        return false;
    }
    instance *s = b->sources.ptr[0];
    bool is_distinct = body->repeats == REPEATS_DROPPED;
    bool cuts = b->order.len > 0 && sorts_as(p, b, s, body)
                && takes_all(body->limit, b->limit);
    if ((!cuts && !adds_nothing(p, b, s))
        || (is_distinct && !shows_all(p, b, s))) {
        return false;
    }
    block outer = become_body(p, b, s);
    b->limit = cuts ? outer.limit : b->limit;
    b->repeats = is_distinct ? REPEATS_DROPPED : REPEATS_KEPT;
    return true;
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
        if (is_cut(s) && adds_nothing(p, b, s)
            && (is_parent(p, b, partner, s) || pads_one(p, b, partner, s))) {
            block outer = become_body(p, b, s);
            block_add_source(p, b, partner);
            term_conjoin_all(p, &b->where, &outer.where);
            return true;
        }
    }
    return false;
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
                 && side->limit->number >= b->limit->number && b->order.len > 0
                 && sorts_as(p, b, NULL, side);
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
