/*
 * audit_same.c - see audit_same.h.
 *
 * Method      Both are walked side by side; a source of the one stands for that
 *             of the other from where they are met. The sides of = + * AND OR
 *             and what IN lists are sorted by when they were made, so there
 *             each part looks for its like.
 *
 * Cost        Quadratic in the parts of one condition, linear elsewhere.
 */
#include "prove/audit_same.h"

typedef struct source_pair {
    const instance *one;
    const instance *other;
} source_pair;

typedef struct likeness {
    prover *p;
    vec_of(source_pair) pairs;
} likeness;

bool same_orders(const block *a, const block *b)
{
    bool same = a->order.len == b->order.len;
    for (ptrdiff_t i = 0; same && i < a->order.len; i++) {
        sort_term x = a->order.ptr[i];
        sort_term y = b->order.ptr[i];
        same = x.term == y.term && x.is_descending == y.is_descending
               && x.nulls_last == y.nulls_last;
    }
    return same;
}

bool same_rewritten(const need_step *s,
                    rewrite *r,
                    const stage_source *gone,
                    const instance *to)
{
    block was = stage_of(s->p, &s->was->b).b;
    was.sources.len = 0;
    block_rewrite(r, &was);
    bool same = term_lists_equal(&was.select, &s->is->select)
                && term_lists_equal(&was.where, &s->is->where)
                && term_lists_equal(&was.group, &s->is->group)
                && term_lists_equal(&was.having, &s->is->having)
                && same_orders(&was, s->is);
    for (ptrdiff_t i = 0; same && i < s->was->n; i++) {
        const stage_source *source = &s->was->sources[i];
        const instance *is = source == gone ? to : source->is;
        block on = {.where = source->was.on};
        block copy = stage_of(s->p, &on).b;
        block_rewrite(r, &copy);
        same = term_lists_equal(&copy.where, &is->on)
               && source->was.is_outer == is->is_outer;
    }
    return same;
}

static bool like_block(likeness *l, const block *a, const block *b);
static bool like_term(likeness *l, const term *a, const term *b);

static const instance *other_of(const likeness *l, const instance *one)
{
    for (ptrdiff_t i = 0; i < l->pairs.len; i++) {
        if (l->pairs.ptr[i].one == one) {
            return l->pairs.ptr[i].other;
        }
    }
    return one;
}

static bool is_sorted_kind(const term *t)
{
    return t->kind == TERM_EQUAL || t->kind == TERM_UNEQUAL
           || t->kind == TERM_ADD || t->kind == TERM_MULTIPLY
           || t->kind == TERM_AND || t->kind == TERM_OR || t->kind == TERM_IS;
}

// From `first` on, in any order.
static bool like_parts(likeness *l, const term *a, const term *b, int32_t first)
{
    bool *taken = arena_new(l->p->a, bool, b->n + 1);
    for (int32_t i = first; i < a->n; i++) {
        bool found = false;
        for (int32_t k = first; !found && k < b->n; k++) {
            found = !taken[k] && like_term(l, a->args[i], b->args[k]);
            taken[k] = taken[k] || found;
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool like_term(likeness *l, const term *a, const term *b)
{
    if (l->p->work++ > WORK_MAX) {
        return false;
    }
    if (a->kind != b->kind || a->flag != b->flag || a->column != b->column
        || a->n != b->n || a->number != b->number
        || !str_equal(a->text, b->text)
        || (a->source && other_of(l, a->source) != b->source)
        || (a->block && !like_block(l, a->block, b->block))) {
        return false;
    }
    if (is_sorted_kind(a)) {
        return like_parts(l, a, b, 0);
    }
    bool lists = a->kind == TERM_IN_LIST;
    for (int32_t i = 0; i < (lists ? 1 : a->n); i++) {
        if (!like_term(l, a->args[i], b->args[i])) {
            return false;
        }
    }
    return !lists || like_parts(l, a, b, 1);
}

static bool like_list(likeness *l, const term_list *a, const term_list *b)
{
    bool like = a->len == b->len;
    for (ptrdiff_t i = 0; like && i < a->len; i++) {
        like = like_term(l, a->ptr[i], b->ptr[i]);
    }
    return like;
}

static bool like_order(likeness *l, const block *a, const block *b)
{
    bool like = a->order.len == b->order.len;
    for (ptrdiff_t i = 0; like && i < a->order.len; i++) {
        sort_term x = a->order.ptr[i];
        sort_term y = b->order.ptr[i];
        like = like_term(l, x.term, y.term)
               && x.is_descending == y.is_descending
               && x.nulls_last == y.nulls_last;
    }
    return like;
}

static bool like_number(likeness *l, const term *a, const term *b)
{
    return a && b ? like_term(l, a, b) : a == b;
}

// But for DISTINCT, ORDER BY and LIMIT.
static bool like_rows(likeness *l, const block *a, const block *b)
{
    bool like = a->set == b->set && a->is_all == b->is_all
                && a->is_grouped == b->is_grouped
                && a->has_group == b->has_group
                && a->sources.len == b->sources.len;
    if (!like || a->set) {
        return like && like_block(l, a->left, b->left)
               && like_block(l, a->right, b->right);
    }
    for (ptrdiff_t i = 0; i < a->sources.len; i++) {
        const instance *x = a->sources.ptr[i];
        const instance *y = b->sources.ptr[i];
        *vec_push(l->p->a, &l->pairs) = (source_pair){x, y};
        like &= x->table == y->table && x->is_outer == y->is_outer
                && !x->body == !y->body;
        like = like && (!x->body || like_block(l, x->body, y->body));
    }
    for (ptrdiff_t i = 0; like && i < a->sources.len; i++) {
        like = like_list(l, &a->sources.ptr[i]->on, &b->sources.ptr[i]->on);
    }
    return like && like_list(l, &a->where, &b->where)
           && like_list(l, &a->select, &b->select)
           && like_list(l, &a->group, &b->group)
           && like_list(l, &a->having, &b->having);
}

static bool like_block(likeness *l, const block *a, const block *b)
{
    return like_rows(l, a, b) && a->distinct == b->distinct
           && like_order(l, a, b) && like_number(l, a->limit, b->limit)
           && like_number(l, a->offset, b->offset);
}

bool same_rows(prover *p, const block *a, const block *b)
{
    likeness l = {.p = p};
    return like_rows(&l, a, b);
}
