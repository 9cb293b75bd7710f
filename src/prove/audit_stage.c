/*
 * audit_stage.c - see audit_stage.h.
 *
 * Method      Instances are shared by pointer and changed in place, so each
 *             source is copied together with the block it stands for; terms
 *             never change (relation_term.h) and are shared with the copy.
 *
 * Cost        Linear in the lists of one block, for each step that is audited.
 */
#include "prove/audit_stage.h"

#include "relation/relation_type.h"

static term_list copy_list(prover *p, const term_list *l)
{
    term_list copy = {0};
    for (ptrdiff_t i = 0; i < l->len; i++) {
        term_list_push(p, &copy, l->ptr[i]);
    }
    return copy;
}

static block copy_lists(prover *p, const block *b)
{
    block copy = *b;
    copy.where = copy_list(p, &b->where);
    copy.select = copy_list(p, &b->select);
    copy.group = copy_list(p, &b->group);
    copy.having = copy_list(p, &b->having);
    copy.order.ptr = NULL;
    copy.order.len = 0;
    copy.order.cap = 0;
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        *vec_push(p->a, &copy.order) = b->order.ptr[i];
    }
    copy.sources.ptr = NULL;
    copy.sources.len = 0;
    copy.sources.cap = 0;
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        *vec_push(p->a, &copy.sources) = b->sources.ptr[i];
    }
    return copy;
}

static void add_sides(prover *p, stage_source *s, const block *b)
{
    if (b->set) {
        add_sides(p, s, b->left);
        add_sides(p, s, b->right);
    } else {
        *vec_push(p->a, &s->sides) = copy_lists(p, b);
    }
}

stage stage_of(prover *p, const block *b)
{
    stage s = {.b = copy_lists(p, b), .n = b->sources.len};
    stage_source *sources = arena_new(p->a, stage_source, s.n + 1);
    for (ptrdiff_t i = 0; i < s.n; i++) {
        instance *is = b->sources.ptr[i];
        sources[i].is = is;
        sources[i].was = *is;
        sources[i].was.on = copy_list(p, &is->on);
        if (is->body) {
            sources[i].body = copy_lists(p, is->body);
            add_sides(p, &sources[i], is->body);
        }
    }
    s.sources = sources;
    s.types = type_outputs(p, b);
    s.calls = type_aggregates(p, b);
    return s;
}

const stage_source *stage_find(const stage *s, const instance *i)
{
    for (ptrdiff_t k = 0; k < s->n; k++) {
        if (s->sources[k].is == i) {
            return &s->sources[k];
        }
    }
    return NULL;
}

instance *stage_new_source(const stage *s, const block *after)
{
    instance *added = NULL;
    int n = 0;
    for (ptrdiff_t i = 0; i < after->sources.len; i++) {
        bool is_new = !stage_find(s, after->sources.ptr[i]);
        n += is_new;
        added = is_new ? after->sources.ptr[i] : added;
    }
    return n == 1 ? added : NULL;
}
