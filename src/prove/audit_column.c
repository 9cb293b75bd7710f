/*
 * audit_column.c - which columns of derived tables a step used in place of
 * others; see need.def.
 */
#include "prove/audit_need.h"

#include <assert.h>

typedef struct column_search {
    const term *wanted;
    bool found;
} column_search;

static bool search_column(void *context, const term *t)
{
    column_search *s = context;
    s->found |= t == s->wanted;
    return !s->found;
}

static void search_column_in(void *context, const term *t)
{
    term_walk(t, search_column, context);
}

static bool is_used_now(const need_step *s, const term *c)
{
    column_search use = {.wanted = c};
    block_each(s->is, search_column_in, &use);
    return use.found;
}

static bool was_used(const need_step *s, const term *c)
{
    column_search use = {.wanted = c};
    block was = s->was->b;
    was.sources.len = 0;
    block_each(&was, search_column_in, &use);
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        const term_list *on = &s->was->sources[i].was.on;
        for (ptrdiff_t k = 0; k < on->len; k++) {
            term_walk(on->ptr[k], search_column, &use);
        }
    }
    return use.found;
}

// In a SELECT, or in all sides of a UNION ALL.
static bool shows_same(const block *b, int32_t i, int32_t k)
{
    assert(i != k);  // a column is itself
    if (b->set) {
        return b->set == SET_UNION && b->is_all && shows_same(b->left, i, k)
               && shows_same(b->right, i, k);
    }
    return b->select.ptr[i] == b->select.ptr[k];
}

static bool has_twin(const need_step *s, const stage_source *source, int32_t k)
{
    for (int32_t i = 0; i < block_outputs(&source->body); i++) {
        if (i != k && shows_same(&source->body, i, k)
            && is_used_now(s, term_column(s->p, source->is, i))) {
            return true;
        }
    }
    return false;
}

bool need_column_is_twin(const need_step *s)
{
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        const stage_source *source = &s->was->sources[i];
        ptrdiff_t n = source->was.body ? block_outputs(&source->body) : 0;
        for (int32_t k = 0; k < n; k++) {
            const term *c = term_column(s->p, source->is, k);
            if (was_used(s, c) && !is_used_now(s, c)
                && !has_twin(s, source, k)) {
                return false;
            }
        }
    }
    return true;
}
