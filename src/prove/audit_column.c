/*
 * audit_column.c - columns of a derived table that are gone, and others that
 * are used in place of them; see need.def.
 *
 * Method      Each column, of before and of now, is written as the first one
 *             now that shows the same on all sides. Then the block must be what
 *             it was.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "prove/audit_same.h"

// The only source that is gone; NULL: there are others, or none.
static const stage_source *only_gone(const need_step *s)
{
    const stage_source *gone = NULL;
    int n = 0;
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        bool is_there = block_owns(s->is, s->was->sources[i].is);
        n += !is_there;
        gone = is_there ? gone : &s->was->sources[i];
    }
    return n == 1 ? gone : NULL;
}

// The sides of a UNION ALL as they are now, from the left; false: it is more
// than that.
typedef vec_of(const block *) side_list;

static bool add_sides(prover *p, side_list *all, const block *b)
{
    if (!b->set) {
        *vec_push(p->a, all) = b;
        return true;
    }
    return b->set == SET_UNION && b->is_all && !block_has_limit(b)
           && b->order.len == 0 && add_sides(p, all, b->left)
           && add_sides(p, all, b->right);
}

// A derived table, and its sides now.
typedef struct narrowing {
    rewrite r;  // first, so that it can be found from there
    const stage_source *gone;
    instance *to;
    side_list now;
} narrowing;

// The first column now that shows on all sides what column `k` showed, or now
// shows; -1: there is none.
static int32_t place_of(const narrowing *n, int32_t k, bool is_now)
{
    for (int32_t i = 0; i < n->now.ptr[0]->select.len; i++) {
        bool alike = true;
        for (ptrdiff_t side = 0; alike && side < n->now.len; side++) {
            const term_list *now = &n->now.ptr[side]->select;
            const term_list *was = &n->gone->sides.ptr[side].select;
            alike = now->ptr[i] == (is_now ? now : was)->ptr[k];
        }
        if (alike) {
            return i;
        }
    }
    return -1;
}

static const term *visit_place(rewrite *r, const term *t)
{
    const narrowing *n = (const narrowing *)r;
    bool is_now = t->kind == TERM_COLUMN && t->source == n->to;
    bool is_meant =
        is_now || (t->kind == TERM_COLUMN && t->source == n->gone->is);
    int32_t place = is_meant ? place_of(n, t->column, is_now) : -1;
    return place >= 0 ? term_column(r->p, n->to, place) : NULL;
}

static bool is_constant(const term *t)
{
    return term_is_literal(t) || t->kind == TERM_NULL;
}

// Are the rows of a side those that they were, as often as they were?
static bool keeps_rows(const narrowing *n, const block *was, const block *is)
{
    bool same = was->sources.len == is->sources.len && !was->set && !is->set
                && term_lists_equal(&was->where, &is->where)
                && term_lists_equal(&was->group, &is->group)
                && term_lists_equal(&was->having, &is->having)
                && was->is_grouped == is->is_grouped
                && was->has_group == is->has_group && !block_has_limit(was)
                && !block_has_limit(is)
                && is->select.len == n->now.ptr[0]->select.len;
    for (ptrdiff_t i = 0; same && i < was->sources.len; i++) {
        same = was->sources.ptr[i] == is->sources.ptr[i];
    }
    if (!same || !is->distinct) {
        return same && fact_distinct_idle(n->r.p, was);
    }
    bool keeps_one = false;
    for (int32_t k = 0; k < was->select.len; k++) {
        bool is_kept = place_of(n, k, false) >= 0;
        keeps_one |= is_kept;
        same &= is_kept || is_constant(was->select.ptr[k]);
    }
    return same && keeps_one && was->distinct;
}

bool need_gone_is_narrower(const need_step *s)
{
    narrowing n = {.r = {.p = s->p, .visit = visit_place},
                   .gone = only_gone(s),
                   .to = stage_new_source(s->was, s->is)};
    bool holds = n.gone && n.to && n.gone->was.body
                 && n.to->body == n.gone->was.body
                 && add_sides(s->p, &n.now, n.to->body)
                 && n.now.len == n.gone->sides.len;
    for (ptrdiff_t i = 0; holds && i < n.now.len; i++) {
        holds = keeps_rows(&n, &n.gone->sides.ptr[i], n.now.ptr[i]);
    }
    return holds && same_rewritten(s, &n.r, n.gone, n.to);
}
