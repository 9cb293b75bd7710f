/*
 * audit_same.c - see audit_same.h.
 *
 * Method      Two blocks that are to be one are rewritten alike, and compared
 *             part by part; copies are compared by their forms.
 */
#include "prove/audit_same.h"

#include "prove/form.h"

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

// The lists of a block by themselves, rewritten.
static block lists_rewritten(prover *p, rewrite *r, const block *b)
{
    block copy = stage_of(p, b).b;
    copy.sources.len = 0;
    block_rewrite(r, &copy);
    return copy;
}

static bool same_lists(const block *a, const block *b)
{
    return term_lists_equal(&a->select, &b->select)
           && term_lists_equal(&a->where, &b->where)
           && term_lists_equal(&a->group, &b->group)
           && term_lists_equal(&a->having, &b->having) && same_orders(a, b);
}

bool same_rewritten(const need_step *s,
                    rewrite *r,
                    const stage_source *gone,
                    const instance *to)
{
    block was = lists_rewritten(s->p, r, &s->was->b);
    block is = lists_rewritten(s->p, r, s->is);
    bool same = same_lists(&was, &is);
    for (ptrdiff_t i = 0; same && i < s->was->n; i++) {
        const stage_source *source = &s->was->sources[i];
        const instance *now = source == gone ? to : source->is;
        block on = {.where = source->was.on};
        block on_now = {.where = now->on};
        was = lists_rewritten(s->p, r, &on);
        is = lists_rewritten(s->p, r, &on_now);
        same = same_lists(&was, &is) && source->was.is_outer == now->is_outer;
    }
    return same;
}

static str form_of_rows(prover *p, const block *b)
{
    block rows = *b;
    rows.order.len = 0;
    rows.limit = NULL;
    rows.offset = NULL;
    rows.distinct = false;
    rows.is_unique = false;
    return form_block(p, &rows, 0, ITEMS_IN_ORDER, NULL);
}

bool same_rows(prover *p, const block *a, const block *b)
{
    str form = form_of_rows(p, a);
    return form.len > 0 && str_equal(form, form_of_rows(p, b));
}
